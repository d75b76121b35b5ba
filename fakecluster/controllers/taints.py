"""Taints of nodes and the tolerations of pods (FK-461, FK-496)."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.json_types import Json

NOT_READY = "node.kubernetes.io/not-ready"
UNREACHABLE = "node.kubernetes.io/unreachable"
UNSCHEDULABLE = "node.kubernetes.io/unschedulable"
NO_SCHEDULE, NO_EXECUTE = "NoSchedule", "NoExecute"


def taints_of(node: Json, *effects: str) -> list[Json]:
    """Return the taints of a node that have one of these effects."""
    return [taint for taint in node.get("spec", {}).get("taints") or () if taint["effect"] in effects]


class Tolerations:
    """The tolerations of a pod, by what they match: however many they are, a taint is looked up at once."""

    def __init__(self, pod: Json) -> None:
        self._places: dict[tuple[str, str, str | None], int] = {}
        self._tolerations: list[Json] = pod["spec"].get("tolerations") or []
        for index, toleration in enumerate(self._tolerations):
            exists = toleration.get("operator") == "Exists"
            value = None if exists else str(toleration.get("value") or "")
            key = (toleration.get("key") or "", toleration.get("effect") or "", value)
            self._places.setdefault(key, index)

    def first(self, taint: Json) -> Json | None:
        """Return the first toleration that matches a taint, None when there is none."""
        key, effect, value = taint["key"], taint["effect"], str(taint.get("value") or "")
        matching = [
            (key, own_effect, own_value) for own_effect in ("", effect) for own_value in (None, value)
        ]
        every_key = [("", own_effect, None) for own_effect in ("", effect)]
        places = [self._places[match] for match in (*matching, *every_key) if match in self._places]
        return self._tolerations[min(places)] if places else None


def tolerates(pod: Json, taints: Iterable[Json]) -> bool:
    """Tell whether a pod tolerates every one of these taints."""
    tolerations = Tolerations(pod)
    return all(tolerations.first(taint) for taint in taints)
