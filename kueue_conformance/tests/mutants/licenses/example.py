"""The controller of the example that holds licenses, found from here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "examples/check_controllers/python"))

from controller import is_true, main
from licenses import LicenseController, claim_id

__all__ = ["LicenseController", "claim_id", "is_true", "main"]
