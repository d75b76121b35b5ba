"""The report's section `footprint`, and role.yaml beside it: what the subject needed and what it cost (harness/N-09, N-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from ..bench import Bench
from ..footprint import Need, cost, forbidden, granted, least_role, needs, unused
from ..subject.declaration import Declaration
from .model import CaseResult

Json: TypeAlias = Any
FILE = "role.yaml"
_NAME = "check-controller"


def asked(bench: Bench) -> Json:
    """Return, as plain data, what the subject asked for in a case; empty where nobody saw it."""
    requests = bench.cluster.recorder.requests()
    if bench.subject is None or not requests:
        return {}
    return {
        "needs": sorted(map(list, needs(requests))),
        "forbidden": sorted(map(list, forbidden(requests))),
        "cost": dict(cost(requests)),
    }


def footprint(results: Sequence[CaseResult], subject: Declaration | None) -> Mapping[str, Any]:
    """Return the section: the rules that are enough, beside the declared ones, and the cost of a verdict; empty when nothing was seen."""
    told = [one.asked for one in results if one.asked]
    if not told:
        return {}
    wanted = sorted({Need(*each) for one in told for each in one["needs"]})
    spent = sum((Counter(one["cost"]) for one in told), Counter[str]())
    changes = max(1, spent["changes"])
    return {
        "rules": least_role(wanted, _NAME)["rules"],
        "forbidden": sorted({str(Need(*each)) for one in told for each in one["forbidden"]}),
        **_beside_declared(wanted, subject),
        "cost": {name: spent[name] for name in sorted(spent)},
        "costOfAChange": {
            name: round(spent[name] / changes, 2) for name in sorted(spent) if name != "changes"
        },
    }


def put(folder: Path, section: Mapping[str, Any]) -> None:
    """Write the least role as a manifest that can be applied."""
    if section:
        role = {**least_role((), _NAME), "rules": section["rules"]}
        (folder / FILE).write_text(yaml.safe_dump(role, sort_keys=False), encoding="utf-8")


def _beside_declared(wanted: Sequence[Need], subject: Declaration | None) -> Json:
    if subject is None or subject.rbac is None:
        return {}
    return {
        "notGranted": [str(one) for one in wanted if not granted(subject.rbac, one)],
        "neverUsed": [str(one) for one in unused(subject.rbac, wanted)],
    }
