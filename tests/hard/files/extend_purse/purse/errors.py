"""What can be refused."""


class Refused(Exception):
    """A command that changes nothing; its text is printed behind `error: `."""
