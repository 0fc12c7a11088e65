"""The pieces of the command line. assay.running.wiring hands them the models."""
