"""The RBAC rules of a subject on clusters that the harness makes: the fields `rbac` and `rules` of a subject
file (CC-078, harness/N-09).

rbac: deploy/role.yaml  # a manifest of Roles and ClusterRoles, in place of what every check controller needs
rules:                  # further rights
- {apiGroups: [""], resources: [configmaps], verbs: [get, list, watch]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import yaml

from ..base.errors import UsageError
from ..base.files import input_limits
from ..base.files.yaml_files import yaml_fault
from ..base.json_types import Json
from .drivers import ENDPOINT, TROUBLE, Drivers
from .fields import Problems, strangers, wrong
from .job_kind import JobKind
from .manifests import LOADER
from .outside_work import OutsideWork
from .parameters import Parameters

_KINDS = ("Role", "ClusterRole")
DEFINITION = "CustomResourceDefinition"
_NO_PLURALS: Mapping[str, str] = MappingProxyType({})
_KUEUE = "kueue.x-k8s.io"
_READ = ("get", "list", "watch")
_QUEUES = ("clusterqueues", "cohorts", "localqueues", "resourceflavors", "workloadpriorityclasses")
_WORDS = ("apiGroups", "resources", "resourceNames", "nonResourceURLs", "verbs")
_EXAMPLE = 'for example `rules: [{apiGroups: [""], resources: [configmaps], verbs: [get, list, watch]}]`'


def _rule(group: str, resources: Sequence[str], verbs: Sequence[str]) -> Json:
    return {"apiGroups": [group], "resources": [*resources], "verbs": [*verbs]}


USUAL: Sequence[Json] = (
    _rule(_KUEUE, ("admissionchecks", "workloads"), _READ),
    # status alone: the spec of both is others' to write (CC-013, CC-032).
    _rule(_KUEUE, ("admissionchecks/status", "workloads/status"), ("get", "patch", "update")),
    _rule(_KUEUE, _QUEUES, _READ),
    _rule("", ("events",), ("create", "patch", "update")),
    # client-go has two recorders of Events, one for each group.
    _rule("events.k8s.io", ("events",), ("create", "patch", "update")),
    _rule("coordination.k8s.io", ("leases",), ("create", "delete", "patch", "update", *_READ)),
)
"""What a check controller needs: to follow checks, Workloads and queues, to write status alone, to tell
Events, to elect a leader.
"""


def usual(
    parameters: Parameters | None = None,
    work: OutsideWork | None = None,
    drivers: Drivers = ENDPOINT,
    setup: Sequence[Json] = (),
) -> Sequence[Json]:
    """Return the rules of a subject without a role: those of every check controller, and those for the other
    fields of its file.
    """
    rules = list(USUAL)
    if parameters is not None:
        # The definition says the plural for certain; the guess by English rules is for kinds that
        # come without one.
        plural = _plurals(parameters.crds).get(parameters.kind) or _plural(parameters.kind)
        rules.append(_rule(parameters.group, (plural,), _READ))
    if work is not None and work.manifest is not None:
        rules.append(_of_kind(work.manifest, ("create", "delete", "patch", "update", *_READ)))
    read = [*setup, *(manifest for _, manifest in manifests_of_drivers(drivers))]
    plurals = _plurals([manifest for manifest in setup if manifest["kind"] == DEFINITION])
    return [*rules, *(_of_kind(manifest, _READ, plurals) for manifest in read)]


def usual_of_integration(job: JobKind, setup: Sequence[Json] = ()) -> Sequence[Json]:
    """Return the rules of a job integration without a role: Workloads whole, its own kind but for creations
    and deletions, what queues and priorities say (JI-062).
    """
    plurals = _plurals([*job.crds, *(manifest for manifest in setup if manifest["kind"] == DEFINITION)])
    own = plurals.get(job.kind) or _plural(job.kind)
    changes = ("get", "patch", "update")
    return [
        *(rule for rule in USUAL if rule["apiGroups"] != [_KUEUE]),
        _rule(_KUEUE, ("workloads",), ("create", "delete", "patch", "update", *_READ)),
        _rule(_KUEUE, ("workloads/status", "workloads/finalizers"), changes),
        _rule(_KUEUE, _QUEUES, _READ),
        _rule(_KUEUE, ("admissionchecks",), _READ),
        _rule("scheduling.k8s.io", ("priorityclasses",), _READ),
        _rule("", ("namespaces", "pods"), _READ),
        _rule(job.group, (own,), ("patch", "update", *_READ)),
        _rule(job.group, (f"{own}/status", f"{own}/finalizers"), changes),
    ]


def _plurals(definitions: Sequence[Json]) -> Mapping[str, str]:
    return {crd["spec"]["names"]["kind"]: crd["spec"]["names"]["plural"] for crd in definitions}


def manifests_of_drivers(drivers: Drivers) -> Iterator[tuple[str, Json]]:
    """Yield the objects by which a subject is told its verdicts, with the field that names them."""
    from .drivers.manifest import ManifestDriver  # it knows the wire, which not every command needs

    outage = {TROUBLE: drivers.trouble} if drivers.trouble else {}
    for state, state_driver in {**drivers.by_state, **outage}.items():
        if isinstance(state_driver.driver, ManifestDriver):
            yield from ((f"drivers.{state}.apply", manifest) for manifest in state_driver.driver.manifests)


def _of_kind(manifest: Json, verbs: Sequence[str], plurals: Mapping[str, str] = _NO_PLURALS) -> Json:
    plural = plurals.get(manifest["kind"]) or _plural(manifest["kind"])
    return _rule(manifest["apiVersion"].rpartition("/")[0], (plural,), verbs)


def _plural(kind: str) -> str:
    """Return what the resource of a kind is called as a rule."""
    word = kind.lower()
    if word.endswith("s"):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def problems(value: Json, folder: Path) -> Problems:
    """Return the problems of the field `rbac`."""
    try:
        granted_rules = rules(value, folder)
    except OSError as problem:
        yield UsageError(
            f"rbac names {value!r}, which cannot be read: {problem.strerror}",
            hint="paths begin at the subject file",
        )
    except (yaml.YAMLError, ValueError) as problem:
        yield UsageError(
            f"rbac names {value!r}, which is not YAML: {yaml_fault(problem)}",
            hint="name a manifest with a ClusterRole",
        )
    except LookupError:
        yield UsageError(
            f"rbac names {value!r}, which has neither a Role nor a ClusterRole",
            hint="name a manifest with a ClusterRole",
        )
    else:
        yield from _of_rules(f"rules of {value}", granted_rules)


def rules(path: str, folder: Path) -> Sequence[Json]:
    """Return the rules of every role in a manifest.

    Raises OSError, YAMLError, ValueError, LookupError when there is none.
    """
    text = input_limits.content(folder / path, input_limits.LONGEST_YAML).decode()
    input_limits.check_yaml(text)
    documents = yaml.load_all(text, Loader=LOADER)
    roles = [
        document for document in documents if isinstance(document, dict) and document.get("kind") in _KINDS
    ]
    if not roles:
        raise LookupError(path)
    # A Role counts as a ClusterRole: on a cluster of the harness the namespaces are those of the
    # cases.
    return tuple(rule for role in roles for rule in role.get("rules") or ())


def problems_of_rules(value: Json, folder: Path) -> Problems:
    """Return the problems of the field `rules`."""
    del folder
    return _of_rules("rules", value)


def _of_rules(where: str, value: Sequence[Json]) -> Problems:
    for number, rule in enumerate(value):
        if not isinstance(rule, dict):
            yield wrong(f"{where}[{number}]", rule, "a rule", _EXAMPLE)
            continue
        yield from strangers(f"{where}[{number}]", rule, _WORDS)
        for word in ("verbs", *(word for word in _WORDS[:-1] if word in rule)):
            if not _are_words(rule.get(word)):
                yield wrong(f"{where}[{number}].{word}", rule.get(word), "a list of words", _EXAMPLE)
        # In RBAC a rule is about resources or about paths.
        if "nonResourceURLs" not in rule and not {"apiGroups", "resources"} <= rule.keys():
            yield UsageError(
                f"{where}[{number}] lacks apiGroups or resources", hint=_EXAMPLE, path=f"{where}[{number}]"
            )


def _are_words(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(word, str) for word in value)
