"""`python -m assay`: the command line, on the working directory."""

import sys

from assay.cli.main import main

sys.exit(main())
