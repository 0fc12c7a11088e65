"""Agents: a model that works in the trial's sandbox with tools, turn by turn."""
