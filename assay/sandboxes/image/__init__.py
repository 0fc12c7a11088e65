"""The image that programs see: building it (`python -m assay.sandboxes.image build`) and its files."""
