"""A spreadsheet."""
