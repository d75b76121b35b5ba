"""A Secret or a ConfigMap as a folder of this machine,
kept up to date as a kubelet keeps a pod's volume (FK-483).

Files are links into `..data`, itself a link to a folder that is written
whole before the link is turned: a reader sees all of one state or all of
another. What is deleted leaves its last state behind, as with a running pod.
"""

from __future__ import annotations

import logging
import shutil
from base64 import b64decode
from collections.abc import Callable, Mapping
from pathlib import Path

from ..base.files import write as write_file
from ..base.json_types import Json
from ..store import Event, Name, Resource, Store

LOG = logging.getLogger(__name__)
DATA_LINK, NEXT_DATA_LINK = "..data", "..data_tmp"
RESOURCES: Mapping[str, Resource] = {"configmaps": ("", "configmaps"), "secrets": ("", "secrets")}


class UnknownVolume(ValueError):
    """What should be mounted cannot be; the text says what can."""


def parse_volume(text: str) -> tuple[Resource, Name]:
    """Read `secrets/NAMESPACE/NAME` or `configmaps/NAMESPACE/NAME`. Raises UnknownVolume."""
    segments = text.split("/")
    if len(segments) != 3 or segments[0] not in RESOURCES or not all(segments):
        raise UnknownVolume(
            f"cannot mount {text!r}: expected secrets/NAMESPACE/NAME or configmaps/NAMESPACE/NAME"
        )
    return RESOURCES[segments[0]], (segments[1], segments[2])


def mount(store: Store, resource: Resource, name: Name, folder: Path) -> Callable[[], None]:
    """Write an object's data to a folder, now and whenever it changes; returns the way to stop that.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def write_present() -> None:
        if (stored := store.get(resource, name)) is not None:
            write(folder, stored.revision, stored.object)

    def on_event(event: Event) -> None:
        if event.after.name == name and event.type != "DELETED":
            _follow(folder, event.revision, event.after.object)

    write_present()
    # After the first write: an event that comes meanwhile would otherwise be written twice.
    return store.subscribe(on_event, write_present, (resource,))


def data(obj: Json) -> dict[str, bytes]:
    """Return the files that are in a Secret or a ConfigMap."""
    encoded = obj.get("data" if obj["kind"] == "Secret" else "binaryData") or {}
    plain = (obj.get("data") or {}) if obj["kind"] == "ConfigMap" else {}
    files = {name: text.encode() for name, text in plain.items()}
    return files | {name: b64decode(value or "") for name, value in encoded.items()}


def _follow(folder: Path, revision: int, obj: Json) -> None:
    """Write a new state.

    As with a kubelet, a folder that cannot be written is no reason to refuse what the API has stored.
    """
    try:
        write(folder, revision, obj)
    except OSError as error:
        LOG.error(  # noqa: TRY400 - there is nothing to find in a traceback
            "the mounted folder %s cannot be written: %s; it keeps the state before revision %d",
            folder,
            error.strerror,
            revision,
        )


def write(folder: Path, revision: int, obj: Json) -> None:
    """Put a state into the place of the one before, if it is another; that of a Secret is private.

    Raises OSError.
    """
    files, private = data(obj), obj["kind"] == "Secret"
    before = (folder / DATA_LINK).resolve() if (folder / DATA_LINK).is_symlink() else None
    if before is not None and files == {file.name: file.read_bytes() for file in before.iterdir()}:
        return
    new_folder = folder / f"..{revision}"
    shutil.rmtree(new_folder, ignore_errors=True)
    new_folder.mkdir(mode=0o700 if private else 0o777)
    try:
        for name, content in files.items():
            write_file(new_folder / name, content, private=private)
    except OSError:
        shutil.rmtree(new_folder, ignore_errors=True)
        raise
    (folder / NEXT_DATA_LINK).unlink(missing_ok=True)
    (folder / NEXT_DATA_LINK).symlink_to(new_folder.name)
    # A rename is atomic: readers see the old state or the new one, never a mixture.
    (folder / NEXT_DATA_LINK).replace(folder / DATA_LINK)
    _link(folder, files)
    if before is not None:
        shutil.rmtree(before, ignore_errors=True)


def _link(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make the folder show exactly the files of the state."""
    shown = {
        entry.name for entry in folder.iterdir() if entry.is_symlink() and not entry.name.startswith("..")
    }
    for name in files.keys() - shown:
        (folder / name).symlink_to(Path(DATA_LINK) / name)
    for name in shown - files.keys():
        (folder / name).unlink()
