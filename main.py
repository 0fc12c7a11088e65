"""The command line, of a checkout: `python main.py --help` tells what it can do."""

import sys
from pathlib import Path

from assay.cli.main import main

if __name__ == "__main__":
    sys.exit(main(root=Path(__file__).resolve().parent))
