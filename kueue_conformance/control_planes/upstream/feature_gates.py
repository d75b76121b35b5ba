"""The feature gates of a real Kueue: from its log, its Configuration, or its Deployment's arguments.

Kueue takes them from the Configuration or from `--feature-gates`, and refuses to start with both. Where
nothing can be read they are the defaults of its release.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from ...base.errors import UsageError
from ...base.json_types import Json
from ...base.metrics_text import series
from ...scenarios.feature_gates import read_gates
from ...wire.client import ApiError, Client
from .configuration import configuration_in

METRIC = "kubernetes_feature_enabled"
"""The gauge of component-base: name and stage of a gate, 1 where it is on."""
_ARGUMENT = "--feature-gates"
_LOGGED = re.compile(r'"featureGates":\s*(\{[^}]*\})')
_SET_BY_HARNESS = "VisibilityOnDemand"
"""The gate that a run switches off for a manager whose visibility server it cannot reach."""


def of_metrics(exposition: str) -> Mapping[str, bool]:
    """Return the feature gates in the metrics of a program; empty where it exposes none."""
    return {
        entry.labels["name"]: entry.value == 1
        for entry in series(exposition)
        if entry.name == METRIC and "name" in entry.labels
    }


def of_log(lines: Iterable[str]) -> Mapping[str, bool]:
    """Return the feature gates that a manager has logged at its start; empty below log level 2."""
    matches = (match[1] for line in lines if (match := _LOGGED.search(line)))
    return _flags(json.loads(next(matches, "{}")))


def of_configuration(configuration: Mapping[str, Json]) -> Mapping[str, bool]:
    """Return the feature gates of a Configuration."""
    return _flags(configuration.get("featureGates"))


def of_manifests(manifests: Iterable[Json]) -> Mapping[str, bool]:
    """Return the feature gates of the Configuration and the Deployment in manifests."""
    objects = list(manifests)
    deployments = [manifest for manifest in objects if manifest["kind"] == "Deployment"]
    return {**of_configuration(configuration_in(objects)), **_of_arguments(deployments)}


def of_deployments(client: Client, deployments: Iterable[Json]) -> Mapping[str, bool]:
    """Return the feature gates of Deployments: from ConfigMaps that their pods mount, and their arguments."""
    managers = list(deployments)
    mounted = [_with_kind(config_map) for config_map in _mounted(client, managers)]
    return {**of_configuration(configuration_in(mounted)), **_of_arguments(managers)}


def _with_kind(config_map: Json) -> Json:
    return {**config_map, "kind": "ConfigMap"}


def _mounted(client: Client, deployments: Iterable[Json]) -> Iterator[Json]:
    for deployment in deployments:
        namespace = deployment["metadata"]["namespace"]
        for volume in deployment["spec"]["template"]["spec"].get("volumes") or ():
            name = (volume.get("configMap") or {}).get("name")
            if not name:
                continue
            try:
                yield client.call("GET", f"/api/v1/namespaces/{namespace}/configmaps/{name}")
            except ApiError as error:
                # A user of Kueue may have no right to read its Configuration.
                if error.code not in (403, 404):
                    raise


def _of_arguments(deployments: Iterable[Json]) -> Mapping[str, bool]:
    gates: dict[str, bool] = {}
    for deployment in deployments:
        for container in deployment["spec"]["template"]["spec"]["containers"]:
            for text in _values([*(container.get("command") or ()), *(container.get("args") or ())]):
                try:
                    gates.update(read_gates(text))
                except UsageError as problem:
                    name = deployment["metadata"]["name"]
                    raise UsageError(
                        f"Deployment {name}: {_ARGUMENT}: {problem.args[0]}", hint=problem.hint
                    ) from problem
    return gates


def _values(words: list[str]) -> Iterator[str]:
    """Yield the values of the option, written with `=` or as the next word, with one dash or two."""
    for word, following in pairwise([*words, ""]):
        name, equals, value = word.partition("=")
        if f"-{name.lstrip('-')}" == _ARGUMENT[1:] and name.startswith("-"):
            yield value if equals else following


def _flags(values: Json) -> Mapping[str, bool]:
    """Return the gates of a mapping; Kueue does not start with a value that is neither true nor false."""
    flags = values if isinstance(values, dict) else {}
    return {
        name: value for name, value in flags.items() if isinstance(value, bool) and name != _SET_BY_HARNESS
    }
