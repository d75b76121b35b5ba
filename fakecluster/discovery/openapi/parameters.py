"""Parameters of operations as OpenAPI describes them (FK-371, FK-372).

kubectl decides by the query parameters of PATCH whether validation may be left to the server.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256

import orjson

from ...base.json_types import Json

TEXT, NUMBER, BOOLEAN = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
PARAMETER_REFERENCE = "#/parameters/"
QUERY: Mapping[str, tuple[Json, str]] = {
    "allowWatchBookmarks": (BOOLEAN, "Send BOOKMARK events too."),
    "continue": (TEXT, "Where the page before this one ended."),
    "dryRun": (TEXT, "`All`: go through everything, but write nothing."),
    "fieldManager": (TEXT, "Who the written fields belong to."),
    "patch.fieldManager": (TEXT, "Who the written fields belong to; an apply needs it."),
    "fieldSelector": (TEXT, "Only objects with these field values."),
    "fieldValidation": (TEXT, "What to do with unknown fields: Ignore, Warn or Strict."),
    "force": (BOOLEAN, "Take fields over from other managers; for apply only."),
    "gracePeriodSeconds": (NUMBER, "How long the object may take to end."),
    "ignoreStoreReadErrorWithClusterBreakingPotential": (BOOLEAN, "Delete an object that cannot be read."),
    "labelSelector": (TEXT, "Only objects with these labels."),
    "limit": (NUMBER, "The size of a page."),
    "orphanDependents": (BOOLEAN, "Keep the dependents; replaced by propagationPolicy."),
    "pretty": (TEXT, "Indent the answer."),
    "propagationPolicy": (TEXT, "What becomes of dependents: Orphan, Background or Foreground."),
    "resourceVersion": (TEXT, "Which state to show or to start from."),
    "resourceVersionMatch": (TEXT, "How resourceVersion is meant: Exact or NotOlderThan."),
    "sendInitialEvents": (BOOLEAN, "Begin a watch with the existing objects."),
    "shardSelector": (TEXT, "Only this share of the objects."),
    "timeoutSeconds": (NUMBER, "How long the call may last."),
    "watch": (BOOLEAN, "Stream changes instead of listing."),
    "log.container": (TEXT, "Whose log to show, where a pod has several containers."),
    "follow": (BOOLEAN, "Go on with what is logged later."),
    "insecureSkipTLSVerifyBackend": (BOOLEAN, "Do not verify the certificate of the kubelet."),
    "limitBytes": (NUMBER, "The size of the answer at most."),
    "previous": (BOOLEAN, "The log of the container before its restart."),
    "sinceSeconds": (NUMBER, "Only lines that are not older."),
    "stream": (TEXT, "Which output: All, Stdout or Stderr."),
    "tailLines": (NUMBER, "Only so many of the last lines."),
    "timestamps": (BOOLEAN, "Begin each line with its time."),
    "command": (TEXT, "What to execute, a word at a time."),
    "ports": (NUMBER, "The ports to forward."),
    **{f"{verb}.{stream}": (BOOLEAN, f"Connect {stream} of what {verb} reaches.")
       for verb in ("attach", "exec") for stream in ("stderr", "stdin", "stdout", "tty")},
    **{f"{verb}.container": (TEXT, f"The container that {verb} reaches.") for verb in ("attach", "exec")},
    **{f"{plural}.path": (TEXT, f"Where the proxy of {plural} sends the request.") for plural in ("nodes", "pods", "services")},
}  # fmt: skip
"""Type and description by name; before a dot stands whose parameter it is, where several have one name."""
PATH_PARAMETERS: Mapping[str, str] = {
    "name": "Name of the object.",
    "namespace": "Namespace of the object.",
    "path": "Where the proxy sends the request.",
}
UNSHARED_PARAMETERS = ("name", "dryRun", "fieldValidation")
"""Parameters that version 2 describes where they are used: older clients look for them there."""


def parameters(places: Iterable[str], query: Iterable[str]) -> list[Json]:
    """Return parameters of version 3 in the order of their names."""
    described = [
        *({**place(name), "schema": {**TEXT, "uniqueItems": True}} for name in places),
        *({**_query(name), "schema": {**QUERY[name][0], "uniqueItems": True}} for name in query),
    ]
    return sorted(described, key=lambda parameter: (parameter["name"], parameter["in"]))


def place(name: str) -> Json:
    """Return a parameter of the path without its type."""
    return {"name": name, "in": "path", "description": PATH_PARAMETERS[name], "required": True}


def _query(name: str) -> Json:
    return {"name": plain(name), "in": "query", "description": QUERY[name][1]}


def plain(name: str) -> str:
    """Return the name that clients send."""
    return name.rpartition(".")[2]


class SharedParameters:
    """Parameters of a document of version 2, which are described once and referred to by name and hash."""

    def __init__(self) -> None:
        self._parameters: dict[str, Json] = {}
        self._references: dict[tuple[str, str], Json] = {}

    def references(self, places: Iterable[str], query: Iterable[str]) -> list[Json]:
        """Return parameters in the order of their names: references, or what is not shared."""
        keys = [*((name, "path", name) for name in places), *((plain(name), "query", name) for name in query)]
        return [self._reference(location, name) for _, location, name in sorted(keys)]

    def _reference(self, location: str, name: str) -> Json:
        if (location, name) not in self._references:
            described = (
                {"uniqueItems": True, **TEXT, **place(name)}
                if location == "path"
                else {"uniqueItems": True, **QUERY[name][0], **_query(name)}
            )
            self._references[location, name] = (
                described if name in UNSHARED_PARAMETERS else self.reference(described)
            )
        return self._references[location, name]

    def reference(self, parameter: Json) -> Json:
        """Describe a parameter for all, and return a reference to it."""
        # kube-openapi names shared parameters by a hash of their content.
        digest = sha256(orjson.dumps(parameter)).digest()[:6]
        name = f"{parameter['name']}-{urlsafe_b64encode(digest).decode()}"
        self._parameters[name] = parameter
        return {"$ref": f"{PARAMETER_REFERENCE}{name}"}

    def definitions(self) -> Json:
        """Return all that were referred to by then."""
        return dict(sorted(self._parameters.items()))
