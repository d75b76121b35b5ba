"""What a server accepts with a warning: pod specs that do not do what they seem to (FK-236)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ....numbers.quantity import Quantity
from ...validation import basics

Json = Any
Warn = Callable[[Json, Json], list[str]]
BYTES = ("memory", "ephemeral-storage")
MEMBERS = ("initContainers", "containers", "ephemeralContainers")
NEGATIVE_GRACE = "must be >= 0; negative values are invalid and will be treated as 1"
NAME = "metadata.name: this is used in {}, which can result in surprising behavior; a DNS label is recommended: [{}]"


def template(noun: str = "") -> Warn:
    """Return the warnings of a kind with a pod template; `noun` says what its name is used in."""

    def warn(new: Json, old: Json) -> list[str]:
        if old is not None and new["spec"].get("template") == old["spec"].get("template"):
            return []
        return [
            *(_name(new, noun) if noun and old is None else ()),
            *_pod(new["spec"]["template"], "spec.template."),
        ]

    return warn


def pod(new: Json, old: Json) -> list[str]:
    """Return the warnings of a new Pod; updates give none."""
    return [] if old is not None else [*_name(new, "the Pod's hostname"), *_pod(new, "")]


def _name(obj: Json, noun: str) -> Iterator[str]:
    problems = basics.dns_label(obj["metadata"].get("name", ""))
    if problems:
        yield NAME.format(noun, " ".join(problems))


def _pod(value: Json, path: str) -> Iterator[str]:
    spec, here = value["spec"], f"{path}spec"
    for number, one in enumerate(spec.get("topologySpreadConstraints") or ()):
        if one.get("labelSelector") is None:
            place = f"{here}.topologySpreadConstraints[{number}].labelSelector"
            yield f"{place}: a null labelSelector results in matching no pod"
    yield from _repeated(spec, here)
    for number, one in enumerate(spec.get("imagePullSecrets") or ()):
        if not one.get("name"):
            yield f'{here}.imagePullSecrets[{number}].name: invalid empty name ""'
    for one in spec.get("volumes") or ():
        if {} in ((one.get("projected") or {}).get("sources") or ()):
            yield f'volume "{one["name"]}" (Projected) has no sources provided'
    for container, place in _containers(spec, here):
        yield from _amounts(container, place)
        yield from _variables(container, place)
    yield from _ports(spec, here)
    if (spec.get("terminationGracePeriodSeconds") or 0) < 0:
        yield f"{here}.terminationGracePeriodSeconds: {NEGATIVE_GRACE}"
    yield from _affinity(spec.get("affinity") or {}, f"{here}.affinity")


def _repeated(spec: Json, path: str) -> Iterator[str]:
    for member, key in (("hostAliases", "ip"), ("imagePullSecrets", "name")):
        seen: set[str] = set()
        for number, one in enumerate(spec.get(member) or ()):
            value = one.get(key, "")
            if value in seen:
                yield f'{path}.{member}[{number}].{key}: duplicate {key} "{value}"'
            seen.add(value)


def _containers(spec: Json, path: str) -> Iterator[tuple[Json, str]]:
    for member in MEMBERS:
        for number, one in enumerate(spec.get(member) or ()):
            yield one, f"{path}.{member}[{number}]"


def _amounts(container: Json, path: str) -> Iterator[str]:
    for name in BYTES:
        for side in ("limits", "requests"):
            amount = (container.get("resources") or {}).get(side, {}).get(name)
            if amount and not Quantity.of(amount).is_whole:
                place = f"{path}.resources.{side}[{name}]"
                yield f'{place}: fractional byte value "{amount}" is invalid, must be an integer'


def _variables(container: Json, path: str) -> Iterator[str]:
    seen: set[str] = set()
    for number, one in enumerate(container.get("env") or ()):
        reference, value = f"$({one['name']})", one.get("value", "")
        extends = reference in value and value != reference and not one.get("valueFrom")
        if one["name"] in seen and not extends:
            yield (
                f'{path}.env[{number}]: hides previous definition of "{one["name"]}",'
                " which may be dropped when using apply"
            )
        seen.add(one["name"])


def _ports(spec: Json, path: str) -> Iterator[str]:
    """Name ports that are defined twice in a pod, unless both are on the host or have names."""
    found: dict[str, str] = {}
    for container, place in _containers(spec, path):
        for number, port in enumerate(container.get("ports") or ()):
            here = f"{place}.ports[{number}]"
            key = "/".join(
                str(port.get(name, "")) for name in ("containerPort", "protocol", "hostIP", "hostPort")
            )
            if key in found:
                yield f"{here}: duplicate port definition with {found[key]}"
            found.setdefault(key, here)


def _affinity(value: Json, path: str) -> Iterator[str]:
    required, preferred = (
        f"{one}DuringSchedulingIgnoredDuringExecution" for one in ("required", "preferred")
    )
    for name in ("podAffinity", "podAntiAffinity"):
        for number, one in enumerate((value.get(name) or {}).get(required) or ()):
            yield from _term(one, f"{path}.{name}.{required}[{number}]")
        for number, one in enumerate((value.get(name) or {}).get(preferred) or ()):
            yield from _term(one["podAffinityTerm"], f"{path}.{name}.{preferred}[{number}].podAffinityTerm")


def _term(one: Json, path: str) -> Iterator[str]:
    if one.get("labelSelector") is None:
        yield f"{path}.labelSelector: a null labelSelector results in matching no pod"
