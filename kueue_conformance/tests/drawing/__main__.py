"""Writes the drawings into docs/drawings/."""

from ..checkout import ROOT
from .pictures import drawings

FOLDER = ROOT / "docs/drawings"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in drawings().items():
        (FOLDER / name).write_text(text, "utf-8")
