"""The report while a run goes on: served to this machine only, filled as trials end."""
