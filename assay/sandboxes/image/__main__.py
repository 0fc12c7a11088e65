"""`python -m assay.sandboxes.image`."""

import sys

from assay.sandboxes.image.builder import main

sys.exit(main())
