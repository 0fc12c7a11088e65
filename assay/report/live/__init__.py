"""The report during a run, served to this machine only and filled as trials end."""
