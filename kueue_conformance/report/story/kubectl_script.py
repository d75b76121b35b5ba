"""A shell script that plays a story again with kubectl: everything that was written but what Kueue and the
built-in controllers wrote, in order, with waits for what Kueue answered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from ...base.json_types import Json
from ...history.story import KUEUE, Change
from .object_roles import short_names

_CLUSTER = frozenset({KUEUE, "kube-controller-manager", "kube-scheduler", "fakecluster"})
"""Actors whose writes a cluster with Kueue makes by itself."""
_ROLES = {
    "kueue-conformance": "a user",
    "check-player": "the check controller",
    "job-stand-in": "the job integration, when the pods are gone",
    "outside-system": "the autoscaler",
}
"""What an actor of the harness stands for."""
_SERVER_FIELDS = frozenset(
    {
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "managedFields",
        "selfLink",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
    }
)
_MARKS = frozenset(
    {
        "kueue-conformance.dev/run",
        "kubernetes.io/metadata.name",
        "batch.kubernetes.io/controller-uid",
        "batch.kubernetes.io/job-name",
        "controller-uid",
        "job-name",
        "manualSelector",
    }
)
"""Labels and fields that the harness or the server adds; a Job that names them is refused."""
_PODS_OF_THE_FAKE = "fakecluster.dev/"
_SHORTEST_PAUSE_SECONDS = 2.0
_LAST_PAUSE_SECONDS = 10
_TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_HEAD = """\
#!/bin/sh
# Needs kubectl, GNU date, and a cluster with Kueue in which nothing else runs.
set -eu

now() { date --utc +%Y-%m-%dT%H:%M:%SZ; }
"""


@dataclass(slots=True)
class _Script:
    """The lines so far, and what Kueue has written since the last command."""

    lines: list[str] = field(default_factory=lambda: [_HEAD])
    variables: dict[str, str] = field(default_factory=dict)
    """Names that Kueue makes up, and the shell variable that stands for each."""
    answers: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """The status of each condition that Kueue has set since the last command, by namespace, name and type."""
    at: float | None = None
    actor: str = ""

    def add(self, change: Change) -> None:
        """Append the command that makes a change, after a wait for what Kueue answered before it."""
        self._wait()
        if self.at is not None and change.at - self.at > _SHORTEST_PAUSE_SECONDS:
            self.lines.append(f"sleep {change.at - self.at:.0f}\n")
        self.at = change.at
        if change.actor != self.actor:
            self.lines.append(f"# {_ROLES.get(change.actor, change.actor)}:\n")
        self.actor = change.actor
        self.lines.append(_command(change))

    def note(self, change: Change) -> None:
        """Remember what Kueue has written."""
        self._name(change)
        before, after = (_conditions(state) for state in (change.before, change.after))
        for type_, status in after.items():
            if before.get(type_) != status:
                self.answers[change.namespace, change.name, type_] = status

    def _name(self, change: Change) -> None:
        """Have the script look up the name of a Workload that Kueue has made for a Job."""
        owners = ((change.after or {}).get("metadata") or {}).get("ownerReferences", ())
        if change.before is not None or change.kind != "Workload" or not owners:
            return
        variable = f"WORKLOAD_{len(self.variables) + 1}"
        self.variables[change.name] = f"${variable}"
        path = f'{{.items[?(@.metadata.ownerReferences[0].name=="{owners[0]["name"]}")].metadata.name}}'
        self.lines.append(
            f"until {variable}=$(kubectl get workloads --namespace {change.namespace} --output jsonpath='{path}')"
            f' && [ -n "${variable}" ]; do sleep 1; done\n'
        )

    def _wait(self) -> None:
        for (namespace, name, type_), status in self.answers.items():
            self.lines.append(
                f"kubectl wait workload/{name} --namespace {namespace} --for=condition={type_}={status}\n"
            )
        self.answers.clear()

    def text(self) -> str:
        """Return the script, with short names."""
        end = f"# what there is to see:\nsleep {_LAST_PAUSE_SECONDS}\nkubectl get workloads --all-namespaces --output yaml\n"
        text = "\n".join([*self.lines, end])
        for name, variable in self.variables.items():
            text = text.replace(name, variable)
        return short_names(text)


def kubectl_script(changes: Sequence[Change]) -> str:
    """Return the script of a story."""
    script = _Script()
    for change in changes:
        if is_by_the_cluster(change):
            if change.kind == "Workload":
                script.note(change)
        elif _has_effect(change):
            script.add(change)
    return script.text()


def is_by_the_cluster(change: Change) -> bool:
    """Tell whether Kueue or a controller of the cluster wrote it, and no user or check controller."""
    return change.actor in _CLUSTER or change.kind == "Event"


def _has_effect(change: Change) -> bool:
    return change.before is None or change.after is None or _is_deletion(change) or bool(_difference(change))


def _command(change: Change) -> str:
    where = f" --namespace {change.namespace}" if change.namespace else ""
    if change.before is None:
        return f"kubectl create --filename - <<END\n{_manifest(change.after or {})}END\n"
    if change.after is None or _is_deletion(change):
        return f"kubectl delete {change.kind} {change.name}{where} --wait=false\n"
    status = f" --subresource={change.subresource}" if change.subresource else ""
    patch = _shell_text(json.dumps(_difference(change), ensure_ascii=False, separators=(", ", ": ")))
    return (
        f"kubectl patch {change.kind} {change.name}{where}{status} --type=merge --patch-file /dev/stdin <<END\n"
        f"{patch}\nEND\n"
    )


def _is_deletion(change: Change) -> bool:
    key = "deletionTimestamp"
    before, after = ((state or {}).get("metadata", {}) for state in (change.before, change.after))
    return key in after and key not in before


def _difference(change: Change) -> Json:
    difference: Json = _merge_patch(_bare(change.before or {}), _bare(change.after or {}))
    return difference


def _merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON merge patch (RFC 7396) that makes `after` of `before`."""
    patch: dict[str, Any] = {key: None for key in before if key not in after}
    for key, value in after.items():
        former = before.get(key)
        if isinstance(value, Mapping) and isinstance(former, Mapping):
            if nested := _merge_patch(former, value):
                patch[key] = nested
        elif value != former:
            patch[key] = value
    return patch


