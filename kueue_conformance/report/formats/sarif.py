"""conformance.sarif: a result for each cause of failures, with its rule, at the subject file; what code
scanning reads (SARIF 2.1.0).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...base.json_types import Json
from ...base.printable import printable
from ...catalogue.advice import advice_on
from ...catalogue.inventory import inventory
from ...catalogue.requirement import catalogue
from ...scenarios.outcome import Level
from ..results import recount
from ..results.causes import FailureCause, causes
from ..results.model import INCOMPLETE, Report
from ..story.object_roles import by_role
from .annotations import cases_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Level.MUST: "error", Level.SHOULD: "warning", Level.MAY: "note"}
_NAMED = 20


def render(report: Report) -> str:
    """Return the SARIF log of a run."""
    return text(report.to_dict())


def text(report: Json) -> str:
    """Return the SARIF log of a report file."""
    strict = recount.is_strict(report)
    all_causes = causes(cases_of(report), inventory(), strict=strict)
    locations = _locations(report["environment"]["options"])
    rules = list(dict.fromkeys(cause.rule for cause in all_causes))
    run = {
        "tool": {
            "driver": {
                "name": "kueue-conformance",
                "semanticVersion": report["suite"]["version"],
                "rules": [_rule(name, all_causes) for name in rules],
            }
        },
        "automationDetails": {"id": f"kueue-conformance/{_profiles(report)}/"},
        "invocations": [
            {
                "executionSuccessful": report["complete"],
                "endTimeUtc": report["date"],
                **({} if report["complete"] else {"exitCodeDescription": INCOMPLETE}),
            }
        ],
        "results": [
            _result(cause, rules.index(cause.rule), locations, strict=strict) for cause in all_causes
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _profiles(report: Json) -> str:
    return ",".join(profile["name"] for profile in report["profiles"])


def _rule(name: str, all_causes: tuple[FailureCause, ...]) -> Json:
    """Return what the catalogue says of a safety rule or a requirement."""
    cause = next(cause for cause in all_causes if cause.rule == name)
    requirement = catalogue().get(name)
    details = [f"Where it stands: {requirement.document}, {requirement.place}."] if requirement else []
    details += advice_on([name]).values()
    return {
        "id": name,
        "shortDescription": {"text": cause.title},
        "fullDescription": {"text": cause.title},
        "help": {
            "text": "\n".join([cause.title, *details, f"More: kueue-conformance explain {cause.first.id}"])
        },
        "defaultConfiguration": {"level": _LEVELS[cause.level]},
        "properties": {"level": str(cause.level), "tags": ["kueue", "conformance", str(cause.level)]},
    }


def _result(cause: FailureCause, index: int, locations: list[Json], *, strict: bool) -> Json:
    message = "\n".join(
        [
            cause.title,
            f"expected: {by_role(cause.expected)}",
            f"observed: {by_role(cause.observed)}",
            f"scenarios: {', '.join(cause.scenarios[:_NAMED])}",
        ]
    )
    # Not of the text: it names objects that are called otherwise in each run.
    fingerprint = hashlib.sha256(f"{cause.rule} {cause.first.id}".encode()).hexdigest()
    return {
        "ruleId": cause.rule,
        "ruleIndex": index,
        "level": "error" if strict or cause.is_error() else _LEVELS[cause.level],
        "message": {"text": printable(message)},
        "locations": locations,
        "partialFingerprints": {"ruleAndScenario/v1": fingerprint},
        "properties": {"scenarios": list(cause.scenarios), "outcome": str(cause.first.outcome)},
    }


def _locations(options: Mapping[str, Any]) -> list[Json]:
    """Return the place of the subject file; none where there is no such file, as for a control plane."""
    if not (file := options.get("subject-file")):
        return []
    return [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": _uri(Path(str(file)))},
                "region": {"startLine": 1},
            }
        }
    ]


def _uri(file: Path) -> str:
    """Return the address of a file by its path in the repository, as code scanning knows it."""
    absolute = file.resolve()
    top = next((folder for folder in absolute.parents if (folder / ".git").exists()), None)
    if top is not None:
        return quote(absolute.relative_to(top).as_posix())
    return absolute.as_uri() if file.is_absolute() else quote(file.as_posix())
