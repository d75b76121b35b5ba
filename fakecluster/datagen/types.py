"""Development-time script: reads facts of Go types, writes `types.json.gz` (FK-495, FK-502, FK-530).

Run it with the folder that holds the modules api, apimachinery, apiextensions-apiserver and kube-aggregator
of k8s.io, as `go mod download` leaves it::

    python -m fakecluster.datagen.types "$(go env GOMODCACHE)/k8s.io" --version v0.36.3

Only facts are taken: names, types, tags and list markers. Descriptions are not. `--pod-template FILE` writes
the types below core.v1.PodTemplateSpec once more, for those who embed it in a schema of their own.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct

Json = Any

DATA = Path(__file__).parent.parent / "gotypes"
GROUPS = (
    "admissionregistration/v1", "apps/v1", "authentication/v1", "authorization/v1", "autoscaling/v1", "autoscaling/v2", "batch/v1", "certificates/v1",
    "coordination/v1", "core/v1", "discovery/v1", "events/v1", "flowcontrol/v1", "networking/v1", "node/v1", "policy/v1",
    "rbac/v1", "resource/v1", "scheduling/v1", "storage/v1",
)  # fmt: skip
PACKAGES: Mapping[str, tuple[str, str]] = {
    **{group.replace("/", "."): ("api", group) for group in GROUPS},
    "meta.v1": ("apimachinery", "pkg/apis/meta/v1"),
    "apiextensions.v1": ("apiextensions-apiserver", "pkg/apis/apiextensions/v1"),
    "apiregistration.v1": ("kube-aggregator", "pkg/apis/apiregistration/v1"),
}
IMPORTS = {"metav1": "meta.v1", "corev1": "core.v1", "v1core": "core.v1", "apiv1": "core.v1"}
FOREIGN = {
    "resource.Quantity": "resource.Quantity", "intstr.IntOrString": "intstr.IntOrString",
    "runtime.RawExtension": "runtime.RawExtension", "types.UID": "types.UID",
}  # fmt: skip
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
EXTRA = (
    "meta.v1.DeleteOptions",
    "meta.v1.CreateOptions",
    "meta.v1.UpdateOptions",
    "meta.v1.PatchOptions",
    "meta.v1.ListOptions",
)

STRUCT = re.compile(r"^type (\w+) struct ?\{(\})?")
ALIAS = re.compile(r"^type (\w+) (?!struct|interface|func)([\w.\[\]*]+)")
FIELD = re.compile(r"^\s+(?:(\w+)\s+)?([\w.\[\]*]+)\s+`([^`]*)`")
TAG = re.compile(r'(\w+):"([^"]*)"')
ZEROS = {"string": "", "integer": 0, "number": 0, "boolean": False}
MARKER = re.compile(r"^\s*//\s*\+(listType|listMapKey|mapType|structType|optional|required|default)\b=?(.*)$")


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
    def required(self) -> bool:
        """Whether an object must have the field."""
        return bool(self.marked("required")) or not (self.omits_empty or self.marked("optional"))

    def marked(self, name: str) -> list[str]:
        """Return the values of a marker."""
        return [value.strip() for key, value in self.markers if key == name]


class Declarations(Struct):
    """Everything declared in the packages: structs by qualified name, named other types, structs replaced as
    a whole.
    """

    structs: dict[str, list[Field]]
    named: dict[str, str]
    atomic: set[str]


def read(root: Path, version: str) -> Declarations:
    """Parse the type files of every package."""
    found = Declarations({}, dict.fromkeys(FOREIGN, "string"), set())
    for package, (module, folder) in PACKAGES.items():
        for path in sorted((root / f"{module}@{version}" / folder).glob("*types*.go")):
            parse(package, path.read_text(encoding="utf-8").splitlines(), found)
    for special in SPECIAL:
        found.structs.pop(special, None)
        found.named.pop(special, None)
    return found


def parse(package: str, lines: Iterable[str], found: Declarations) -> None:
    """Add the declarations of one file."""
    fields: list[Field] | None = None
    markers: list[tuple[str, str]] = []
    for line in lines:
        if fields is None:
            if match := STRUCT.match(line):
                declared = found.structs.setdefault(f"{package}.{match[1]}", [])
                if ("structType", "atomic") in markers or ("mapType", "atomic") in markers:
                    found.atomic.add(f"{package}.{match[1]}")
                fields, markers = None if match[2] else declared, []
            elif match := ALIAS.match(line):
                found.named[f"{package}.{match[1]}"] = qualify(match[2], package)
            elif match := MARKER.match(line):
                markers.append((match[1], match[2]))
            elif line.strip() and not line.startswith("//"):
                markers = []
        elif line.startswith("}"):
            fields, markers = None, []
        elif match := MARKER.match(line):
            markers.append((match[1], match[2]))
        elif match := FIELD.match(line):
            name, kind, tag = match[1] or "", match[2], dict(TAG.findall(match[3]))
            fields.append(Field(name, qualify(kind, package), tag, tuple(markers)))
            markers = []
        elif line.strip() and not line.lstrip().startswith("//"):
            markers = []


def qualify(go_type: str, package: str) -> str:
    """Rewrite a Go type so that every name in it carries its package's short name."""

    def named(match: re.Match[str]) -> str:
        word = match[0]
        if word in SCALARS or word in {"map", "byte"} or word in FOREIGN:
            return word
        prefix, dot, name = word.rpartition(".")
        if not dot:
            return f"{package}.{name}"
        return f"{IMPORTS.get(prefix) or ('core.v1' if prefix == 'v1' and package != 'core.v1' else prefix)}.{name}"

    return re.sub(r"[A-Za-z][\w.]*", named, go_type)


