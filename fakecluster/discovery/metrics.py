"""/metrics: what can be said honestly of requests,
objects and watches, under the names that dashboards know (FK-018).

Nothing is counted before the first request for metrics:
until then the journal knows, as far back as it reaches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial

from ..api.context import Context
from ..api.outcome import Outcome, Request
from ..journal import Entry
from .health import CHECKS
from .responses import page

Labels = tuple[tuple[str, str], ...]
PATH_UNKNOWN = frozenset({401, 403, 404})
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"
VERBS: Mapping[str, str] = {
    "get": "GET",
    "list": "LIST",
    "watch": "WATCH",
    "create": "POST",
    "update": "PUT",
    "patch": "PATCH",
    "delete": "DELETE",
    "deletecollection": "DELETECOLLECTION",
}


class Metrics:
    """The numbers of one cluster."""

    def __init__(self) -> None:
        self._requests: Counter[Labels] = Counter()
        self._following = False

    def __call__(self, api: Context, request: Request) -> Outcome:
        """Answer /metrics; DELETE sets the counters back."""
        self._follow(api)
        if request.method == "DELETE":
            self._requests.clear()
            return page(b"metrics reset\n", "text/plain; charset=utf-8")
        return page("".join(self._lines(api)).encode(), PROMETHEUS)

    def _follow(self, api: Context) -> None:
        if self._following:
            return
        self._following = True
        # Counting begins with the first request for metrics; what came before is still in the journal.
        for entry in api.journal:
            self._count(api, entry)
        api.journal.subscribe(partial(self._count, api))

    def _count(self, api: Context, entry: Entry) -> None:
        # Scanners ask for paths without end; a counter for each would fill the memory.
        if entry.code not in PATH_UNKNOWN or _is_somewhere(api, entry):
            self._requests[_labels(entry)] += 1

    def _lines(self, api: Context) -> Iterable[str]:
        yield from _family("apiserver_request_total", "counter", "Requests answered.", self._requests.items())
        # Answers are computed in one step, so the only request in flight is this one.
        kinds = [("mutating", 0), ("readOnly", 1)]
        yield from _family(
            "apiserver_current_inflight_requests",
            "gauge",
            "Requests being answered, this one included.",
            (((("request_kind", kind),), count) for kind, count in kinds),
        )
        yield from _family(
            "apiserver_resource_objects",
            "gauge",
            "Objects stored.",
            (((("group", group), ("resource", plural)), count) for (group, plural), count in _objects(api)),
        )
        yield from _family(
            "apiserver_watch_events_total",
            "counter",
            "Events sent to watchers.",
            (
                ((("group", group), ("resource", plural), ("version", version)), count)
                for (group, version, plural), count in api.watched.items()
            ),
        )


def checks(request: Request) -> Outcome:
    """Answer /metrics/slis: one number for each health check."""
    del request
    samples = [
        ((("name", name), ("type", kind)), 1) for kind, names in CHECKS.items() for name in sorted(names)
    ]
    lines = _family("kubernetes_healthcheck", "gauge", "Whether a health check passes.", samples)
    return page("".join(lines).encode(), PROMETHEUS)


def _is_somewhere(api: Context, entry: Entry) -> bool:
    """Tell whether there is what was asked for:
    clients make up paths without end, and none of them is worth a number.
    """
    kind = api.registry.find(entry.group, entry.version, entry.resource) if entry.resource else None
    return kind is not None and (not entry.subresource or entry.subresource in kind.subresources)


def _labels(entry: Entry) -> Labels:
    resource = entry.resource
    scope = "resource" if entry.name else "namespace" if entry.namespace else "cluster" if resource else ""
    applied = entry.patch_type.startswith("application/apply-patch")
    return (
        ("code", str(entry.code)),
        ("component", "apiserver" if resource else ""),
        ("dry_run", "All" if entry.dry_run else ""),
        ("group", entry.group),
        ("resource", resource),
        ("scope", scope),
        ("subresource", entry.subresource if resource else entry.path),
        ("verb", "APPLY" if applied else VERBS.get(entry.verb, entry.verb.upper())),
        ("version", entry.version),
    )


def _objects(api: Context) -> Iterable[tuple[tuple[str, str], int]]:
    stored = {kind.stored_as for kind in api.registry.kinds() if "list" in kind.verbs}
    return ((resource, len(api.store.list(resource))) for resource in sorted(stored))


def _family(name: str, kind: str, help_text: str, samples: Iterable[tuple[Labels, int]]) -> Iterable[str]:
    yield f"# HELP {name} {help_text}\n# TYPE {name} {kind}\n"
    for labels, value in sorted(samples):
        label_text = ",".join(f'{key}="{_escape(text)}"' for key, text in labels)
        yield f"{name}{{{label_text}}} {value}\n"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
