"""Pod specs that do not do what they seem to, in the order in which a server says so (FK-236)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .....base.json_types import Json
from .....schema.fields import go_quote
from ....validation import address_warnings, deprecated_labels
from ....validation.fractional_bytes import of_amounts
from ...volume_warnings import of_claim_spec
from .containers import of_containers
from .ports import of_ports
from .volume_paths import of_paths

NO_SELECTOR = "a null labelSelector results in matching no pod"
NEGATIVE_GRACE = "must be >= 0; negative values are invalid and will be treated as 1"
SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod"
USE_FIELD = 'non-functional in v1.27+; use the "seccompProfile" field instead'
SYSCTLS = 'non-functional in v1.11+; use the "sysctls" field instead'
ANNOTATIONS = {
    "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
    "security.alpha.kubernetes.io/sysctls": SYSCTLS,
    "security.alpha.kubernetes.io/unsafe-sysctls": SYSCTLS,
}
DURING_SCHEDULING = "DuringSchedulingIgnoredDuringExecution"
REMOVED_SOURCES = {
    "photonPersistentDisk": "deprecated in v1.11, non-functional in v1.16+",
    "gitRepo": "deprecated in v1.11, and disabled by default in v1.33+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "storageos": "deprecated in v1.22, non-functional in v1.25+",
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
}
SOURCE_NAMES = {"storageos": "storageOS"}


def of_pod(metadata: Json, spec: Json, path: str) -> Iterator[str]:
    """Yield the warnings of a pod, or of a template at a path that ends with a dot."""
    annotations = metadata.get("annotations") or {}
    spec_path = f"{path}spec"
    yield from _labels(spec, spec_path)
    yield from _spreading(spec, spec_path)
    for name, text in ANNOTATIONS.items():
        if name in annotations:
            yield f"{path}metadata.annotations[{name}]: {text}"
    yield from of_volumes(spec.get("volumes") or (), f"{spec_path}.volumes")
    yield from _repetitions(spec, spec_path, "hostAliases", "ip")
    yield from _repetitions(spec, spec_path, "imagePullSecrets", "name")
    for number, secret in enumerate(spec.get("imagePullSecrets") or ()):
        if not secret.get("name"):
            yield f'{spec_path}.imagePullSecrets[{number}].name: invalid empty name ""'
    yield from of_amounts(spec.get("overhead"), f"{spec_path}.overhead")
    if SECCOMP_POD in annotations and not (spec.get("securityContext") or {}).get("seccompProfile"):
        yield f"{path}metadata.annotations[{SECCOMP_POD}]: {USE_FIELD}"
    yield from of_containers(annotations, spec, path)
    yield from of_ports(spec, spec_path)
    if (spec.get("terminationGracePeriodSeconds") or 0) < 0:
        yield f"{spec_path}.terminationGracePeriodSeconds: {NEGATIVE_GRACE}"
    yield from _pod_affinity(spec.get("affinity") or {}, f"{spec_path}.affinity")
    yield from address_warnings.of_addresses(_addresses(spec, spec_path))


def _labels(spec: Json, path: str) -> Iterator[str]:
    for label in spec.get("nodeSelector") or ():
        if why := deprecated_labels.MESSAGES.get(label):
            yield f"{path}.nodeSelector[{label}]: {why}"
    affinity, affinity_path = (
        (spec.get("affinity") or {}).get("nodeAffinity") or {},
        f"{path}.affinity.nodeAffinity",
    )
    required = (affinity.get(f"required{DURING_SCHEDULING}") or {}).get("nodeSelectorTerms") or ()
    for number, term in enumerate(required):
        term_path = f"{affinity_path}.required{DURING_SCHEDULING}.nodeSelectorTerms[{number}]"
        yield from deprecated_labels.of_term(term, term_path)
    for number, term in enumerate(affinity.get(f"preferred{DURING_SCHEDULING}") or ()):
        term_path = f"{affinity_path}.preferred{DURING_SCHEDULING}[{number}].preference"
        yield from deprecated_labels.of_term(term["preference"], term_path, values=True)


def _spreading(spec: Json, path: str) -> Iterator[str]:
    for number, constraint in enumerate(spec.get("topologySpreadConstraints") or ()):
        constraint_path, key = (
            f"{path}.topologySpreadConstraints[{number}]",
            constraint.get("topologyKey", ""),
        )
        if why := deprecated_labels.MESSAGES.get(key):
            yield f"{constraint_path}.topologyKey: {key} is {why}"
        if constraint.get("labelSelector") is None:
            yield f"{constraint_path}.labelSelector: {NO_SELECTOR}"


def _repetitions(spec: Json, path: str, member: str, key: str) -> Iterator[str]:
    before: set[str] = set()
    for number, item in enumerate(spec.get(member) or ()):
        value = item.get(key, "")
        if value in before:
            yield f"{path}.{member}[{number}].{key}: duplicate {key} {go_quote(value)}"
        before.add(value)


def _pod_affinity(affinity: Json, path: str) -> Iterator[str]:
    for name in ("podAffinity", "podAntiAffinity"):
        terms: Mapping[str, Json] = affinity.get(name) or {}
        for number, term in enumerate(terms.get(f"required{DURING_SCHEDULING}") or ()):
            yield from _affinity_term(term, f"{path}.{name}.required{DURING_SCHEDULING}[{number}]")
        for number, term in enumerate(terms.get(f"preferred{DURING_SCHEDULING}") or ()):
            term_path = f"{path}.{name}.preferred{DURING_SCHEDULING}[{number}].podAffinityTerm"
            yield from _affinity_term(term["podAffinityTerm"], term_path)


def _affinity_term(term: Json, path: str) -> Iterator[str]:
    if term.get("labelSelector") is None:
        yield f"{path}.labelSelector: {NO_SELECTOR}"


def _addresses(spec: Json, path: str) -> Iterator[tuple[str, str]]:
    for number, server in enumerate((spec.get("dnsConfig") or {}).get("nameservers") or ()):
        yield f"{path}.dnsConfig.nameservers[{number}]", server
    for number, alias in enumerate(spec.get("hostAliases") or ()):
        yield f"{path}.hostAliases[{number}].ip", alias.get("ip", "")


def of_volumes(volumes: Iterable[Json], path: str) -> Iterator[str]:
    """Yield the warnings of the volumes of a pod."""
    volumes = list(volumes)
    for number, volume in enumerate(volumes):
        for source in volume.keys() & REMOVED_SOURCES.keys():
            yield f"{path}[{number}].{SOURCE_NAMES.get(source, source)}: {REMOVED_SOURCES[source]}"
        if template := (volume.get("ephemeral") or {}).get("volumeClaimTemplate"):
            yield from of_claim_spec(template["spec"], f"{path}[{number}].ephemeral.volumeClaimTemplate.spec")
    yield from of_paths(volumes)
