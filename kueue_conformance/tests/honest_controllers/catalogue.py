"""What `mistakes.yaml` of a language says: how its program is built, its right designs, its mistakes."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent
FILE = "mistakes.yaml"
SUBJECT = "subject.yaml"


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A right controller: the program with `DESIGN` in its environment."""

    sentence: str
    subject: str = SUBJECT


class Mistake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong controller: a design with `MISTAKE` in its environment. A scenario catches it at a level."""

    sentence: str
    scenario: str
    level: str = "must"
    design: str = ""


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The controllers of one language."""

    needs: tuple[str, ...]
    build: tuple[str, ...]
    right: dict[str, Design]
    wrong: dict[str, Mistake]

    def missing_programs(self) -> list[str]:
        """Return the programs of the toolchain that are not on this machine."""
        return [name for name in self.needs if shutil.which(name) is None]

    def subject_of(self, mistake: Mistake) -> str:
        """Return the subject file of the design in which a mistake is made."""
        return self.right[mistake.design].subject if mistake.design else SUBJECT


def languages() -> list[str]:
    """Return the languages that have a catalogue."""
    return sorted(path.parent.name for path in FOLDER.glob(f"*/{FILE}"))


def load(language: str) -> Catalogue:
    """Return the catalogue of a language."""
    return msgspec.yaml.decode((FOLDER / language / FILE).read_bytes(), type=Catalogue)
