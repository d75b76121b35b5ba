"""Reads the declarations of Go packages: structs with their fields, named types, constants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from fakecluster.base.json_types import Json

GROUPS = (
    "admissionregistration/v1",
    "apps/v1",
    "authentication/v1",
    "authorization/v1",
    "autoscaling/v1",
    "autoscaling/v2",
    "batch/v1",
    "certificates/v1",
    "coordination/v1",
    "core/v1",
    "discovery/v1",
    "events/v1",
    "flowcontrol/v1",
    "networking/v1",
    "node/v1",
    "policy/v1",
    "rbac/v1",
    "resource/v1",
    "scheduling/v1",
    "storage/v1",
)
PACKAGES: Mapping[str, tuple[str, str]] = {
    **{group.replace("/", "."): ("api", group) for group in GROUPS},
    "meta.v1": ("apimachinery", "pkg/apis/meta/v1"),
    "version": ("apimachinery", "pkg/version"),
    "apiextensions.v1": ("apiextensions-apiserver", "pkg/apis/apiextensions/v1"),
    "apiregistration.v1": ("kube-aggregator", "pkg/apis/apiregistration/v1"),
}
IMPORTS = {"metav1": "meta.v1", "corev1": "core.v1", "v1core": "core.v1", "apiv1": "core.v1"}
FOREIGN = {
    "resource.Quantity": "resource.Quantity",
    "intstr.IntOrString": "intstr.IntOrString",
    "runtime.RawExtension": "runtime.RawExtension",
    "types.UID": "types.UID",
}
SCALARS: Mapping[str, Json] = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "int": {"type": "integer", "format": "int32"},
    "int32": {"type": "integer", "format": "int32"},
    "int64": {"type": "integer", "format": "int64"},
    "float64": {"type": "number", "format": "double"},
    "[]byte": {"type": "string", "format": "byte"},
}
ANY = {"x-kubernetes-preserve-unknown-fields": True}
SPECIAL: Mapping[str, Json] = {
    "meta.v1.Time": {"type": "string", "format": "date-time"},
    "meta.v1.MicroTime": {"type": "string", "format": "date-time"},
    "meta.v1.Duration": {"type": "string"},
    "meta.v1.FieldsV1": {"type": "object", **ANY},
    "resource.Quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    "intstr.IntOrString": {
        "x-kubernetes-int-or-string": True,
        "oneOf": [{"type": "integer"}, {"type": "string"}],
    },
    "runtime.RawExtension": {"type": "object", **ANY},
    "apiextensions.v1.JSON": ANY,
    "apiextensions.v1.JSONSchemaPropsOrBool": ANY,
    "apiextensions.v1.JSONSchemaPropsOrArray": ANY,
    "apiextensions.v1.JSONSchemaPropsOrStringArray": ANY,
}
STRUCT = re.compile(r"^type (\w+) struct ?\{(\})?")
ALIAS = re.compile(r"^type (\w+) (?!struct|interface|func)([\w.\[\]*]+)")
FIELD = re.compile(r"^\s+(?:(\w+)\s+)?([\w.\[\]*]+)\s+`([^`]*)`")
TAG = re.compile(r'(\w+):"([^"]*)"')
MARKER = re.compile(
    r"^\s*//\s*\+(listType|listMapKey|mapType|structType|optional|required|default|enum|union|unionDiscriminator)\b=?(.*)$"
)
CONSTANT = re.compile(r'^(?:const)?\s+(\w+)\s+(\w+)\s*=\s*"([^"]*)"')
CONVERSION = re.compile(r'^\s+(\w+)\s*=\s*(\w+)\((?:"(\w*)"|\w+\.(\w+))\)')


class Field(Struct, frozen=True):
    """One Go field: its names, type and what its tag and markers say."""

    go_name: str
    go_type: str
    tag: Mapping[str, str]
    markers: tuple[tuple[str, str], ...]

    @property
    def json_name(self) -> str:
        """The name in JSON, empty for embedded structs."""
        return self.tag.get("json", "").split(",")[0]

    @property
    def inline(self) -> bool:
        """Whether the fields of the type belong to the struct around."""
        return ",inline" in self.tag.get("json", "") or (not self.json_name and not self.go_name)

    @property
    def omits_empty(self) -> bool:
        """Whether the tag leaves out empty values."""
        return any(word in self.tag.get("json", "") for word in (",omitempty", ",omitzero"))

    @property
    def is_required(self) -> bool:
        """Whether an object must have the field."""
        return bool(self.marker_values("required")) or not (
            self.omits_empty or self.marker_values("optional")
        )

    def marker_values(self, name: str) -> list[str]:
        """Return the values of a marker."""
        return [value.strip() for key, value in self.markers if key == name]


class Declarations(Struct):
    """Everything declared in the packages: structs by qualified name, named other types, structs replaced as
    a whole, structs of which one field is meant, enumerations, constants by type and name.
    """

    structs: dict[str, list[Field]]
    named: dict[str, str]
    atomic: set[str]
    unions: set[str]
    enumerations: set[str]
    constants: dict[str, dict[str, str]]


def read(root: Path, version: str) -> Declarations:
    """Parse the type files of every package."""
    declarations = Declarations({}, dict.fromkeys(FOREIGN, "string"), set(), set(), set(), {})
    for package, (module, folder) in PACKAGES.items():
        for path in sorted((root / f"{module}@{version}" / folder).glob("*types*.go")):
            parse(package, path.read_text(encoding="utf-8").splitlines(), declarations)
    # These encode themselves: their Go fields are not what a client sees.
    for special in SPECIAL:
        declarations.structs.pop(special, None)
        declarations.named.pop(special, None)
    return declarations


def parse(package: str, lines: Iterable[str], declarations: Declarations) -> None:
    """Add the declarations of one file."""
    fields: list[Field] | None = None
    markers: list[tuple[str, str]] = []
    for line in lines:
        # Markers stand in the comment before a field, at times with other comments between them.
        if match := MARKER.match(line):
            markers.append((match[1], match[2]))
            continue
        if not line.strip() or line.lstrip().startswith("//"):
            continue
        if fields is None:
            fields = _read_declaration(line, package, markers, declarations)
        elif line.startswith("}"):
            fields = None
        elif match := FIELD.match(line):
            name, kind, tag = match[1] or "", match[2], dict(TAG.findall(match[3]))
            fields.append(Field(name, qualify(kind, package), tag, tuple(markers)))
        markers = []


def _read_declaration(
    line: str, package: str, markers: list[tuple[str, str]], declarations: Declarations
) -> list[Field] | None:
    """Add what a line declares; return the list for its fields where it begins a struct."""
    if match := STRUCT.match(line):
        name = f"{package}.{match[1]}"
        if ("structType", "atomic") in markers or ("mapType", "atomic") in markers:
            declarations.atomic.add(name)
        if ("union", "") in markers:
            declarations.unions.add(name)
        fields = declarations.structs.setdefault(name, [])
        return None if match[2] else fields
    if match := ALIAS.match(line):
        name = f"{package}.{match[1]}"
        declarations.named[name] = qualify(match[2], package)
        if ("enum", "") in markers:
            declarations.enumerations.add(name)
    elif match := CONSTANT.match(line):
        declarations.constants.setdefault(f"{package}.{match[2]}", {})[match[1]] = match[3]
    elif match := CONVERSION.match(line):
        value = constant(match[4], declarations) if match[3] is None else match[3]
        declarations.constants.setdefault(f"{package}.{match[2]}", {})[match[1]] = value
    return None


def constant(name: str, declarations: Declarations) -> str:
    """Return the value of a constant of a package that was read before."""
    return next(values[name] for values in declarations.constants.values() if name in values)


def qualify(go_type: str, package: str) -> str:
    """Rewrite a Go type so that every name in it carries its package's short name."""

    def with_package(match: re.Match[str]) -> str:
        word = match[0]
        if word in SCALARS or word in {"map", "byte"} or word in FOREIGN:
            return word
        prefix, dot, name = word.rpartition(".")
        # Go names a type of the same package without the package.
        if not dot:
            return f"{package}.{name}"
        return f"{IMPORTS.get(prefix) or ('core.v1' if prefix == 'v1' and package != 'core.v1' else prefix)}.{name}"

    return re.sub(r"[A-Za-z][\w.]*", with_package, go_type)


def resolve_imports(declarations: Declarations) -> None:
    """Resolve the import name `v1`: core in most packages, meta in core itself and some others."""
    for name, fields in declarations.structs.items():
        declarations.structs[name] = [resolve(field, declarations) for field in fields]


def resolve(field: Field, declarations: Declarations) -> Field:
    """Return the field with `core.v1.X` read as `meta.v1.X` where only meta declares X."""

    def move_to_meta(match: re.Match[str]) -> str:
        word = match[0]
        local = word in declarations.structs or word in declarations.named or word in SPECIAL
        other = f"meta.v1.{word.rpartition('.')[2]}"
        return (
            other
            if not local
            and (other in declarations.structs or other in declarations.named or other in SPECIAL)
            else word
        )

    return Field(
        field.go_name, re.sub(r"\w+\.v1\.\w+", move_to_meta, field.go_type), field.tag, field.markers
    )
