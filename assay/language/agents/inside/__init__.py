"""Programs that run inside the sandbox, sent there as text. Standard library only; Python 3.9 or later."""
