"""The cluster's faults over HTTP (F-03, F-14)."""

from __future__ import annotations

from msgspec.structs import asdict

from ..base.json_types import Json
from ..faults import RuleError
from ..journal.exports.times import timestamp
from .cluster import Cluster
from .routing import ANY_FIELDS, LabError, LabRequest, Route


def rules(cluster: Cluster, request: LabRequest) -> Json:
    """List the rules in force, with the seed that decides."""
    del request
    return {"seed": cluster.faults.seed, "rules": [rule.to_json() for rule in cluster.faults.rules]}


def add(cluster: Cluster, request: LabRequest) -> Json:
    """Add a rule: {"match": {"verb": "update", "nth": [1]}, "effect": {"kind": "answer", "code": 409}}."""
    try:
        return cluster.faults.add_json(request.body).to_json()
    except RuleError as error:
        raise LabError(400, str(error)) from error


def remove(cluster: Cluster, request: LabRequest) -> Json:
    """Take a rule back."""
    try:
        cluster.faults.remove(request.parameters["id"])
    except RuleError as error:
        raise LabError(404, str(error)) from error
    return rules(cluster, request)


def clear(cluster: Cluster, request: LabRequest) -> Json:
    """Take all rules back."""
    cluster.faults.clear()
    return rules(cluster, request)


def hits(cluster: Cluster, request: LabRequest) -> Json:
    """Tell what was disturbed so far."""
    del request
    return [
        {"rule": hit.rule, "number": hit.number, "time": timestamp(hit.time), "subject": asdict(hit.subject)}
        for hit in tuple(cluster.faults.hits)
    ]


def rules_without_hits(cluster: Cluster, request: LabRequest) -> Json:
    """Tell which rules have hit nothing so far."""
    del request
    return [rule.to_json() for rule in cluster.faults.rules_without_hits()]


TABLE = {
    ("GET", "faults"): Route(rules),
    ("POST", "faults"): Route(add, ANY_FIELDS),
    ("DELETE", "faults"): Route(clear),
    ("GET", "faults/hits"): Route(hits),
    ("GET", "faults/unused"): Route(rules_without_hits),
    ("DELETE", "faults/{id}"): Route(remove),
}
