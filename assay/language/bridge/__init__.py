"""Any agent program inside a sandbox without network: what it asks of a model goes out by a terminal of the
sandbox, and is answered by the trial's model. Keys stay outside, and every call is metered, cached and
budgeted like any other."""
