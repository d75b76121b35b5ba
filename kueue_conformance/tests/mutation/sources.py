"""The sources of the programs that use the reference's decisions,
as trees: the reference and the harness, without tests.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache

from kueue_conformance.tests.checkout import ROOT

from .mutants import path_of


@cache
def trees() -> Mapping[str, ast.Module]:
    """Return them by module."""
    files = (
        file
        for position in ("reference_impl", "kueue_conformance")
        for file in sorted((ROOT / position).rglob("*.py"))
    )
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts): ast.parse(file.read_text("utf-8"))
        for file in files
        if "tests" not in file.relative_to(ROOT).parts
    }


@cache
def tree_of(module: str) -> ast.Module:
    """Return that of one module."""
    return ast.parse(path_of(module).read_text("utf-8"))
