"""How long an object may take to go: only pods are given time (FK-116)."""

from __future__ import annotations

from ....base.json_types import Json
from ....base.numbers.durations import wrap_to_64_bits
from ....base.numbers.timestamps import since_epoch
from ....meta import metadata
from .delete_options import DeleteOptions

DEFAULT_SECONDS = 30
OVER = frozenset({"Succeeded", "Failed"})


def period(obj: Json, options: DeleteOptions) -> int:
    """Return the seconds a pod gets when it is deleted for the first time."""
    spec, phase = obj.get("spec") or {}, (obj.get("status") or {}).get("phase")
    # What does not run needs no time to stop.
    if not spec.get("nodeName") or phase in OVER:
        return 0
    seconds = (
        options.grace
        if options.grace is not None
        else spec.get("terminationGracePeriodSeconds", DEFAULT_SECONDS)
    )
    # Negative means at once, which is a second to the real server.
    return 1 if seconds < 0 else int(seconds)


def shorten(obj: Json, options: DeleteOptions) -> Json | None:
    """Return a pod that is going already with less time, None when a second delete changes nothing."""
    current_grace = obj["metadata"].get("deletionGracePeriodSeconds", 0)
    # A second deletion can only shorten.
    if options.grace is None or options.grace >= current_grace:
        return None
    seconds = 1 if options.grace < 0 else options.grace
    # From the moment of the first deletion.
    was = since_epoch(obj["metadata"]["deletionTimestamp"])
    sooner = metadata.timestamp(was - wrap_to_64_bits(current_grace) + wrap_to_64_bits(seconds))
    return metadata.with_metadata(obj, deletionTimestamp=sooner, deletionGracePeriodSeconds=seconds)
