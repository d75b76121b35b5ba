"""Records on disk of the clusters made here:
written before a cluster is made, removed after it is deleted (harness/H-41).
"""

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
class ClusterRecord:
    """A cluster: its owner, its image, and why it is kept."""

    name: str
    owner: Owner
    image: str
    kept: str = ""
    maker: Owner = NO_OWNER
    """The kind process that makes it; it survives the death of the owner."""

    @property
    def is_orphaned(self) -> bool:
        """Whether its run is over and it was not kept on purpose."""
        return not self.kept and not self.owner.lives


def state() -> Path:
    """Return the folder of all clusters, which the XDG convention calls state."""
    root = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(root) / "kueue-conformance" / "clusters"


def fresh(image: str) -> ClusterRecord:
    """Return the record of a cluster of this process, with a name of its own, written to disk."""
    record = ClusterRecord(name=f"{PREFIX}{secrets.token_hex(3)}", owner=Owner.here(), image=image)
    write_record(record)
    return record


def write_record(record: ClusterRecord) -> None:
    """Write a record atomically."""
    folder = state() / record.name
    # The kubeconfig beside the record has the key of an administrator.
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = folder / f"{_RECORD}.new"
    new.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")
    # rename(2) is atomic: a reader finds the old record or the new one, never a half.
    new.replace(folder / _RECORD)


def record_maker(record: ClusterRecord, maker: int) -> None:
    """Record the process that makes a cluster."""
    write_record(replace(record, maker=Owner.of(maker)))


def keep(record: ClusterRecord, why: str) -> None:
    """Record that a cluster is kept on purpose."""
    write_record(replace(record, kept=why))


def kubeconfig(name: str) -> Path:
    """Return the path of a cluster's kubeconfig."""
    return state() / name / _KUBECONFIG


def drop(name: str) -> None:
    """Delete a cluster's record and its files."""
    shutil.rmtree(state() / name, ignore_errors=True)


def records() -> Iterator[ClusterRecord]:
    """Yield the records on disk by name; a folder without a
    readable record is a cluster whose making was interrupted.
    """
    for folder in sorted(state().glob(f"{PREFIX}*")):
        try:
            document = json.loads((folder / _RECORD).read_text("utf-8"))
            yield ClusterRecord(**{**document, **{key: Owner(**document[key]) for key in ("owner", "maker")}})
        except (OSError, ValueError, TypeError, KeyError):
            # Without an owner it counts as orphaned, so that the next run deletes it.
            yield ClusterRecord(name=folder.name, owner=NO_OWNER, image="")
