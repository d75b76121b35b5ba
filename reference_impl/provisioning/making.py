"""New requests with their PodTemplates (PA-055…068)."""

from __future__ import annotations

from reference_impl.api.resource import Json

from . import merging, templates
from .need import Wanted
from .rules import ProvisioningRules
from .snapshot import Check, WorkloadSnapshot
from .steps import CreateRequest, Template
from .templates import TemplateError


def request(
    snapshot: WorkloadSnapshot,
    check: Check,
    wanted: tuple[Wanted, ...],
    attempt: int,
    rules: ProvisioningRules,
) -> CreateRequest:
    """Return the request of an attempt, with the templates that are not there yet and those that are."""
    assert check.config is not None
    name = rules.naming.request(snapshot.workload.name, check.name, attempt)
    groups = merging.merged(wanted, check.config.merge_policy, rules.essences)
    asked = tuple((first, rules.naming.template(name, first.name)) for first, _ in groups)
    present = {template: snapshot.template(template) for _, template in asked}
    used = {
        name: found
        for name, found in present.items()
        if found is not None and rules.usable(found, snapshot.workload)
    }
    return CreateRequest(
        check=check.name,
        object=_object(snapshot, check, name, asked, rules),
        templates=tuple(
            _template(snapshot, each, template, name, rules)
            for each, template in asked
            if template not in used
        ),
        present=tuple(used.values()),
        templates_last=rules.templates_last,
    )


def _object(
    snapshot: WorkloadSnapshot,
    check: Check,
    name: str,
    asked: tuple[tuple[Wanted, str], ...],
    rules: ProvisioningRules,
) -> Json:
    assert check.config is not None
    workload = snapshot.workload
    return {
        "apiVersion": rules.requests.api_version,
        "kind": rules.requests.kind,
        "metadata": {
            "name": name,
            "namespace": workload.namespace,
            **({"labels": dict(rules.labels)} if rules.labels else {}),
            "ownerReferences": [templates.workload_owner(workload)],
        },
        "spec": {
            "provisioningClassName": check.config.class_name,
            "parameters": dict(rules.parameters(check.config, workload)),
            "podSets": [
                {"podTemplateRef": {"name": template}, "count": each.count} for each, template in asked
            ],
        },
    }


def _template(
    snapshot: WorkloadSnapshot, wanted: Wanted, name: str, request_name: str, rules: ProvisioningRules
) -> Template:
    try:
        made = templates.pod_template(name, snapshot.workload, wanted, snapshot.flavors, rules)
    except TemplateError as error:
        return Template(name, problem=str(error))
    found = snapshot.template(name)
    if found is None or not templates.is_left_over(found, snapshot.workload, request_name, snapshot.living):
        return Template(name, made)
    return Template(name, made, replaces=found)
