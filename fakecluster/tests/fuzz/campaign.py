"""A campaign: many random requests against one cluster, and what must not come of them (apiserver.md §4.5).

No 5xx but those that the real server gives as well, no hang, no connection or stream left behind, and a store
that is consistent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fakecluster.api.outcome import User
from fakecluster.cluster.fake_cluster import FakeCluster

from .client import Client, Hang, Reply
from .kinds import DEFINITION, TARGETS
from .requests import Wanted, request

ALLOWED = (
    (504, r"request did not complete within requested timeout", "FK-014"),
    (504, r"Timeout: Too large resource version", "FK-136"),
    (500, r"failed to create typed (patch|live) object|: unable to convert unstructured object to", "FK-206"),
    (500, r"[^ ]+: Required value", "FK-083"),
    (500, r"content is not a list", "FK-021"),
    (500, r"strconv.ParseUint: parsing", "FK-136"),
    (
        500,
        r"expected a \[\]interface \{\}, but received a|unknown patch type: |cannot restore struct from|unable to find api field",
        "FK-166",
    ),
    (500, r"does not contain declared merge key: |list element types are not identical: ", "FK-166"),
    (500, r"resourceVersion should not be set on objects to be created", "FK-055"),
    (
        500,
        r"etcdserver: request is too large|rpc error: code = ResourceExhausted desc = trying to send",
        "FK-057",
    ),
    (500, r"no preferred addresses found; known addresses: |error dialing backend: ", "FK-485"),
    (503, r"error trying to reach service|service unavailable|the server is currently unable", "FK-438"),
)
"""Answers of 5xx that the real server gives as well: code, what the body says, and the row."""
ADMIN = {"fuzz": User(name="fuzz", groups=("system:masters",))}


@dataclass
class Campaign:
    """What was asked so far, and what went wrong."""

    seed: int
    tell: Callable[[str], None] = lambda _: None
    codes: Counter[int] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def run(
        self,
        amount: int,
        progress: Callable[[Campaign], None] = lambda _: None,
        *,
        every: int = 10_000,
        first: int = 0,
    ) -> None:
        """Ask so many requests of a fresh cluster, from the one of this number on."""
        with FakeCluster(
            clock="virtual", authorization="rbac", controllers="none", tls=False, tokens=ADMIN, patience=0
        ) as cluster:
            cluster.apply(
                [
                    {
                        **TARGETS_BY_KIND["CustomResourceDefinition"].good("widgets.fuzz.example.com"),
                        "spec": DEFINITION,
                    }
                ]
            )
            client = Client(int(cluster.url.rpartition(":")[2]))
            for number in range(first, first + amount):
                self._ask(client, request(self.seed, number))
                if number % every == every - 1:
                    progress(self)
            client.close()
            cluster.settle()
            for obj in inconsistencies(cluster):
                self._found(obj)

    def _found(self, finding: str) -> None:
        self.findings.append(finding)
        self.tell(finding)

    def _ask(self, client: Client, target: Wanted) -> None:
        try:
            reply = client.send(target.sent, keep=target.well_formed)
        except Hang as hang:
            client.close()
            self._found(f"{hang}: {target.told()}")
            return
        self.codes[reply.code] += 1
        if reply.code >= 500 and not is_allowed(reply, target):
            self._found(f"{reply.code} {reply.body[:400]!r}\n    {target.told()}")
        if reply.code == 0 and target.well_formed:
            self._found(f"closed without an answer: {target.told()}")


TARGETS_BY_KIND = {obj.kind: obj for obj in TARGETS}


def is_allowed(reply: Reply, target: Wanted) -> bool:
    """Tell whether the real server gives this 5xx as well; the answer to a HEAD does not say why."""
    text, silent = reply.body.decode("utf-8", "replace"), target.sent.startswith(b"HEAD ")
    return any(reply.code == code and (silent or re.search(pattern, text)) for code, pattern, _ in ALLOWED)


def inconsistencies(cluster: FakeCluster) -> Iterator[str]:
    """Yield connections and state that remain or disagree after the last request."""
    open_connections = len(cluster.listener.connections)
    if open_connections:
        yield f"{open_connections} connections are left"
    store = cluster._core.store
    uids = Counter(obj.uid for bucket in store._state.values() for obj in bucket.values())
    yield from (
        f"{amount} objects have the uid {uid!r}" for uid, amount in uids.items() if amount > 1 or not uid
    )
    for bucket in store._state.values():
        for name, stored in bucket.items():
            metadata = stored.object["metadata"]
            if name != (metadata.get("namespace", ""), metadata["name"]):
                yield f"stored as {name}, but is {metadata.get('namespace', '')}/{metadata['name']}"
            if not 0 < int(metadata["resourceVersion"]) <= store.revision:
                yield f"{name} has revision {metadata['resourceVersion']} of {store.revision}"
