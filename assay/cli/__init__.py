"""The pieces of the command line. main.py gives them the models, which nothing below it may know."""
