"""Namespaces, Nodes, RuntimeClasses, PodTemplates (FK-340, FK-484, FK-504)."""

from __future__ import annotations

from collections.abc import Sequence

from ...gotypes.golang import shown
from ...meta import labels
from ...meta.addresses import is_network
from ...schema import fields
from ...schema.fields import FieldError, quoted
from . import basics, placement, podspec, resources
from .basics import Errors, Json

FINALIZER = "name is neither a standard finalizer name nor is it fully qualified"
NETWORK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
ONE_NETWORK = "may specify no more than one CIDR for each IP family"


def namespace(obj: Json) -> list[FieldError]:
    """Judge a Namespace."""
    found = obj.get("spec", {}).get("finalizers") or ()
    return [fields.invalid("spec.finalizers", one, why) for one in found for why in _finalizer_problems(one)]


def left_finalizers(obj: Json) -> list[FieldError]:
    """Judge the finalizers that /finalize leaves in a Namespace."""
    found = enumerate(obj.get("spec", {}).get("finalizers") or ())
    return [
        fields.invalid(f"spec.finalizers[{number}]", one, why)
        for number, one in found
        for why in _finalizer_problems(one)
    ]


def _finalizer_problems(name: str) -> Sequence[str]:
    problems = labels.key_problems(name)
    return problems if "/" in name or name == "kubernetes" else [*problems, FINALIZER]


def phase(new: Json, old: Json) -> list[FieldError]:
    """Judge a Namespace's status: it is active unless it is being deleted."""
    del old
    going, found = "deletionTimestamp" in new["metadata"], new.get("status", {}).get("phase", "")
    if found == ("Terminating" if going else "Active"):
        return []
    why = (
        "may only be 'Terminating' if `deletionTimestamp` is not empty"
        if going
        else "may only be 'Active' if `deletionTimestamp` is empty"
    )
    return [fields.invalid("status.Phase", found, why)]


def node(obj: Json) -> list[FieldError]:
    """Judge a Node; its taints are blamed as if they were metadata."""
    spec, status = obj.get("spec", {}), obj.get("status", {})
    return [
        *_taints(spec.get("taints") or [], "metadata.taints"),
        *(error for name in ("capacity", "allocatable") for error in _amounts(status.get(name) or {}, f"status.{name}")),
        *_pod_networks(_networks(spec)),
    ]  # fmt: skip


def same_node(new: Json, old: Json) -> list[FieldError]:
    """Judge that a Node keeps its provider's id and its networks once it has them; its taints are judged once more."""
    spec, before = new.get("spec", {}), old.get("spec", {})
    kept = (("podCIDRs", "podCIDR", _networks(before), _networks(spec)),
            ("providerID", "providerID", before.get("providerID"), spec.get("providerID")))  # fmt: skip
    return [
        *_taints(spec.get("taints") or [], "metadata.taints"),
        *(fields.forbidden(f"spec.{name}", f'node updates may not change {noun} except from "" to valid')
          for name, noun, one, other in kept if one and one != other),
    ]  # fmt: skip


def without_config_source(obj: Json) -> Json:
    """Return a Node without the dropped field that told a kubelet where its configuration is."""
    spec = obj.get("spec") or {}
    return (
        {**obj, "spec": {name: value for name, value in spec.items() if name != "configSource"}}
        if "configSource" in spec
        else obj
    )


def _amounts(value: Json, path: str) -> Errors:
    for name, amount in value.items():
        yield from resources.quantity(name, amount, f"{path}.{name}")


def _pod_networks(found: list[str]) -> Errors:
    bad = [
        fields.invalid(f"spec.podCIDRs[{n}]", one, NETWORK)
        for n, one in enumerate(found)
        if not is_network(one)
    ]
    yield from bad
    families = {":" in one for one in found}
    if not bad and len(found) > len(families):
        yield fields.invalid("spec.podCIDRs", found, ONE_NETWORK)


def _networks(spec: Json) -> list[str]:
    return spec.get("podCIDRs") or ([spec["podCIDR"]] if spec.get("podCIDR") else [])


def _taints(found: list[Json], path: str) -> Errors:
    seen: set[tuple[str, str]] = set()
    for number, one in enumerate(found):
        here = f"{path}[{number}]"
        yield from basics.label_key(one.get("key", ""), f"{here}.key")
        problems = labels.value_problems(one.get("value", ""))
        if problems:
            yield fields.invalid(f"{here}.value", one["value"], ";".join(problems))
        yield from basics.choice(one.get("effect"), f"{here}.effect", placement.EFFECTS)
        pair = (one.get("key", ""), one.get("effect", ""))
        if pair in seen:
            value = quoted(shown("core.v1.Taint", one))
            why = "taints must be unique by key and effect pair"
            yield FieldError("FieldValueDuplicate", here, f"Duplicate value: {value}: {why}")
        seen.add(pair)


def runtime_class(obj: Json) -> list[FieldError]:
    """Judge a RuntimeClass."""
    scheduling = obj.get("scheduling") or {}
    overhead = (obj.get("overhead") or {}).get("podFixed")
    return [
        *basics.named(obj.get("handler", ""), "handler", basics.dns_label),
        *resources.overhead(overhead, "overhead"),
        *basics.label_map(scheduling.get("nodeSelector"), "scheduling.nodeSelector"),
        *placement.tolerations(scheduling.get("tolerations") or [], "scheduling.tolerations"),
        *_repeated(scheduling.get("tolerations") or [], "scheduling.tolerations"),
    ]


def _repeated(tolerations: list[Json], path: str) -> Errors:
    for number, one in enumerate(tolerations):
        if one in tolerations[:number]:
            yield fields.duplicate(f"{path}[{number}]", shown("core.v1.Toleration", one))


def same_handler(new: Json, old: Json) -> list[FieldError]:
    """Judge that a RuntimeClass keeps its handler."""
    return list(basics.immutable(new.get("handler"), old.get("handler"), "handler"))


def pod_template(obj: Json) -> list[FieldError]:
    """Judge a PodTemplate."""
    return list(podspec.template(obj["template"], "template"))