def imported(found: Declarations) -> None:
    """Resolve the import name `v1`, which is core in most packages and meta in core itself and some others."""
    for name, fields in found.structs.items():
        found.structs[name] = [resolve(one, found) for one in fields]


def resolve(field: Field, found: Declarations) -> Field:
    """Return the field with `core.v1.X` read as `meta.v1.X` where only meta declares X."""

    def known(match: re.Match[str]) -> str:
        word = match[0]
        local = word in found.structs or word in found.named or word in SPECIAL
        other = f"meta.v1.{word.rpartition('.')[2]}"
        return (
            other
            if not local and (other in found.structs or other in found.named or other in SPECIAL)
            else word
        )

    return Field(field.go_name, re.sub(r"\w+\.v1\.\w+", known, field.go_type), field.tag, field.markers)


def flatten(name: str, found: Declarations) -> Iterator[Field]:
    """Yield a struct's fields with inlined structs taken in."""
    for field in found.structs[name]:
        if field.inline:
            yield from flatten(field.go_type.lstrip("*"), found)
        elif field.json_name != "-":
            yield field


def schema_of(go_type: str, found: Declarations) -> Json:
    """Return the OpenAPI form of a Go type."""
    plain = go_type.lstrip("*")
    if plain in SCALARS:
        return SCALARS[plain]
    if plain.startswith("[]"):
        return {"type": "array", "items": schema_of(plain[2:], found)}
    if plain.startswith("map["):
        return {"type": "object", "additionalProperties": schema_of(plain[plain.index("]") + 1 :], found)}
    if plain in SPECIAL or plain in found.structs:
        return {"$ref": plain}
    if plain not in found.named:
        raise SystemExit(
            f"{plain} is declared in no package that is read: add its package to GROUPS and its import name to IMPORTS"
        )
    return schema_of(found.named[plain], found)


def property_of(field: Field, found: Declarations) -> Json:
    """Return the OpenAPI form of a field, with the keys that patches and apply read."""
    said = {
        "x-kubernetes-list-type": next(iter(field.marked("listType")), None),
        "x-kubernetes-list-map-keys": field.marked("listMapKey") or None,
        "x-kubernetes-map-type": next(iter(field.marked("mapType") + field.marked("structType")), None),
        "x-kubernetes-patch-merge-key": field.tag.get("patchMergeKey"),
        "x-kubernetes-patch-strategy": field.tag.get("patchStrategy"),
    }
    stated = [value for value in field.marked("default") if not value.startswith("ref(")]
    schema = schema_of(field.go_type, found)
    default = {"default": orjson.loads(stated[0])} if stated else zero_of(field, schema)
    return {**schema, **{key: value for key, value in said.items() if value}, **default}


