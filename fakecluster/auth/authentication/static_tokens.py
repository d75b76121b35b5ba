"""Static bearer tokens, from code or from a token file as kube-apiserver reads it (FK-390)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from ...api.outcome import User


class TokenFileError(Exception):
    """A line of a token file that cannot be used."""


def parse(text: str, *, source: str = "the token file") -> Mapping[str, User]:
    """Read lines of `token,user,uid,"group1,group2"`; the groups may be left out.

    Raises TokenFileError for a line with fewer than three columns.
    """
    rows = enumerate(csv.reader(io.StringIO(text), skipinitialspace=True), start=1)
    return dict(_entry(row, number, source) for number, row in rows if row and not row[0].startswith("#"))


def _entry(row: list[str], number: int, source: str) -> tuple[str, User]:
    token, name, uid, *rest = [*(cell.strip() for cell in row), *[""] * (3 - len(row))]
    if not token or not name or len(row) < 3:
        shown = ",".join(["…", *row[1:]])
        raise TokenFileError(
            f'{source}, line {number}: {shown!r} has no token, user and uid; expected token,user,uid,"groups"'
        )
    groups = tuple(group.strip() for group in (rest[0].split(",") if rest else []) if group.strip())
    return token, User(name=name, uid=uid, groups=groups)
