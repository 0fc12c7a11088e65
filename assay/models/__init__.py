"""Model providers: one file each, one row each in registry.py. Imports only assay.records, assay.errors."""
