"""Where untrusted code runs: one agent inside, one file a backend, and a pool that opens them ahead."""
