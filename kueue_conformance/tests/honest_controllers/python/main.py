"""Runs the design that DESIGN names."""

import os
import runpy
from pathlib import Path

DESIGNS = {
    "warden": "warden.py",
    "poller": "poller.py",
    "crews": "crews.py",
    "applier": "applier.py",
    "switched": "switched.py",
}

if __name__ == "__main__":
    program = DESIGNS[os.environ.get("DESIGN") or "warden"]
    runpy.run_path(str(Path(__file__).with_name(program)), run_name="__main__")
