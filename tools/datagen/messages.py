"""Development-time script: reads the protobuf tags of Go types, writes the fields of every message (FK-530).

Run it with the folder that holds the modules of k8s.io, as `go mod download` leaves it::

    python -m tools.datagen.messages "$(go env GOMODCACHE)/k8s.io" --version v0.36.3

A type of one letter is a scalar: `s` text, `i` and `l` whole numbers of 32 and 64 bits, `b` a truth value,
`y` bytes, `d` a float. `[]` repeats, `{}` is a map, `~` a message whose fields belong to the JSON object
around. The flag `?` is a pointer, `!` is always in JSON. It prints what differs from the table that is
shipped, for its messages and those that they name; `--write` makes the table anew. What Go types do not say
is in `by_hand.txt`.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import orjson

from .declarations import Declarations, Field, read, resolve_imports

TABLE = Path(__file__).parents[2] / "fakecluster/codec/protobuf/fields.json.gz"
SCALARS = {"string": "s", "int": "l", "int32": "i", "int64": "l", "bool": "b", "float64": "d", "[]byte": "y"}
RENAMED = {
    "resource.Quantity": "resource_q.Quantity",
    "certificates.v1.ExtraValue": "authentication.v1.ExtraValue",
}
# Go has slices here, but a slice within a map or a repeated slice has no form in protobuf.
WRAPPED = frozenset({"authentication.v1.ExtraValue", "authorization.v1.ExtraValue", "meta.v1.Verbs"})
"""Named lists that are messages of their own on the wire."""
BY_HAND = Path(__file__).with_name("by_hand.txt")
NOTATION = re.compile(r"(?P<number>\d+) (?P<name>\S+) (?P<type>[^\s?!;]+)(?P<flags>[?!]*)")
Row = tuple[int, str, str, str]
Table = Mapping[str, list[Row]]


def messages(declarations: Declarations, shipped: Table) -> Table:
    """Return the rows (number, name in JSON, type, flags) of the shipped messages and those they name."""
    table = dict(by_hand())
    # A message that is shipped names others, which are read in turn.
    ahead = [name for name in shipped if name in declarations.structs and name not in table]
    while ahead:
        name = ahead.pop()
        table[name] = sorted(_rows(declarations.structs[name], declarations))
        named = {row[2].lstrip("[]{}") for row in table[name]}
        ahead += [other for other in named if other in declarations.structs and other not in {*table, *ahead}]
        if unknown := sorted(named - {*declarations.structs, *table, *SCALARS.values()}):
            raise SystemExit(
                f"{name} names {', '.join(unknown)}, which is not read: add its package to GROUPS and IMPORTS of types.py"
            )
    return {name: rows for name, rows in table.items() if rows or name in by_hand()}


@cache
def by_hand() -> Table:
    """Return the messages of `by_hand.txt`."""
    lines = [line for line in BY_HAND.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {name: [*_parse_rows(rest)] for name, _, rest in (line.partition(":") for line in lines)}


def _parse_rows(text: str) -> Iterator[Row]:
    for match in NOTATION.finditer(text):
        yield int(match["number"]), match["name"], match["type"], match["flags"]


def _rows(fields: list[Field], declarations: Declarations) -> Iterator[Row]:
    for field in fields:
        number = field.tag.get("protobuf", "").split(",")[1:2]
        if number and field.json_name != "-":
            flag = ("?" if field.go_type.startswith("*") else "") + (
                "" if field.omits_empty or field.inline else "!"
            )
            yield (
                int(number[0]),
                "~" if field.inline else field.json_name,
                _type(field.go_type.lstrip("*"), declarations),
                flag,
            )


def _type(go_type: str, declarations: Declarations) -> str:
    if go_type in SCALARS:
        return SCALARS[go_type]
    if go_type.startswith("[]"):
        return f"[]{_type(go_type[2:].lstrip('*'), declarations)}"
    if go_type.startswith("map["):
        return f"{{}}{_type(go_type.partition(']')[2], declarations)}"
    if (
        go_type in RENAMED
        or go_type in WRAPPED
        or go_type in declarations.structs
        or go_type not in declarations.named
    ):
        return RENAMED.get(go_type, go_type)
    return _type(declarations.named[go_type], declarations)


def main() -> None:
    """Print or write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    declarations = read(options.root, options.version)
    resolve_imports(declarations)
    shipped = {
        name: [tuple(row) for row in rows]
        for name, rows in orjson.loads(gzip.decompress(TABLE.read_bytes())).items()
    }
    table = messages(declarations, shipped)
    for name in sorted({*table, *shipped}):
        rows = table.get(name, [])
        for row in sorted({*rows} ^ {*shipped.get(name, ())}):
            sys.stdout.write(f"{'+' if row in rows else '-'} {name} {' '.join(map(str, row))}\n")
    if options.write:
        TABLE.write_bytes(gzip.compress(orjson.dumps(dict(sorted(table.items()))), compresslevel=9, mtime=0))


if __name__ == "__main__":
    main()
