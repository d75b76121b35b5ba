"""A cluster's core without a server: an Api over two small kinds, and a way to ask it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import orjson
import pytest

from fakecluster.api.kind import Kind, ObjectSchema, Strategy
from fakecluster.api.outcome import Outcome, Request, Response, User
from fakecluster.api.registry import Registry
from fakecluster.base.clock import VirtualClock
from fakecluster.registry.machinery import Api
from fakecluster.schema.structural import Structural
from fakecluster.store import Store

ANYTHING = Structural({"type": "object", "x-kubernetes-preserve-unknown-fields": True})
SCHEMA = ObjectSchema(structural=ANYTHING)
BASE_VERBS = ("create", "delete", "get", "list", "patch", "update", "watch")
KINDS = (
    Kind(
        group="", version="v1", kind="Namespace", plural="namespaces", namespaced=False, schema=SCHEMA,
        verbs=BASE_VERBS, subresources=frozenset({"status", "finalize"}), strategy=Strategy(
            name_rule="label",
            prepare=lambda obj: {**obj, "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}},
        ),
    ),
    Kind(group="", version="v1", kind="ConfigMap", plural="configmaps", schema=SCHEMA),
    Kind(
        group="demo.example.com", version="v1", kind="Widget", plural="widgets", schema=SCHEMA, custom=True,
        subresources=frozenset({"status"}), strategy=Strategy(generation="all", unconditional_update=False),
    ),
    Kind(group="demo.example.com", version="v1", kind="Part", plural="parts", schema=SCHEMA, custom=True, namespaced=False),
)  # fmt: skip


@dataclass(frozen=True)
class Asker:
    """Sends requests to an Api and reads the answers."""

    api: Api

    def send(
        self,
        method: str,
        url: str,
        body: Any = None,
        *,
        content_type: str = "application/json",
        **headers: str,
    ) -> Outcome:
        url_parts = urlsplit(url)
        data = body if isinstance(body, bytes) else b"" if body is None else orjson.dumps(body)
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return self.api.handle(
            Request(
                method=method,
                path=url_parts.path,
                query=tuple(parse_qsl(url_parts.query, keep_blank_values=True)),
                body=data,
                headers={"content-type": content_type, "user-agent": "test/1.0", **named}
                if data
                else {"user-agent": "test/1.0", **named},
                user=User(name="admin", groups=("system:masters",)),
                audit_id="a",
            )
        )

    def __call__(self, method: str, url: str, body: Any = None, **headers: Any) -> tuple[int, Any]:
        outcome = self.send(method, url, body, **headers)
        assert isinstance(outcome, Response)
        try:
            return outcome.code, orjson.loads(outcome.body)
        except orjson.JSONDecodeError:
            return outcome.code, outcome.body.decode()


@pytest.fixture
def ask() -> Asker:
    """An empty cluster with the namespace `ns`."""
    api = Api(Store(), Registry(KINDS), VirtualClock(1_800_000_000.0))
    asker = Asker(api)
    asker("POST", "/api/v1/namespaces", {"metadata": {"name": "ns"}})
    return asker
