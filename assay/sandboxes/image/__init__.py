"""The image that programs see: building it (`assay image`) and its files."""
