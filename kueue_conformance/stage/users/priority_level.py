"""A FlowSchema and its PriorityLevelConfiguration: how many requests of some users are answered at a time,
and how many wait (VIS-602…605).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from ...base.json_types import Json
from ...base.metrics_text import series
from ...case.context import CaseContext
from ...history.fact import Fact
from ...wire.raw_client import RawAnswer
from ...wire.resource import Resource
from .request_sender import Endpoint, RequestSender
from .user import Subject, User

_GROUP = "flowcontrol.apiserver.k8s.io"
LEVELS = Resource(_GROUP, "v1", "PriorityLevelConfiguration", "prioritylevelconfigurations", namespaced=False)
SCHEMAS = Resource(_GROUP, "v1", "FlowSchema", "flowschemas", namespaced=False)
HEADERS = ("X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid")
SEATS_OF_A_SERVER = 600
"""The seats of an extension server, 400 for reading and 200 for other requests (VIS-604)."""
_USUAL_SHARES = 30
_PRECEDENCE = 2
"""Before every schema of a cluster but that of the exempt."""
_QUEUES = 64
_EVERYTHING = {
    "verbs": ["*"],
    "apiGroups": ["*"],
    "resources": ["*"],
    "namespaces": ["*"],
    "clusterScope": True,
}


class PriorityLevel:
    """A priority level for some users that neither lends nor borrows seats;
    each flow has queues of its hand.
    """

    def __init__(self, context: CaseContext, name: str, *, hand: int, length: int) -> None:
        """Without a `length` of queues, requests without a seat are refused at once."""
        self._context = context
        self._hand, self._length = hand, length
        self._uids: dict[Resource, str] = {}
        self.name = name

    @property
    def queue_length(self) -> int:
        """The most waiting requests of one flow."""
        return self._hand * self._length

    @property
    def seats(self) -> int:
        """The number of concurrent requests, by its share of the server's seats (VIS-605)."""
        shares_by_level = {level["metadata"]["name"]: _shares(level["spec"]) for level in self._all_levels()}
        return ceil(SEATS_OF_A_SERVER * shares_by_level[self.name] / sum(shares_by_level.values()))

    def create(self, *, shares: int = 1) -> PriorityLevel:
        """Make the PriorityLevelConfiguration."""
        response: Json = {"type": "Reject"}
        if self._length:
            queuing = {"queues": _QUEUES, "handSize": self._hand, "queueLengthLimit": self._length}
            response = {"type": "Queue", "queuing": queuing}
        limited = {
            "nominalConcurrencyShares": shares,
            "limitResponse": response,
            "lendablePercent": 0,
            "borrowingLimitPercent": 0,
        }
        self._create(LEVELS, {"type": "Limited", "limited": limited})
        return self

    def add_flow_schema(
        self, *users: User, groups: Sequence[str] = (), by_user: bool = True
    ) -> PriorityLevel:
        """Make the FlowSchema that leads requests of users and groups here, as a flow for each user, or as
        one flow without `by_user`.
        """
        subjects = [
            *(_subject(user.subject) for user in users),
            *({"kind": "Group", "group": {"name": group}} for group in groups),
        ]
        by = {"distinguisherMethod": {"type": "ByUser"}} if by_user else {}
        rule = {"subjects": subjects, "resourceRules": [_EVERYTHING]}
        level = {"name": self.name}
        spec = {"matchingPrecedence": _PRECEDENCE, "priorityLevelConfiguration": level, "rules": [rule], **by}
        self._create(SCHEMAS, spec)
        return self

    def set_shares(self, shares: int) -> None:
        """Change its shares."""
        patch = {"spec": {"limited": {"nominalConcurrencyShares": shares}}}
        self._context.client.call(
            "PATCH", LEVELS.path(name=self.name), patch, media="application/merge-patch+json"
        )

    def is_used_for(self, asker: RequestSender | User, where: Endpoint | str) -> Fact:
        """A request is classified by the FlowSchema, as one of this level."""
        observed, expected = _flow(asker.send(where)), (self._uids.get(SCHEMAS), self._uids.get(LEVELS))
        return Fact(observed == expected, f"{where} has the flow {expected}", f"{observed}")

    def is_named_by(self, answer: RawAnswer) -> Fact:
        """An answer names the FlowSchema, whatever its level."""
        uid, expected = answer.header(HEADERS[0]), self._uids[SCHEMAS]
        return Fact(uid == expected, f"the answer names the FlowSchema {expected}", uid)

    def shows_metric(self, asker: RequestSender, name: str, value: float, **labels: str) -> Fact:
        """The series of the level have this value together in
        what the server tells of its flow control (VIS-610).
        """
        text = asker.send("/metrics", accept="").body.decode("utf-8", "replace")
        expected_labels = {"priority_level": self.name, **labels}.items()
        samples = [
            sample
            for sample in series(text)
            if sample.name == f"apiserver_flowcontrol_{name}" and expected_labels <= sample.labels.items()
        ]
        total = sum(sample.value for sample in samples)
        return Fact(
            bool(samples) and total == value,
            f"{name} of {self.name} is {value:g}",
            f"{total:g} in {len(samples)} series",
        )

    def _all_levels(self) -> Sequence[Json]:
        levels: Sequence[Json] = self._context.client.call("GET", LEVELS.path())["items"]
        return levels

    def _create(self, resource: Resource, spec: Json) -> None:
        created = self._context.client.create(
            {"kind": resource.kind, "metadata": {"name": self.name}, "spec": spec}, resource
        )
        self._uids[resource] = created["metadata"]["uid"]


def _flow(answer: RawAnswer) -> tuple[str, ...]:
    return tuple(map(answer.header, HEADERS))


def _shares(spec: Json) -> int:
    """Return the shares of a level; those of an exempt one are none unless it says so."""
    exempt = spec["type"] == "Exempt"
    shares = (spec.get("exempt" if exempt else "limited") or {}).get("nominalConcurrencyShares")
    return (0 if exempt else _USUAL_SHARES) if shares is None else int(shares)


def _subject(subject: Subject) -> Json:
    """Return the subject of a binding as one of a FlowSchema."""
    kind = subject["kind"]
    name = {key: value for key, value in subject.items() if key in {"name", "namespace"}}
    return {"kind": kind, kind[0].lower() + kind[1:]: name}
