"""Model providers: each has one file here and one row in registry.py."""
