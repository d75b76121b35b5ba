"""Development-time script: reads facts of Go types, writes `types.json.gz` (FK-495, FK-502, FK-530).

Run it with the folder that holds the modules api, apimachinery, apiextensions-apiserver and kube-aggregator
of k8s.io, as `go mod download` leaves it::

    python -m tools.datagen.types "$(go env GOMODCACHE)/k8s.io" --version v0.36.3

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

from fakecluster.base.json_types import Json

from .declarations import SCALARS, SPECIAL, Declarations, Field, constant, read, resolve_imports

DATA = Path(__file__).parents[2] / "fakecluster/gotypes"
# What clients send and read beside the objects: options, lists of groups, the version.
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


def flatten(name: str, declarations: Declarations) -> Iterator[Field]:
    """Yield a struct's fields with inlined structs taken in."""
    for field in declarations.structs[name]:
        if field.inline:
            yield from flatten(field.go_type.lstrip("*"), declarations)
        elif field.json_name != "-":
            yield field


def schema_of(go_type: str, declarations: Declarations) -> Json:
    """Return the OpenAPI form of a Go type."""
    plain = go_type.lstrip("*")
    if plain in SCALARS:
        return SCALARS[plain]
    if plain.startswith("[]"):
        return {"type": "array", "items": schema_of(plain[2:], declarations)}
    if plain.startswith("map["):
        return {
            "type": "object",
            "additionalProperties": schema_of(plain[plain.index("]") + 1 :], declarations),
        }
    if plain in SPECIAL or plain in declarations.structs:
        return {"$ref": plain}
    # A type of a package that no release named before: better to stop than to take it for any JSON.
    if plain not in declarations.named:
        raise SystemExit(
            f"{plain} is declared in no package that is read: add its package to GROUPS and its import name to IMPORTS"
        )
    return schema_of(declarations.named[plain], declarations)


def property_of(field: Field, declarations: Declarations) -> Json:
    """Return the OpenAPI form of a field, with the keys that patches and apply read."""
    extensions = {
        "x-kubernetes-list-type": next(iter(field.marker_values("listType")), None),
        "x-kubernetes-list-map-keys": field.marker_values("listMapKey") or None,
        "x-kubernetes-map-type": next(
            iter(field.marker_values("mapType") + field.marker_values("structType")), None
        ),
        "x-kubernetes-patch-merge-key": field.tag.get("patchMergeKey"),
        "x-kubernetes-patch-strategy": field.tag.get("patchStrategy"),
    }
    defaults = [_parse_default(value, declarations) for value in field.marker_values("default")]
    schema = schema_of(field.go_type, declarations)
    default = {"default": defaults[0]} if defaults else zero_of(field, schema)
    return {**schema, **{key: value for key, value in extensions.items() if value}, **default}


def _parse_default(value: str, declarations: Declarations) -> Json:
    """Return the default that a marker states, as JSON or as the name of a constant."""
    if match := re.fullmatch(r"ref\((\w+)\)", value):
        return constant(match[1], declarations)
    return orjson.loads(value)


def zero_of(field: Field, schema: Json) -> Json:
    """Return the default of a scalar that is always encoded:
    an apply that leaves out such a key means its zero (FK-224).
    """
    is_scalar = schema.get("type") in ZEROS and schema.get("format") != "byte"
    if field.omits_empty or field.go_type.startswith("*") or not is_scalar:
        return {}
    return {"default": ZEROS[schema["type"]]}


def message(name: str, declarations: Declarations) -> Json:
    """Return the OpenAPI form of a struct."""
    fields = list(flatten(name, declarations))
    required = [field.json_name for field in fields if field.is_required]
    schema = {
        "type": "object",
        "properties": {field.json_name: property_of(field, declarations) for field in fields},
    }
    atomic = {"x-kubernetes-map-type": "atomic"} if name in declarations.atomic else {}
    return {**schema, **({"required": required} if required else {}), **atomic}


def go_fields(name: str, declarations: Declarations) -> Json:
    """Return `{json name: [Go name, Go type, flag]}`; flag `!` is always present, `0` is omitzero."""
    return {
        field.json_name: [field.go_name, field.go_type, presence(field)]
        for field in flatten(name, declarations)
        if field.json_name
    }


def presence(field: Field) -> str:
    """Return the flag that says when an encoder leaves the field out."""
    if not field.omits_empty:
        return "!"
    return "0" if ",omitzero" in field.tag.get("json", "") else ""


def reachable(roots: Iterable[str], declarations: Declarations) -> list[str]:
    """Return the structs that the roots need, sorted."""
    todo, reached = list(roots), set()
    while todo:
        name = todo.pop()
        if name in reached or name not in declarations.structs:
            continue
        reached.add(name)
        for field in flatten(name, declarations):
            todo += [word for word in names_in(field.go_type, declarations) if word not in reached]
    return sorted(reached)


def names_in(go_type: str, declarations: Declarations) -> list[str]:
    """Return the qualified names in a Go type, aliases followed."""
    words = re.findall(r"[\w]+\.[\w.]+", go_type)
    return [
        inner
        for word in words
        for inner in (
            [word]
            if word in declarations.structs
            else names_in(declarations.named.get(word, ""), declarations)
        )
    ]


def kinds(declarations: Declarations) -> list[str]:
    """Return every struct that is an API object and not a list."""
    return [
        name
        for name, fields in declarations.structs.items()
        if not name.startswith("meta.")
        and any(field.go_type == "meta.v1.TypeMeta" and field.inline for field in fields)
        and not name.endswith("List")
    ]


def document(roots: Iterable[str], declarations: Declarations) -> Json:
    """Return the data file for everything the roots need."""
    names = reachable(roots, declarations)
    return {
        "schemas": {
            **{name: SPECIAL[name] for name in sorted(SPECIAL)},
            **{name: message(name, declarations) for name in names},
        },
        "go": {name: go_fields(name, declarations) for name in names},
        "named": dict(sorted(declarations.named.items())),
        "enumerations": {
            name: sorted(set(declarations.constants[name].values()))
            for name in sorted(declarations.enumerations)
        },
        "unions": {name: discriminator(name, declarations) for name in names if name in declarations.unions},
    }


def discriminator(name: str, declarations: Declarations) -> str:
    """Return the field that says which other field of a union is meant; empty when none does."""
    return next(
        (
            field.json_name
            for field in flatten(name, declarations)
            if field.marker_values("unionDiscriminator")
        ),
        "",
    )


def write(path: Path, content: Json) -> None:
    """Write the data file; the same facts give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # gzip would write the time of day into the file.
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
    declarations = read(options.modules, options.version)
    resolve_imports(declarations)
    write(DATA / "types.json.gz", document([*kinds(declarations), *EXTRA], declarations))
    if options.pod_template:
        write(options.pod_template, document(["core.v1.PodTemplateSpec"], declarations))


if __name__ == "__main__":
    main()
