"""The report's section `footprint`, and role.yaml beside it:
what the subject needed and what it cost (harness/N-09, N-14).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ...base.files.saving import save
from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.footprint import Need, cost, forbidden, granted, how_to_grant, least_role, needs, unused
from ...subject.declaration import Declaration
from .case import CaseResult

FILE = "role.yaml"
_NAME = "check-controller"


def asked(context: CaseContext) -> Json:
    """Return the subject's requests in a case as plain data; empty where requests are not seen."""
    requests = context.cluster.recorder.requests()
    if context.subject is None or not requests:
        return {}
    return {
        "needs": sorted(map(list, needs(requests))),
        "forbidden": sorted(map(list, forbidden(requests))),
        "cost": dict(cost(requests)),
    }


def footprint(results: Sequence[CaseResult], subject: Declaration | None) -> Mapping[str, Any]:
    """Return the section: the sufficient rules, beside the declared ones, and the cost of a verdict; empty
    when nothing was seen.
    """
    told = [one.asked for one in results if one.asked]
    if not told:
        return {}
    wanted = sorted({Need(*each) for one in told for each in one["needs"]})
    return {
        "rules": least_role(wanted, _NAME)["rules"],
        "forbidden": sorted({str(Need(*each)) for one in told for each in one["forbidden"]}),
        **_beside_declared(wanted, subject),
        **_costs(one["cost"] for one in told),
    }


def told(results: Sequence[CaseResult]) -> list[str]:
    """Return the lines about rights that the subject lacked in a run, none where it lacked none."""
    lacked = sorted({Need(*each) for one in results for each in one.asked.get("forbidden", ())})
    if not lacked:
        return []
    return [f"the subject may not {', '.join(map(str, lacked))}", how_to_grant(lacked)]


def together(sections: Sequence[Json]) -> Mapping[str, Any]:
    """Merge the sections of several runs of a subject: the union of needed and of used rights."""
    if not sections:
        return {}
    wanted = {
        Need(group, resource, verb)
        for one in sections
        for rule in one["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
    declared = [one for one in sections if "neverUsed" in one]
    beside = (
        {
            "notGranted": sorted({each for one in declared for each in one["notGranted"]}),
            "neverUsed": sorted(set.intersection(*(set(one["neverUsed"]) for one in declared))),
        }
        if declared
        else {}
    )
    return {
        "rules": least_role(wanted, _NAME)["rules"],
        "forbidden": sorted({each for one in sections for each in one["forbidden"]}),
        **beside,
        **_costs(one["cost"] for one in sections),
    }


def _costs(each: Iterable[Mapping[str, int]]) -> Json:
    spent = sum(map(Counter, each), Counter[str]())
    changes = max(1, spent["changes"])
    return {
        "cost": {name: spent[name] for name in sorted(spent)},
        "costOfAChange": {
            name: round(spent[name] / changes, 2) for name in sorted(spent) if name != "changes"
        },
    }


def put(folder: Path, section: Mapping[str, Any]) -> None:
    """Write the least role as a manifest that can be applied."""
    if section:
        role = {**least_role((), _NAME), "rules": section["rules"]}
        save(folder / FILE, yaml.safe_dump(role, sort_keys=False))


def _beside_declared(wanted: Sequence[Need], subject: Declaration | None) -> Json:
    if subject is None or subject.rbac is None:
        return {}
    return {
        "notGranted": [str(one) for one in wanted if not granted(subject.rbac, one)],
        "neverUsed": [str(one) for one in unused(subject.rbac, wanted)],
    }
