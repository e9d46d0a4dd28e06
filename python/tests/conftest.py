"""Tests run on the sources beside them, unless a wheel is to be tested."""

import os
import sys
from pathlib import Path

if "GOHOPS_INSTALLED" not in os.environ:
    sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
    # For processes that tests start.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [sys.path[0], os.environ.get("PYTHONPATH")]))
