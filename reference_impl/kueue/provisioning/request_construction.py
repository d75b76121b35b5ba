"""New requests with their PodTemplates (PA-055…068)."""

from __future__ import annotations

from reference_impl.api.resource import Json

from . import merging, templates
from .managed_pod_sets import ManagedPodSet
from .rules import ProvisioningRules
from .snapshot import ProvisioningCheck, WorkloadSnapshot
from .steps import CreateRequest, Template
from .templates import TemplateError


def request(
    snapshot: WorkloadSnapshot,
    check: ProvisioningCheck,
    pod_sets: tuple[ManagedPodSet, ...],
    attempt: int,
    rules: ProvisioningRules,
) -> CreateRequest:
    """Return the request of an attempt, with the templates that are not there yet and those that are."""
    assert check.config is not None
    name = rules.request_naming.request(snapshot.workload.name, check.name, attempt)
    groups = merging.merge(pod_sets, check.config.merge_policy, rules.merge_keys)
    named_pod_sets = tuple((first, rules.request_naming.template(name, first.name)) for first, _ in groups)
    templates_by_name = {
        template: _template(snapshot, pod_set, template, name, rules) for pod_set, template in named_pod_sets
    }
    present = {template: snapshot.template(template) for template in templates_by_name}
    used = {
        template: value
        for template, value in present.items()
        if value is not None
        and rules.is_usable_template(value, templates_by_name[template].object or {}, snapshot.workload)
    }
    return CreateRequest(
        check=check.name,
        object=_object(snapshot, check, name, named_pod_sets, rules),
        templates=tuple(value for template, value in templates_by_name.items() if template not in used),
        present=tuple(used.values()),
        is_request_first=rules.creates_request_first,
    )


def _object(
    snapshot: WorkloadSnapshot,
    check: ProvisioningCheck,
    name: str,
    named_pod_sets: tuple[tuple[ManagedPodSet, str], ...],
    rules: ProvisioningRules,
) -> Json:
    assert check.config is not None
    workload = snapshot.workload
    return {
        "apiVersion": rules.request_resource.api_version,
        "kind": rules.request_resource.kind,
        "metadata": {
            "name": name,
            "namespace": workload.namespace,
            **({"labels": dict(rules.labels)} if rules.labels else {}),
            "ownerReferences": [templates.workload_owner(workload)],
        },
        "spec": {
            "provisioningClassName": check.config.class_name,
            "parameters": dict(rules.request_parameters(check.config, workload)),
            "podSets": [
                {"podTemplateRef": {"name": template}, "count": pod_set.count}
                for pod_set, template in named_pod_sets
            ],
        },
    }


def _template(
    snapshot: WorkloadSnapshot, pod_set: ManagedPodSet, name: str, request_name: str, rules: ProvisioningRules
) -> Template:
    try:
        pod_template = templates.pod_template(name, snapshot.workload, pod_set, snapshot.flavors, rules)
    except TemplateError as error:
        return Template(name, problem=str(error))
    template = snapshot.template(name)
    if template is None or not rules.replaces_template(
        template, snapshot.workload, request_name, snapshot.request_uid
    ):
        return Template(name, pod_template)
    return Template(name, pod_template, replaces=template)
