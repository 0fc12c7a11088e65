"""The machinery of Assay. It knows no provider and no benchmark."""

__version__ = "0.1.0"
