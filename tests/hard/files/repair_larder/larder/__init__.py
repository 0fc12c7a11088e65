"""A kitchen's stock in lots."""
