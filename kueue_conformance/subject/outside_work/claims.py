"""Claims: the outside work of a subject that has no system of its own to show.

The verdict server is the license server, too. A subject claims for a Workload, and releases:

POST <claims url> {"namespace": …, "workload": …, "id": …}   201, or 200 where it holds that claim already
GET <claims url>?namespace=…&workload=…                      200 {"items": [{"id", "namespace", "workload"}]}
DELETE <claims url>/<id>                                     200, or 404 where there is no such claim

`id` may be left out: then the server makes one. A controller that chooses its ids finds its claims again.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from ...base.json_types import Json
from . import WorkItem, WorkloadIdentity, WorkSources

_NEEDED = ("namespace", "workload")
_EXAMPLE = '{"namespace": "team-a", "workload": "job-train-1f2e3", "id": "team-a.job-train-1f2e3"}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a subject holds for a Workload; one that was released and claimed again has another number."""

    id: str
    namespace: str
    workload: str
    number: int

    def to_document(self) -> Json:
        """Return what a client sees."""
        return {"id": self.id, "namespace": self.namespace, "workload": self.workload}


class Claims:
    """The claims that are held; a subject and a scenario may use them at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, Claim] = {}
        self._claimed = 0

    def claim(self, namespace: str, workload: str, claim_id: str = "") -> tuple[Claim, bool]:
        """Return the claim and whether it is new; one of that id may belong to another Workload."""
        with self._lock:
            self._claimed += 1
            claim = Claim(
                id=claim_id or f"claim-{self._claimed}",
                namespace=namespace,
                workload=workload,
                number=self._claimed,
            )
            held = self._held.setdefault(claim.id, claim)
            return held, held is claim

    def release(self, claim_id: str) -> bool:
        """Give a claim back; returns whether it was held."""
        with self._lock:
            return self._held.pop(claim_id, None) is not None

    def held(self, namespace: str = "", workload: str = "") -> Sequence[Claim]:
        """Return the claims that are held: all, those of a namespace, or those of a Workload."""
        with self._lock:
            return [
                claim
                for claim in self._held.values()
                if namespace in ("", claim.namespace) and workload in ("", claim.workload)
            ]


class ClaimWork:
    """Work that is claimed at the harness's claim service."""

    noun = "claim"
    manifest = None
    needs_garbage_collection = False

    def items(self, workload: WorkloadIdentity, sources: WorkSources) -> Sequence[WorkItem]:
        """Return the claims that are held for a Workload."""
        return [
            WorkItem(f"{claim.id}#{claim.number}", claim.id)
            for claim in sources.claims.held(workload.namespace, workload.name)
        ]


def answer_about_claims(
    claims: Claims, method: str, claim_id: str, query: dict[str, str], body: bytes
) -> tuple[int, Json]:
    """Return status code and document of the answer to a request; `claim_id` is empty for the collection."""
    match (method, bool(claim_id)):
        case ("GET", False):
            held = claims.held(query.get("namespace", ""), query.get("workload", ""))
            return 200, {"items": [claim.to_document() for claim in held]}
        case ("POST", False):
            return _answer_to_claim(claims, body)
        case ("DELETE", True):
            name = unquote(claim_id)
            if claims.release(name):
                return 200, {"released": name}
            return 404, {"error": f"no claim {name!r} is held"}
        case _:
            return 405, {"error": f"{method} is no verb of claims: GET, POST, or DELETE of one by its id"}


def _answer_to_claim(claims: Claims, body: bytes) -> tuple[int, Json]:
    try:
        document = json.loads(body)
    except ValueError as problem:
        return 400, {"error": f"the body is no JSON: {problem}; expected for example {_EXAMPLE}"}
    if not isinstance(document, dict):
        return 400, {"error": f"the body is no JSON object; expected for example {_EXAMPLE}"}
    lacking = [name for name in _NEEDED if not isinstance(document.get(name), str) or not document[name]]
    if lacking or not isinstance(document.get("id", ""), str):
        return 400, {"error": f"{', '.join(lacking) or 'id'} is no text; expected for example {_EXAMPLE}"}
    claim, is_new = claims.claim(document["namespace"], document["workload"], document.get("id", ""))
    if (claim.namespace, claim.workload) != (document["namespace"], document["workload"]):
        return 409, {"error": f"the claim {claim.id!r} is held for {claim.namespace}/{claim.workload}"}
    return 201 if is_new else 200, claim.to_document()