def zero_of(field: Field, schema: Json) -> Json:
    """Return the default of a scalar that is always encoded: an apply that leaves out such a key means its
    zero (FK-224).
    """
    if field.omits_empty or field.go_type.startswith("*") or schema.get("type") not in ZEROS:
        return {}
    return {"default": ZEROS[schema["type"]]}


def message(name: str, found: Declarations) -> Json:
    """Return the OpenAPI form of a struct."""
    fields = list(flatten(name, found))
    needed = [one.json_name for one in fields if one.required]
    whole = {"type": "object", "properties": {one.json_name: property_of(one, found) for one in fields}}
    atomic = {"x-kubernetes-map-type": "atomic"} if name in found.atomic else {}
    return {**whole, **({"required": needed} if needed else {}), **atomic}


def go_fields(name: str, found: Declarations) -> Json:
    """Return `{json name: [Go name, Go type, flag]}`; flag `!` always present, `0` omitzero, empty omitempty."""
    return {
        one.json_name: [one.go_name, one.go_type, presence(one)]
        for one in flatten(name, found)
        if one.json_name
    }


def presence(field: Field) -> str:
    """Return the flag that says when an encoder leaves the field out."""
    if not field.omits_empty:
        return "!"
    return "0" if ",omitzero" in field.tag.get("json", "") else ""


def reachable(roots: Iterable[str], found: Declarations) -> list[str]:
    """Return the structs that the roots need, sorted."""
    todo, seen = list(roots), set()
    while todo:
        name = todo.pop()
        if name in seen or name not in found.structs:
            continue
        seen.add(name)
        for field in flatten(name, found):
            todo += [word for word in names_in(field.go_type, found) if word not in seen]
    return sorted(seen)


def names_in(go_type: str, found: Declarations) -> list[str]:
    """Return the qualified names in a Go type, aliases followed."""
    words = re.findall(r"[\w]+\.[\w.]+", go_type)
    return [
        inner
        for word in words
        for inner in ([word] if word in found.structs else names_in(found.named.get(word, ""), found))
    ]


def kinds(found: Declarations) -> list[str]:
    """Return every struct that is an API object and not a list."""
    return [
        name
        for name, fields in found.structs.items()
        if not name.startswith("meta.") and any(one.go_type == "meta.v1.TypeMeta" and one.inline for one in fields)
        and not name.endswith("List")
    ]  # fmt: skip


def document(roots: Iterable[str], found: Declarations) -> Json:
    """Return the data file for everything the roots need."""
    names = reachable(roots, found)
    return {
        "schemas": {
            **{name: SPECIAL[name] for name in sorted(SPECIAL)},
            **{name: message(name, found) for name in names},
        },
        "go": {name: go_fields(name, found) for name in names},
        "named": dict(sorted(found.named.items())),
    }


def write(path: Path, content: Json) -> None:
    """Write the data file; the same facts give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(orjson.dumps(content), mtime=0))


def main() -> None:
    """Read the modules and write the data files."""
    parser = argparse.ArgumentParser(
        description="Write types.json.gz from the Go type declarations of Kubernetes."
    )
    parser.add_argument("modules", type=Path, help="folder that holds api@VERSION, apimachinery@VERSION, …")
    parser.add_argument("--version", default="v0.36.3")
    parser.add_argument(
        "--pod-template", type=Path, help="also write the types below PodTemplateSpec to this file"
    )
    options = parser.parse_args()
    found = read(options.modules, options.version)
    imported(found)
    write(DATA / "types.json.gz", document([*kinds(found), *EXTRA], found))
    if options.pod_template:
        write(options.pod_template, document(["core.v1.PodTemplateSpec"], found))


if __name__ == "__main__":
    main()
