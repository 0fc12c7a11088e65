"""assay image: build the sandbox image, which `make image` does in a checkout, or say where its files are."""

from __future__ import annotations

import argparse
from pathlib import Path

from assay.running.wiring import settings
from assay.stdout import stdout


def command(options: argparse.Namespace, root: Path) -> int:
    """Returns the process's exit code. Raises ConfigError, which says what to install or what went wrong."""
    from assay.sandboxes.image import builder, layers, task_image

    if options.path:
        stdout().write(f"{builder.rootfs() or ''}\n")
    else:
        builder.build(options.image_engine, base=options.base, force=options.force)
        configured = settings(options.config, root).layers
        layers.build(configured, options.image_engine, force=options.force)
        task_image.remove_unused(0.0 if options.force else task_image.UNUSED_S)
    return 0
