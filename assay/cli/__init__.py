"""The pieces of the command line. assay.wiring gives them the models, which nothing below it may know."""
