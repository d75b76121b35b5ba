"""Acts of administrators: flavors, queues, classes and the namespace."""

from __future__ import annotations

from typing import Any

from ....base.json_types import Json
from ....case.context import CaseContext
from ....stage.making import manifests as stage_manifests
from .. import manifests
from ..acts import Act, Verb
from ..object_names import KINDS, ObjectNames
from .act_outcome import CarryOut


class AdministratorActs:
    """Creates and changes what administrators are responsible for."""

    def __init__(self, context: CaseContext, namespace: str, names: ObjectNames) -> None:
        self._client = context.client
        self._namespace = namespace
        self._names = names
        self.acts: CarryOut = {
            Verb.CLASS: lambda act: self._client.create(manifests.priority_class(act, names.of)),
            Verb.RUNTIME: lambda act: self._client.create(manifests.runtime_class(act, names.of)),
            Verb.FLAVOR: lambda act: self._client.create(manifests.flavor(act, names.of)),
            Verb.COHORT: lambda act: self._client.create(manifests.cohort(act, names.of)),
            Verb.QUEUE: lambda act: self._client.create(manifests.cluster_queue(act, names.of)),
            Verb.LOCAL: self._create_local_queue,
            Verb.SET_QUOTA: lambda act: self._set(
                act, resourceGroups=manifests.resource_groups(act, names.of)
            ),
            Verb.SET_CHECKS: lambda act: self._set(
                act, **{"admissionChecksStrategy": None, **manifests.required_checks(act, names.of)}
            ),
            Verb.SET_COHORT: lambda act: self._set(act, cohortName=names.of(act.option("cohort")) or None),
            Verb.SET_PARENT: lambda act: self._set(act, parentName=names.of(act.option("parent")) or None),
            Verb.SET_STRATEGY: lambda act: self._set(act, queueingStrategy=act.option("strategy")),
            Verb.STOP: lambda act: self._set(act, stopPolicy=act.option("policy")),
            Verb.SET_CLASS: lambda act: self._client.merge(
                "WorkloadPriorityClass", names.of(act.name), {"value": int(act.option("value"))}
            ),
            Verb.SET_RUNTIME: lambda act: self._client.merge(
                "RuntimeClass", names.of(act.name), {"overhead": {"podFixed": {"cpu": act.option("cpu")}}}
            ),
            Verb.LIMIT_RANGE: self._set_limit_range,
            Verb.LABEL_NAMESPACE: lambda act: self._client.merge(
                "Namespace", namespace, {"metadata": {"labels": {manifests.TEAM: act.option("team")}}}
            ),
        }

    def _create_local_queue(self, act: Act) -> None:
        of = self._names.of(act.option("of"))
        self._client.create(stage_manifests.local_queue(self._names.of(act.name), self._namespace, of))

    def _set(self, act: Act, **spec: Any) -> None:
        """Change fields of the spec of a queue or Cohort; None removes one."""
        kind, namespace = KINDS[act.name[0]], self._namespace if act.name[0] == "l" else ""

        def with_spec(current: Json) -> Json:
            fields = {**current["spec"], **spec}
            return {**current, "spec": {key: value for key, value in fields.items() if value is not None}}

        self._client.update(kind, self._names.of(act.name), with_spec, namespace=namespace)

    def _set_limit_range(self, act: Act) -> None:
        # Containers that exist keep what a LimitRange gave them; those of Workloads are looked at anew.
        self._client.delete("LimitRange", manifests.LIMITS, self._namespace)
        if act.option("cpu"):
            self._client.create(manifests.limit_range(act, self._namespace))
