"""purse: a ledger that is driven by lines of text."""
