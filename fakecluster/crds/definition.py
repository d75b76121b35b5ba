"""Is a definition allowed: everything but its schema (FK-251, FK-253, FK-254)."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.json_types import Json
from ..meta import names as dns
from ..schema import fields
from ..schema.fields import FieldError
from . import conversion, features
from .lifecycle import is_true
from .naming import KIND_RULE, label_problems
from .schema.dialect import children
from .schema.shared import Shared, go_versions
from .schema.validation import schema_errors
from .selectable_fields import selectable_errors, selectable_errors_of_all

APPROVAL_ANNOTATION = "api-approved.kubernetes.io"
APPROVAL_PAGE = "see https://github.com/kubernetes/enhancements/pull/1111"
PROTECTED_GROUPS = ("k8s.io", "kubernetes.io")

VERSIONS = 500
"""Versions of a definition: each has paths and schemas of its own in every document of discovery.

The real server has no limit.
"""


def validate(crd: Json) -> list[FieldError]:
    """Return the violations of a new definition."""
    return [
        # The order of the list is the order of the causes in the answer.
        *_name(crd),
        *_spec_errors(crd),
        *_status_errors(crd),
        *_approval(crd, None),
        *_preserve(crd),
    ]


def validate_update(new: Json, old: Json) -> list[FieldError]:
    """Return the violations of a changed definition."""
    return [
        # The authority is judged beside the spec, as it depends on the old definition.
        *_spec_errors(new),
        *conversion.authority_errors(new, old),
        *_immutable(new, old),
        *_status_errors(new),
        *_approval(new, old),
        *_preserve(new),
    ]


def validate_status(new: Json, _old: Json) -> list[FieldError]:
    """Return the violations of a status written through /status."""
    return list(_names((new.get("status") or {}).get("acceptedNames") or {}, "status.acceptedNames"))


def _spec_errors(crd: Json) -> Iterator[FieldError]:
    spec = crd["spec"]
    yield from _group(spec.get("group") or "")
    yield from _scope(spec.get("scope") or "")
    shared = Shared.of(spec)
    yield from _missing_schemas(spec)
    yield from _defaults_beside_unknown_fields(spec)
    yield from _versions(spec, shared)
    yield from _missing_names(spec["names"])
    yield from _names(spec["names"], "spec.names")
    yield from _top_level(spec, shared)
    yield from conversion.errors(spec)


def _status_errors(crd: Json) -> Iterator[FieldError]:
    yield from _names((crd.get("status") or {}).get("acceptedNames") or {}, "status.acceptedNames")
    yield from _versions_in_storage(crd)


def _name(crd: Json) -> Iterator[FieldError]:
    spec = crd["spec"]
    expected = f"{spec['names'].get('plural') or ''}.{spec.get('group') or ''}"
    # Both are compared, as generateName would make another name than the one that the rule demands.
    for field in ("generateName", "name"):
        if (value := crd["metadata"].get(field)) and value != expected:
            # The rule stands in the message as Go source, which is the real message.
            yield fields.invalid(f"metadata.{field}", value, 'must be spec.names.plural+"."+spec.group')


def _group(group: str) -> Iterator[FieldError]:
    if not group:
        yield fields.required("spec.group")
    elif problems := dns.subdomain_problems(group):
        yield fields.invalid("spec.group", group, ",".join(problems))
    elif "." not in group:
        yield fields.invalid("spec.group", group, "should be a domain with at least one dot")


def _scope(scope: str) -> Iterator[FieldError]:
    if not scope:
        yield fields.required("spec.scope")
    elif scope not in {"Cluster", "Namespaced"}:
        yield fields.not_supported("spec.scope", scope, ["Cluster", "Namespaced"])


def _missing_schemas(spec: Json) -> Iterator[FieldError]:
    for i, version in enumerate(spec.get("versions") or ()):
        if (version.get("schema") or {}).get("openAPIV3Schema") is None:
            yield fields.required(f"spec.versions[{i}].schema.openAPIV3Schema")


def _defaults_beside_unknown_fields(spec: Json) -> Iterator[FieldError]:
    schemas = ((version.get("schema") or {}).get("openAPIV3Schema") for version in spec.get("versions") or ())
    if spec.get("preserveUnknownFields") and any(schema and _has_default(schema) for schema in schemas):
        why = "must be false in order to use defaults in the schema"
        yield fields.invalid("spec.preserveUnknownFields", True, why)


def _has_default(node: Json) -> bool:
    return node.get("default") is not None or any(_has_default(child) for child, _ in children(node, ""))


def _versions(spec: Json, shared: Shared) -> Iterator[FieldError]:
    versions = spec.get("versions") or []
    # Before anything of a version is judged: that is what takes the time.
    if len(versions) > VERSIONS:
        yield fields.too_many("spec.versions", len(versions), VERSIONS)
        return
    for i, version in enumerate(versions):
        path = f"spec.versions[{i}]"
        # Taken from the budget before the paths are parsed.
        features.spend_paths(version)
        if problem := label_problems(version.get("name") or ""):
            yield fields.invalid(f"{path}.name", version.get("name") or "", problem)
        yield from features.deprecation_errors(version, path)
        yield from _version_parts(version, shared, path)
    names = [version.get("name") for version in versions]
    # A set of the names, because the error comes once, however many are repeated.
    if len(set(names)) < len(names):
        yield fields.invalid("spec.versions", go_versions(spec, shared), "must contain unique version names")
    if sum(bool(version.get("storage")) for version in versions) != 1:
        rule = "must have exactly one version marked as storage version"
        yield fields.invalid("spec.versions", go_versions(spec, shared), rule)
    # The deprecated `spec.version` is the first version's name in the internal type, and judged again under
    # it.
    first = versions[0].get("name") if versions else ""
    if first and (problem := label_problems(first)):
        yield fields.invalid("spec.version", first, problem)


def _version_parts(version: Json, shared: Shared, path: str) -> Iterator[FieldError]:
    """What the versions do not have in common is reported at the version."""
    # A part that all versions share was moved to the top level of the internal type and is judged there.
    if not shared.schema:
        yield from schema_errors(version, f"{path}.schema")
    if not shared.subresources:
        yield from features.subresource_errors(version.get("subresources") or {}, f"{path}.subresources")
    if not shared.columns:
        yield from features.column_errors(version.get("additionalPrinterColumns") or [], path)
    if not shared.selectable:
        yield from selectable_errors(version, path, apart=not shared.schema)


def _top_level(spec: Json, shared: Shared) -> Iterator[FieldError]:
    """What all versions have in common is reported once, at the names of the oldest API version."""
    first = next(iter(spec.get("versions") or ()), None)
    if first is None:
        return
    if shared.schema:
        yield from schema_errors(first, "spec.validation")
    if shared.subresources:
        yield from features.subresource_errors(first.get("subresources") or {}, "spec.subresources")
    if shared.columns:
        yield from features.column_errors(first.get("additionalPrinterColumns") or [], "spec")
    if shared.selectable:
        yield from selectable_errors_of_all(first, shared_schema=shared.schema)


# Missing ones are reported apart from wrong ones: the names of the status may be empty.
def _missing_names(names: Json) -> Iterator[FieldError]:
    for field in ("plural", "singular", "kind", "listKind"):
        if not names.get(field):
            yield fields.required(f"spec.names.{field}")


def _names(names: Json, path: str) -> Iterator[FieldError]:
    for field in ("plural", "singular"):
        yield from _label(names.get(field) or "", f"{path}.{field}")
    for field in ("kind", "listKind"):
        value = names.get(field) or ""
        if value and (problem := label_problems(value.lower())):
            yield fields.invalid(f"{path}.{field}", value, KIND_RULE + problem)
    yield from _labels(names, "shortNames", path)
    # Compared only when set: two empty names are missing, not the same.
    if names.get("kind") and names.get("kind") == names.get("listKind"):
        yield fields.invalid(f"{path}.listKind", names["listKind"], "kind and listKind may not be the same")
    yield from _labels(names, "categories", path)


def _labels(names: Json, field: str, path: str) -> Iterator[FieldError]:
    for i, value in enumerate(names.get(field) or ()):
        yield from _label(value, f"{path}.{field}[{i}]", always=True)


def _label(value: str, path: str, *, always: bool = False) -> Iterator[FieldError]:
    if (value or always) and (problem := label_problems(value)):
        yield fields.invalid(path, value, problem)


def _versions_in_storage(crd: Json) -> Iterator[FieldError]:
    stored = (crd.get("status") or {}).get("storedVersions")
    path = "status.storedVersions"
    if not stored:
        # Nothing else can be said of an empty list, so no other error follows.
        yield fields.invalid(path, stored, "must have at least one stored version")
        return
    versions, remembered = crd["spec"].get("versions") or (), frozenset(stored)
    for version in versions:
        if version.get("storage") and version.get("name") not in remembered:
            yield fields.invalid(path, stored, f"must have the storage version {version.get('name')}")
    names = {version.get("name") for version in versions}
    for i, name in enumerate(stored):
        if name not in names:
            yield fields.invalid(f"{path}[{i}]", name, _missing_version(name))


def _missing_version(name: str) -> str:
    return (
        f"missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions"
        f" until a storage migration ensures no data remains persisted in {name} and removes {name} from"
        " status.storedVersions"
    )


def _immutable(new: Json, old: Json) -> Iterator[FieldError]:
    """Group and plural never change; scope and kind not once the definition is established (FK-253)."""
    # Before a definition is established, no object can exist, so its scope and kind may still change.
    established = is_true(old, "Established")
    fixed = [("scope",), ("names", "kind")] if established else []
    for where in (*fixed, ("group",), ("names", "plural")):
        value, before = new["spec"], old["spec"]
        for step in where:
            value, before = value.get(step), before.get(step)
        if value != before:
            # The empty text in place of a missing value: Go shows the zero value.
            yield fields.invalid(".".join(("spec", *where)), value or "", "field is immutable")


def _approval(crd: Json, old: Json) -> Iterator[FieldError]:
    """Groups of the Kubernetes project need an approval (FK-255)."""
    group = crd["spec"].get("group") or ""
    if not any(group == suffix or group.endswith("." + suffix) for suffix in PROTECTED_GROUPS):
        return
    value = (crd["metadata"].get("annotations") or {}).get(APPROVAL_ANNOTATION, "")
    # An approval that did not change is not judged again, so definitions from before the rule can be updated.
    if old and value == (old["metadata"].get("annotations") or {}).get(APPROVAL_ANNOTATION, ""):
        return
    path, rule = (
        f"metadata.annotations[{APPROVAL_ANNOTATION}]",
        f'protected groups must have approval annotation "{APPROVAL_ANNOTATION}"',
    )
    if not value:
        yield fields.required(path, f"{rule}, {APPROVAL_PAGE}")
    elif not (value.startswith("unapproved") or conversion.is_absolute_url(value)):
        why = f'{rule} with either a URL or a reason starting with "unapproved", {APPROVAL_PAGE}'
        yield fields.invalid(path, value, why)


def _preserve(crd: Json) -> Iterator[FieldError]:
    if crd["spec"].get("preserveUnknownFields"):
        why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
        yield fields.invalid("spec.preserveUnknownFields", True, why)
