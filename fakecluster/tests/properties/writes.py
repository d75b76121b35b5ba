"""Random histories: a few names of ConfigMaps in two namespaces,
created, changed, labelled and deleted in any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from urllib.parse import parse_qsl, urlsplit

import orjson
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from fakecluster.api.outcome import Outcome, Request, User
from fakecluster.auth.security import Settings
from fakecluster.base.clock import VirtualClock
from fakecluster.base.json_types import Json
from fakecluster.cluster.core import Core

LAWS = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
NAMES = st.sampled_from("abcd")
NAMESPACES = st.sampled_from(["default", "kube-public"])
VALUES = st.dictionaries(NAMES, NAMES, max_size=2)
PATCHES = st.fixed_dictionaries(
    {},
    optional={"data": VALUES | st.none(), "metadata": st.fixed_dictionaries({"labels": VALUES | st.none()})},
)
MERGE = "application/merge-patch+json"


@dataclass(frozen=True)
class Write:
    """One request of a history."""

    verb: str
    namespace: str
    name: str
    content: Mapping[str, Json]


WRITES = st.lists(
    st.builds(Write, st.sampled_from(["POST", "PUT", "PATCH", "DELETE"]), NAMESPACES, NAMES, PATCHES),
    max_size=12,
)


@dataclass(frozen=True)
class World:
    """A cluster without a network."""

    core: Core

    @classmethod
    def fresh(cls) -> World:
        """Return a cluster of its own; the common objects are made once."""
        return cls(_base().fork())

    def ask(
        self, method: str, url: str, body: Json = None, content_type: str = "application/json"
    ) -> Outcome:
        """Send a request."""
        return self.send(method, url, b"" if body is None else orjson.dumps(body), content_type)

    def send(
        self, method: str, url: str, body: bytes, content_type: str = "application/json", encoding: str = ""
    ) -> Outcome:
        """Send bytes."""
        fields = urlsplit(url)
        headers = {
            "user-agent": "law/1.0",
            **({"content-type": content_type, "content-encoding": encoding} if body else {}),
        }
        return self.core.api.handle(
            Request(
                method=method,
                path=fields.path,
                query=tuple(parse_qsl(fields.query)),
                headers=headers,
                body=body,
                user=User(name="admin", groups=("system:masters",)),
                audit_id="law",
            )
        )

    def read(self, url: str) -> Json:
        """Return what a GET answers."""
        return orjson.loads(self.ask("GET", url).body)

    def play(self, writes: Sequence[Write]) -> World:
        """Send the writes; some of them are refused, as in life."""
        for obj in writes:
            collection = f"/api/v1/namespaces/{obj.namespace}/configmaps"
            content = {**obj.content, "metadata": {**(obj.content.get("metadata") or {}), "name": obj.name}}
            url = collection if obj.verb == "POST" else f"{collection}/{obj.name}"
            self.ask(
                obj.verb,
                url,
                None if obj.verb == "DELETE" else content,
                MERGE if obj.verb == "PATCH" else "application/json",
            )
        return self

    def state(self) -> Json:
        """Return the current ConfigMaps by namespace and name."""
        return by_key(self.read("/api/v1/configmaps")["items"])

    @property
    def revision(self) -> int:
        """The newest revision."""
        return self.core.store.revision


@cache
def _base() -> Core:
    return Core.fresh(VirtualClock(1_800_000_000.0), 7, Settings())


def by_key(items: Sequence[Json]) -> dict[tuple[str, str], Json]:
    """Return objects by namespace and name, without the kind, which items of a list do not carry."""
    plain = ({key: value for key, value in obj.items() if key not in {"apiVersion", "kind"}} for obj in items)
    return {(obj["metadata"]["namespace"], obj["metadata"]["name"]): obj for obj in plain}


def seeded(seed: int) -> World:
    """Return a whole new cluster with this seed."""
    return World(Core.fresh(VirtualClock(1_800_000_000.0), Random(seed).randrange(10**6), Settings()))
