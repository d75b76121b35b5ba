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
    import_graph = graph()
    components = {
        name: Part(name.removeprefix(f"{package}."), bool(import_graph.find_children(name)))
        for name in sorted(import_graph.find_children(package))
        if name.rpartition(".")[2] not in LEFT_OUT
    }
    imports = {name: _imports_of(name, components) for name in components}
    reached = {name: _reach(name, imports) for name in components}
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        if name not in heights:
            below = [other for other in reached[name] if name not in reached[other]]
            heights[name] = 1 + max(map(height, below), default=0)
        return heights[name]

    rows: dict[int, list[Part]] = {}
    for name, component in components.items():
        rows.setdefault(height(name), []).append(component)
    return [rows[number] for number in sorted(rows, reverse=True)]


def meeting(package: str, other: str) -> Sequence[str]:
    """Return the parts of a package, two levels deep, that import another package."""
    importers = {
        ".".join(direct_import["importer"].split(".")[1:3])
        for pattern in (f"{package}.** -> {other}.**", f"{package}.** -> {other}")
        for direct_import in graph().find_matching_direct_imports(pattern)
        if not _is_of_tests(direct_import["importer"])
    }
    return sorted(importers)


def _is_of_tests(module: str) -> bool:
    return "tests" in module.split(".")


def _imports_of(name: str, components: Mapping[str, Part]) -> frozenset[str]:
    import_graph = graph()
    inside = {name, *import_graph.find_descendants(name)}
    targets = {
        target
        for module in inside
        if not _is_of_tests(module)
        for target in import_graph.find_modules_directly_imported_by(module)
    }
    of_parts = {".".join(target.split(".")[:2]) for target in targets}
    return frozenset(of_parts & set(components)) - {name}


def _reach(name: str, imports: Mapping[str, frozenset[str]]) -> frozenset[str]:
    reached_components: set[str] = set()
    ahead = [*imports[name]]
    while ahead:
        component = ahead.pop()
        if component not in reached_components:
            reached_components.add(component)
            ahead += imports[component]
    return frozenset(reached_components)
