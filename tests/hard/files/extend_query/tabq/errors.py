"""What is wrong with a query."""


class Mistake(Exception):
    """A query that has no answer."""
