"""Where untrusted code runs: one agent inside, one file per backend, and a pool that opens sandboxes ahead of
need."""
