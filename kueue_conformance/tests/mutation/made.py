"""The mutants of all modules, kept beside the session: to make them takes half a minute."""

from __future__ import annotations

import pickle
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

from kueue_conformance.tests.checkout import ROOT

from .mutants import Mutant, modules, mutants, path_of

FOLDER = ROOT / ".mutation"


def list_mutants(processes: int) -> list[Mutant]:
    """Return every mutant there is, in the order of the modules."""
    with get_context("spawn").Pool(processes) as pool:
        return [mutant for item in pool.imap(_mutants_of, modules()) for mutant in item]


def _mutants_of(module: str) -> list[Mutant]:
    """Return a module's mutants, made before or made now."""
    source = path_of(module).read_text("utf-8")
    own = Path(__file__).parent
    name = sha256(
        "\0".join(
            [module, source, *((own / f"{item}.py").read_text() for item in ("operators", "mutants"))]
        ).encode()
    )
    file = FOLDER / "mutants" / f"{module}.{name.hexdigest()[:16]}.pickle"
    if file.exists():
        return pickle.loads(file.read_bytes())
    file.parent.mkdir(parents=True, exist_ok=True)
    for old in file.parent.glob(f"{module}.*.pickle"):
        old.unlink()
    mutant_list = mutants(module, source)
    file.write_bytes(pickle.dumps(mutant_list))
    return mutant_list
