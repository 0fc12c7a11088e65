"""A book of accounts."""
