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
from ...history.footprint import (
    AccessRight,
    cost,
    forbidden,
    how_to_grant,
    is_granted,
    least_role,
    needs,
    unused_rights,
)
from ...subject.declaration import Declaration
from .case import CaseResult

FILE = "role.yaml"
_NAME = "check-controller"


def summarize_requests(context: CaseContext) -> Json:
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
    sections = [result.footprint for result in results if result.footprint]
    if not sections:
        return {}
    needed = sorted({AccessRight(*need) for section in sections for need in section["needs"]})
    return {
        "rules": least_role(needed, _NAME)["rules"],
        "forbidden": sorted(
            {str(AccessRight(*need)) for section in sections for need in section["forbidden"]}
        ),
        **_beside_declared(needed, subject),
        **_costs(section["cost"] for section in sections),
    }


def lines_about_missing_rights(results: Sequence[CaseResult]) -> list[str]:
    """Return the lines about rights that the subject lacked in a run, none where it lacked none."""
    lacked = sorted(
        {AccessRight(*need) for result in results for need in result.footprint.get("forbidden", ())}
    )
    if not lacked:
        return []
    return [f"the subject may not {', '.join(map(str, lacked))}", how_to_grant(lacked)]


def together(sections: Sequence[Json]) -> Mapping[str, Any]:
    """Merge the sections of several runs of a subject: the union of needed and of used rights."""
    if not sections:
        return {}
    needed = {
        AccessRight(group, resource, verb)
        for section in sections
        for rule in section["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
    declared = [section for section in sections if "neverUsed" in section]
    beside = (
        {
            "notGranted": sorted({right for section in declared for right in section["notGranted"]}),
            "neverUsed": sorted(set.intersection(*(set(section["neverUsed"]) for section in declared))),
        }
        if declared
        else {}
    )
    return {
        "rules": least_role(needed, _NAME)["rules"],
        "forbidden": sorted({right for section in sections for right in section["forbidden"]}),
        **beside,
        **_costs(section["cost"] for section in sections),
    }


def _costs(costs: Iterable[Mapping[str, int]]) -> Json:
    spent = sum(map(Counter, costs), Counter[str]())
    changes = max(1, spent["changes"])
    return {
        "cost": {name: spent[name] for name in sorted(spent)},
        "costOfAChange": {
            name: round(spent[name] / changes, 2) for name in sorted(spent) if name != "changes"
        },
    }


def write_role(folder: Path, section: Mapping[str, Any]) -> None:
    """Write the least role as a manifest that can be applied."""
    if section:
        role = {**least_role((), _NAME), "rules": section["rules"]}
        save(folder / FILE, yaml.safe_dump(role, sort_keys=False))


def _beside_declared(needed: Sequence[AccessRight], subject: Declaration | None) -> Json:
    if subject is None or subject.rbac is None:
        return {}
    return {
        "notGranted": sorted(str(need) for need in needed if not is_granted(subject.rbac, need)),
        "neverUsed": sorted(map(str, unused_rights(subject.rbac, needed))),
    }
