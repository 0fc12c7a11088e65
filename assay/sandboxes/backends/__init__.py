"""Ways to open a sandbox, and which of them works on this machine (registry.py)."""
