"""The folders of a package in layers: a folder imports only from rows below its own, or from its own row
where they form a circle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import grimp

PACKAGES = ("suites", "kueue_conformance", "fakecluster", "reference_impl")
LEFT_OUT = ("tests", "__main__", "py")


@dataclass(frozen=True, slots=True)
class Part:
    """A folder or a module directly inside a package."""

    name: str
    is_folder: bool


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def layers(package: str) -> Sequence[Sequence[Part]]:
    """Return the parts of a package, the highest layer first."""
    whole = graph()
    parts = {
        name: Part(name.removeprefix(f"{package}."), bool(whole.find_children(name)))
        for name in sorted(whole.find_children(package))
        if name.rpartition(".")[2] not in LEFT_OUT
    }
    imports = {name: _imported(name, parts) for name in parts}
    reached = {name: _reached(name, imports) for name in parts}
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        if name not in heights:
            below = [other for other in reached[name] if name not in reached[other]]
            heights[name] = 1 + max(map(height, below), default=0)
        return heights[name]

    rows: dict[int, list[Part]] = {}
    for name, part in parts.items():
        rows.setdefault(height(name), []).append(part)
    return [rows[number] for number in sorted(rows, reverse=True)]


def meeting(package: str, other: str) -> Sequence[str]:
    """Return the parts of a package, two levels deep, that import another package."""
    found = {
        ".".join(one["importer"].split(".")[1:3])
        for pattern in (f"{package}.** -> {other}.**", f"{package}.** -> {other}")
        for one in graph().find_matching_direct_imports(pattern)
        if not _is_of_tests(one["importer"])
    }
    return sorted(found)


def _is_of_tests(module: str) -> bool:
    return "tests" in module.split(".")


def _imported(name: str, parts: Mapping[str, Part]) -> frozenset[str]:
    whole = graph()
    inside = {name, *whole.find_descendants(name)}
    targets = {
        target
        for module in inside
        if not _is_of_tests(module)
        for target in whole.find_modules_directly_imported_by(module)
    }
    of_parts = {".".join(target.split(".")[:2]) for target in targets}
    return frozenset(of_parts & set(parts)) - {name}


def _reached(name: str, imports: Mapping[str, frozenset[str]]) -> frozenset[str]:
    found: set[str] = set()
    ahead = [*imports[name]]
    while ahead:
        one = ahead.pop()
        if one not in found:
            found.add(one)
            ahead += imports[one]
    return frozenset(found)
