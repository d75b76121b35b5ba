"""Development-time script: turns the page of wire facts and `more.txt` into `fields.json.gz` (spec/apiserver §2.7).

python -m fakecluster.codec.protobuf.generate apiserver-protobuf.txt
"""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import orjson

FIELD = re.compile(r"(?P<number>\d+) (?P<name>\S+) (?P<type>[^\s?!]+)(?P<flags>[?!]*)")
Row = tuple[int, str, str, str]


def messages(lines: Iterable[str]) -> dict[str, list[Row]]:
    """Read `<message>: <number> <name> <type>[flags]; …` lines."""
    pairs = (line.strip().partition(":") for line in lines if line.strip() and not line.startswith("#"))
    return {name: [_row(text) for text in rest.split(";") if text.strip()] for name, _, rest in pairs}


def _row(text: str) -> Row:
    found = FIELD.fullmatch(text.strip())
    if found is None:
        raise SystemExit(f"cannot read the field {text.strip()!r}: expected `<number> <name> <type>[?|!]`")
    return int(found["number"]), found["name"], found["type"], found["flags"]


def main() -> None:
    """Write the data file beside this script."""
    pages = (Path(__file__).with_name("more.txt"), Path(sys.argv[1]))
    lines = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    packed = gzip.compress(orjson.dumps(messages(lines)), compresslevel=9, mtime=0)
    Path(__file__).with_name("fields.json.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
