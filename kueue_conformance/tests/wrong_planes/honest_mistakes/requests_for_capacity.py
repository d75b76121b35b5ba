"""Wrong about the requests of a provisioning check: when they are made, and for what (PA-030…099)."""

from reference_impl.kueue.provisioning import (
    config,
    decide,
    fitting,
    managed_pod_sets,
    templates,
    triggers,
    updates,
)

from ...killing.planes import wrong


@wrong((managed_pod_sets, "_has_managed_resource"))
def looks_for_managed_resources_in_containers(has_managed_resource, pod_set, managed, places):
    """Breaks PA-040: asks for no capacity where an init container alone needs it; PRC-030 must catch it."""
    template = pod_set["template"]
    spec = {name: value for name, value in (template.get("spec") or {}).items() if name != "initContainers"}
    return has_managed_resource({**pod_set, "template": {**template, "spec": spec}}, managed, places)


@wrong((templates, "pod_template"))
def asks_without_the_tolerations_of_the_flavor(pod_template, name, workload, pod_set, flavors, how):
    """Breaks PA-065: asks for nodes that do not have the taints of the flavor; PRC-061[flavor] must catch
    it.
    """
    bare = {
        flavor: {**obj, "spec": {**(obj.get("spec") or {}), "tolerations": []}}
        for flavor, obj in flavors.items()
    }
    return pod_template(name, workload, pod_set, bare, how)


@wrong((decide, "count_retries"))
def begins_with_the_first_attempt_after_an_eviction(_, workload, entry):
    """Breaks PA-099: counts attempts anew once the Workload was sent back; PRC-052 must catch it."""
    return 0


@wrong((config, "affects_workloads"))
def overlooks_other_managed_resources(affects_workloads, old, new):
    """Breaks PA-030: does not look at Workloads when other resources are managed; PRC-134 must catch it."""
    if old is None or new is None:
        return True
    before, after = config.ProvisioningConfig.of(old), config.ProvisioningConfig.of(new)
    return (before.class_name, before.parameters) != (after.class_name, after.parameters)


@wrong((fitting, "parameters"))
def prefers_the_parameters_of_the_config(parameters, settings, workload):
    """Breaks PA-059: prefers the parameters of the configuration to those of the Workload; PRC-255 must
    catch it.
    """
    return {**parameters(settings, workload), **settings.parameters}


@wrong((updates, "pod_set_updates"))
def updates_the_first_pod_set(pod_set_updates, names, notes, selector):
    """Breaks PA-085: sends the pods of the first pod set to the provided nodes; PRC-090 must catch it."""
    return pod_set_updates([*names][:1], notes, selector)


@wrong((updates, "node_labels"))
def selects_by_a_detail_that_is_missing(_, request, settings):
    """Breaks PA-087: selects nodes by an empty label where a detail is missing; PRC-092 must catch it."""
    return {key: request.details.get(detail, "") for key, detail in settings.labels or ()}


@wrong((triggers.Triggers, "on_request"))
def overlooks_a_deleted_request(on_request, self, old, new):
    """Breaks PA-030: does not make a request anew that was deleted; PRC-139 must catch it."""
    if new is not None:
        on_request(self, old, new)


@wrong((fitting, "has_configured_parameters"))
def keeps_a_request_with_other_parameters(_, request, snapshot, settings, pod_sets):
    """Breaks PA-037: keeps a request whose parameters are no longer configured; PRC-130 must catch it."""
    return request.class_name == settings.class_name
