"""Sandboxes on the nodes of a Ray cluster. Everything else stays where the command runs: models, keys,
budget, cache, results. See docs/cluster.md."""
