"""The cluster's faults over HTTP (F-03, F-14)."""

from __future__ import annotations

from msgspec.structs import asdict

from ..base.json_types import Json
from ..faults import RuleError
from ..journal.exports.times import timestamp
from .asking import ANY, Asked, Refusal, Route
from .cluster import Cluster


def rules(cluster: Cluster, asked: Asked) -> Json:
    """List the rules in force, with the seed that decides."""
    del asked
    return {"seed": cluster.faults.seed, "rules": [one.to_json() for one in cluster.faults.rules]}


def add(cluster: Cluster, asked: Asked) -> Json:
    """Add a rule: {"match": {"verb": "update", "nth": [1]}, "effect": {"kind": "answer", "code": 409}}."""
    try:
        return cluster.faults.add_json(asked.body).to_json()
    except RuleError as error:
        raise Refusal(400, str(error)) from error


def remove(cluster: Cluster, asked: Asked) -> Json:
    """Take a rule back."""
    try:
        cluster.faults.remove(asked.parts["id"])
    except RuleError as error:
        raise Refusal(404, str(error)) from error
    return rules(cluster, asked)


def clear(cluster: Cluster, asked: Asked) -> Json:
    """Take all rules back."""
    cluster.faults.clear()
    return rules(cluster, asked)


def hits(cluster: Cluster, asked: Asked) -> Json:
    """Tell what was disturbed so far."""
    del asked
    return [
        {"rule": one.rule, "number": one.number, "time": timestamp(one.time), "subject": asdict(one.subject)}
        for one in tuple(cluster.faults.hits)
    ]


def unused(cluster: Cluster, asked: Asked) -> Json:
    """Tell which rules have hit nothing so far."""
    del asked
    return [one.to_json() for one in cluster.faults.unused()]


TABLE = {
    ("GET", "faults"): Route(rules),
    ("POST", "faults"): Route(add, ANY),
    ("DELETE", "faults"): Route(clear),
    ("GET", "faults/hits"): Route(hits),
    ("GET", "faults/unused"): Route(unused),
    ("DELETE", "faults/{id}"): Route(remove),
}
