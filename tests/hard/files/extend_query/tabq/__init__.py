"""Queries about small tables."""
