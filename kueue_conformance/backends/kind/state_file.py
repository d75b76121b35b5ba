"""The clusters that were made here, on disk: written before one is made, removed after it is gone (harness/H-41)."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from .owner import NO_OWNER, Owner

PREFIX = "kueue-conformance-"
_RECORD, _KUBECONFIG = "record.json", "kubeconfig"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A cluster: whose it is, what it was made from, and why it is kept, where it is."""

    name: str
    owner: Owner
    image: str
    kept: str = ""
    maker: Owner = NO_OWNER
    """The program that makes it; it outlives an owner that is killed."""

    @property
    def orphaned(self) -> bool:
        """Whether nobody needs it any more: its run is over and it was not kept on purpose."""
        return not self.kept and not self.owner.lives


def state() -> Path:
    """Return the folder of all clusters, which the XDG convention calls state."""
    root = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(root) / "kueue-conformance" / "clusters"


def fresh(image: str) -> Record:
    """Return the record of a cluster of this process, with a name of its own, written to disk."""
    record = Record(name=f"{PREFIX}{secrets.token_hex(3)}", owner=Owner.here(), image=image)
    put(record)
    return record


def put(record: Record) -> None:
    """Write a record, whole or not at all."""
    folder = state() / record.name
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = folder / f"{_RECORD}.new"
    new.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")
    new.replace(folder / _RECORD)


def begun(record: Record, maker: int) -> None:
    """Note which process makes a cluster."""
    put(replace(record, maker=Owner.of(maker)))


def keep(record: Record, why: str) -> None:
    """Note that a cluster is kept on purpose."""
    put(replace(record, kept=why))


def kubeconfig(name: str) -> Path:
    """Return where the kubeconfig of a cluster is."""
    return state() / name / _KUBECONFIG


def drop(name: str) -> None:
    """Forget a cluster and everything beside its record."""
    shutil.rmtree(state() / name, ignore_errors=True)


def records() -> Iterator[Record]:
    """Yield what is on disk, by name; a folder without a readable record is one whose making was cut short."""
    for folder in sorted(state().glob(f"{PREFIX}*")):
        try:
            said = json.loads((folder / _RECORD).read_text("utf-8"))
            yield Record(**{**said, **{key: Owner(**said[key]) for key in ("owner", "maker")}})
        except (OSError, ValueError, TypeError, KeyError):
            yield Record(name=folder.name, owner=NO_OWNER, image="")
