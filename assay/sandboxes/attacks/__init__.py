"""Programs that a model might write to break out, and whether a sandbox withstands them."""
