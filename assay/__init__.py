"""Assay: the language's machinery, the models, and the command line."""

__version__ = "0.1.0"
