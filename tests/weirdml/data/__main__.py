"""Make the data of one task: a Recipe in JSON on stdin, and the cache's folder."""

import json
import sys
from pathlib import Path

from .build import Recipe, make


def main() -> int:
    told = json.load(sys.stdin)
    cache, sizes = Path(told.pop("cache")), told.pop("sizes")
    try:
        make(Recipe(**told, sizes=tuple(sizes) if sizes else None), cache)
    except (ValueError, OSError) as error:
        print(str(error).replace("\n", " "), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
