"""`python -m assay`: the command line, on the working directory."""

import sys

from assay.main import main

sys.exit(main())