def _manifest(document: Json) -> str:
    text = yaml.safe_dump(
        {key: value for key, value in _bare(document).items() if key != "status"},
        sort_keys=False,
        allow_unicode=True,
        width=110,
    )
    return _shell_text(text)


def _bare(document: Json) -> dict[str, Any]:
    """Return an object without what only the server or the harness writes."""
    is_namespace = document.get("kind") == "Namespace"
    content = {key: value for key, value in document.items() if key != "spec" or not is_namespace}
    return {
        **_without_marks(content),
        "metadata": _without_marks(document.get("metadata", {}), _SERVER_FIELDS),
    }


def _without_marks(value: Any, names: frozenset[str] = frozenset()) -> Any:
    """Return a value without these keys, and without what the server or the harness adds at any depth."""
    if isinstance(value, list):
        return [_without_marks(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    content = {key: _without_marks(item) for key, item in value.items() if not _is_mark(key, names)}
    return {key: item for key, item in content.items() if item != {} or value[key] == {}}


def _is_mark(key: str, names: frozenset[str]) -> bool:
    return key in names or key in _MARKS or key.startswith(_PODS_OF_THE_FAKE)


def _shell_text(text: str) -> str:
    """Return the text of a here-document: what the shell would expand is escaped, times become now."""
    escaped = re.sub(r"([\\$`])", r"\\\1", text)
    return _TIME.sub("$(now)", escaped)


def _conditions(document: Json | None) -> dict[str, str]:
    status = (document or {}).get("status") or {}
    return {condition["type"]: condition["status"] for condition in status.get("conditions", ())}


def last_states(changes: Sequence[Change]) -> Iterator[Json]:
    """Yield the Workloads as they were at the end of a story, without what the server writes."""
    states = {
        (change.namespace, change.name): change.after for change in changes if change.kind == "Workload"
    }
    for state in states.values():
        if state is not None:
            yield json.loads(short_names(json.dumps(_bare(state), ensure_ascii=False)))
