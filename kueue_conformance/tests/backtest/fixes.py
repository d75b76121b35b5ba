"""The fixes of Kueue's releases as data: what is in scope with the wrong control plane that has the fault."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("fixes.yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A pull request of kubernetes-sigs/kueue that mended a fault."""

    pr: int
    releases: str
    area: str = ""
    fault: str = ""
    plane: str = ""
    """The wrong control plane that has the fault; empty where there is none."""
    why: str = ""
    """Why there is none."""

    @property
    def lines(self):
        """The release lines that got it, such as `0.19`."""
        return tuple(dict.fromkeys(version.rpartition(".")[0] for version in self.releases.split()))


@cache
def in_scope():
    """Return the fixes in scope, in the order of the file."""
    return tuple(Fix(**row) for row in _document()["in-scope"])


@cache
def out_of_scope():
    """Return by area the reason and the fixes."""
    return {
        area: (row["why"], tuple(Fix(**fix, area=area) for fix in row["fixes"]))
        for area, row in _document()["out-of-scope"].items()
    }


@cache
def _document():
    return yaml.safe_load(FILE.read_text("utf-8"))
