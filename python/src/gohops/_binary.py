"""Where the program hops is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

VARIABLE = "GOHOPS_BINARY"


def find_binary() -> str:
    """Return the path of the program hops.

    It is the one that the environment variable ``GOHOPS_BINARY`` names, or the one that
    this package carries, or the first in ``PATH``.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"{VARIABLE} names {named}, which is not a program")
        return found
    carried = Path(__file__).parent / "bin" / "hops"
    if os.access(carried, os.X_OK):
        return str(carried)
    found = shutil.which("hops")
    if found is None:
        raise FileNotFoundError(
            f"this package carries no program hops, and there is none in PATH: build it with "
            f"`go build ./cmd/hops`, and set {VARIABLE} to its path"
        )
    return found
