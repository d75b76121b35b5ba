"""The fields of a subject file as comments of YAML: the descriptions and the examples of its schema."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

import yaml

from ..base import resources
from ..base.json_types import Json

WRITTEN = ("apiVersion", "kind", "connect", "controllerName", "implementation", "capabilities")
"""The fields that every subject file of `init` has."""
OF_INTEGRATIONS = ("job",)
"""Fields that a check controller, for which `init` writes a file, never has."""
_COLUMNS = 118
_DRIVER = "#/$defs/driver"


def comment(name: str) -> str:
    """Return the description of a field as lines of comments."""
    return "".join(_comments(resources.schema("subject")["properties"][name]["description"], "# "))


def comment_inner_fields(name: str) -> str:
    """Return the descriptions of the fields of a field as lines of comments."""
    return "".join(_items(resources.schema("subject")["properties"][name]["properties"], "#   "))


def comment_fields() -> str:
    """Return a block of comments for each field that a new subject file may be given."""
    fields = resources.schema("subject")["properties"]
    left_out = (*WRITTEN, *OF_INTEGRATIONS)
    return "\n".join("".join(_block(name, field)) for name, field in fields.items() if name not in left_out)


def _block(name: str, field: Json) -> Iterator[str]:
    yield from _comments(field["description"], "# ")
    yield from _lines(name, field, "")
    if any(inner.get("$ref") == _DRIVER for inner in field.get("properties", {}).values()):
        forms = resources.schema("subject")["$defs"]["driver"]["oneOf"][1]["properties"]
        yield "#   ## A driver is one of these, with timeout, scope and undo beside it:\n"
        yield from _items(forms, "#   ## - ")


def _lines(name: str, field: Json, indent: str) -> Iterator[str]:
    if "examples" not in field:
        yield f"# {indent}{name}:\n"
        for inner_name, inner in field["properties"].items():
            yield from _comments(inner["description"], f"# {indent}  ## ")
            yield from _lines(inner_name, inner, f"{indent}  ")
        return
    first, *others = field["examples"]
    yield f"# {indent}{name}: {_flow(first)}\n"
    for other in others:
        yield f"# {indent}## or {name}: {_flow(other)}\n"
    yield from _items(inner_fields(field), f"# {indent}  ## - ")


def inner_fields(field: Json) -> Mapping[str, Json]:
    """Return the fields of a field, or of the items of a list."""
    fields: Mapping[str, Json] = field.get("properties") or field.get("items", {}).get("properties", {})
    return fields


def _items(fields: Mapping[str, Json], indent: str, path: str = "") -> Iterator[str]:
    """Yield the fields of a field as a list; an example has a line of its own, to be copied."""
    for name, field in fields.items():
        yield from _comments(f"{path}{name}: {field['description']}", indent)
        for example in field.get("examples", ()):
            yield f"{_below(indent)}{name}: {_flow(example)}\n"
        yield from _items(inner_fields(field), indent, f"{path}{name}.")


def _comments(text: str, indent: str) -> Iterator[str]:
    """Yield the lines of a text; a double mark stays a comment when the field is put to use."""
    lines = textwrap.wrap(
        text, _COLUMNS, initial_indent=indent, subsequent_indent=_below(indent), break_on_hyphens=False
    )
    yield from (f"{line}\n" for line in lines)


def _below(indent: str) -> str:
    """Return the indent of a further line of a list item, or of a paragraph."""
    return f"{indent.removesuffix('- ')}  " if indent.endswith("- ") else indent


def _flow(value: Json) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, width=1_000_000, sort_keys=False)
    return text.removesuffix("...\n").strip()
