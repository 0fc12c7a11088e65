"""Records in the forms of other programs: inspect_ai, pandas, spreadsheets, CI servers."""
