"""Measurements against peers on the same machine in the same run: `make bench`."""
