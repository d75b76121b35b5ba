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
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from ..base.json_types import Json
from .declarations import SCALARS, SPECIAL, Declarations, Field, constant, imported, read

DATA = Path(__file__).parent.parent / "gotypes"
EXTRA = (
    "meta.v1.DeleteOptions",
    "meta.v1.CreateOptions",
    "meta.v1.UpdateOptions",
    "meta.v1.PatchOptions",
    "meta.v1.ListOptions",
    "meta.v1.Status",
    "meta.v1.APIGroup",
    "meta.v1.APIGroupList",
    "meta.v1.APIResourceList",
    "meta.v1.APIVersions",
    "version.Info",
)

ZEROS = {"string": "", "integer": 0, "number": 0, "boolean": False}


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
    stated = [_stated(value, found) for value in field.marked("default")]
    schema = schema_of(field.go_type, found)
    default = {"default": stated[0]} if stated else zero_of(field, schema)
    return {**schema, **{key: value for key, value in said.items() if value}, **default}


def _stated(value: str, found: Declarations) -> Json:
    """Return the default that a marker states, as JSON or as the name of a constant."""
    if match := re.fullmatch(r"ref\((\w+)\)", value):
        return constant(match[1], found)
    return orjson.loads(value)


def zero_of(field: Field, schema: Json) -> Json:
    """Return the default of a scalar that is always encoded: an apply that leaves out such a key means its
    zero (FK-224).
    """
    is_scalar = schema.get("type") in ZEROS and schema.get("format") != "byte"
    if field.omits_empty or field.go_type.startswith("*") or not is_scalar:
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
        if not name.startswith("meta.")
        and any(one.go_type == "meta.v1.TypeMeta" and one.inline for one in fields)
        and not name.endswith("List")
    ]


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
        "enumerations": {
            name: sorted(set(found.constants[name].values())) for name in sorted(found.enumerations)
        },
        "unions": {name: discriminator(name, found) for name in names if name in found.unions},
    }


def discriminator(name: str, found: Declarations) -> str:
    """Return the field that says which other field of a union is meant; empty when none does."""
    return next((field.json_name for field in flatten(name, found) if field.marked("unionDiscriminator")), "")


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
