"""The wrong controllers of the zoo, each with the rule
that it breaks and the scenario that is named for it.
"""

import importlib
import inspect
import re
from dataclasses import dataclass
from pathlib import Path

from kueue_conformance.catalogue.inventory import inventory

from ..zoo.right import CheckController

ZOO = Path(__file__).parents[1] / "zoo"
NAME = "example.com/budget"
_SAYS = re.compile(r"Breaks ((?:CC|KV)-\d{2,3}): (.+); ((?:CHK|UPC)-\d{3}) (?:must|may) catch it\.")
_RIGHT = "Right "
"""How the docstring of a controller begins that is right, and tries a scenario from the other side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A wrong controller: what it does, which rule that breaks, and which scenario must fail."""

    name: str
    family: str
    row: str
    wrong: str
    named: str

    dialect = "v0.19"

    @property
    def level(self):
        """How binding the scenario is that must fail."""
        return str(inventory()[self.named].level)

    @property
    def subject(self):
        """How the suite finds it."""
        return f"python:{__package__.rpartition('.')[0]}.zoo.{self.family}:{self.name}.serve"


def mutants():
    """Return all of them, in the order of the modules."""
    result = []
    for file in sorted(ZOO.glob("[a-z]*.py")):
        module = importlib.import_module(f"..zoo.{file.stem}", __package__)
        for name, var in vars(module).items():
            if (
                inspect.isclass(var)
                and issubclass(var, CheckController)
                and var.__module__ == module.__name__
            ):
                result += (
                    read_mutant(file.stem, name, var.__doc__ or "") if var is not CheckController else []
                )
    return result


def read_mutant(family, name, docstring):
    """Return the wrong controller that a docstring describes, none for a right one; raises ValueError."""
    text = " ".join(docstring.split())
    match = _SAYS.fullmatch(text)
    if match:
        return [Mutant(name=name, family=family, row=match[1], wrong=match[2], named=match[3])]
    if text.startswith(_RIGHT):
        return []
    raise ValueError(
        f"zoo/{family}.py: {name} says neither what it breaks and what catches it, nor that it is right: {text!r};"
        " write for example 'Breaks CC-031: writes entries of others; CHK-180 must catch it.'"
    )
