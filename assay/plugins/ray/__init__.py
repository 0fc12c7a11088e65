"""Sandboxes on the nodes of a Ray cluster. Everything else stays where main.py runs: models, keys, budget,
cache, results. See docs/cluster.md."""
