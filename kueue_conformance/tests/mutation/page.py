"""docs/mutation.md, written from the session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sized
from pathlib import Path

import yaml

from kueue_conformance.tests.checkout import ROOT

from .mutants import Mutant, path_of
from .session import Result, Work

PAGE = ROOT / "docs/mutation.md"
ARGUMENTS = Path(__file__).with_name("arguments.yaml")
_HEAD = Path(__file__).with_name("page.md")
_SUITES = ("must", "should", "may")


def page(work: Work, arguments: Path = ARGUMENTS) -> str:
    """Return the page: the scores by module and by operator, and what survives with its argument."""
    argued = _argued(arguments)
    known = [(work.mutants[job], result) for job, result in work.results.items()]
    judged = [
        (mutant, result)
        for mutant, result in known
        if result.verdict != "incompetent" and not _is_equivalent(mutant, argued)
    ]
    equivalent = [mutant for mutant, _ in known if _is_equivalent(mutant, argued)]
    survivors = [mutant for mutant, result in judged if result.verdict == "survived"]
    by_units = [(mutant, result) for mutant, result in judged if result.verdict == "unit"]
    return "\n".join([
        _HEAD.read_text("utf-8").strip(), "",
        _counted(work, known, judged, equivalent), "",
        *_table("module", judged, lambda mutant: mutant.module.removeprefix("reference_impl.")), "",
        *_table("operator", judged, lambda mutant: mutant.operator), "",
        "## Survivors", "", *_listed(survivors, argued), "",
        "## Caught by unit tests alone", "", *_listed([mutant for mutant, _ in by_units], argued), "",
        "## Equivalent", "", *_listed(equivalent, argued), "",
    ])  # fmt: skip


def _counted(work: Work, known: Sized, judged: Sized, equivalent: Sized) -> str:
    seconds = sum(result.seconds for result in work.results.values())
    broken = len(known) - len(judged) - len(equivalent)
    return (
        f"{len(known)} of {len(work.mutants)} mutants were judged, in {seconds / 60:.0f} minutes of one core. {broken} do not import and "
        f"{len(equivalent)} are argued to be equivalent: these are not counted."
    )


def _table(what: str, judged: Iterable[tuple[Mutant, Result]], group: Callable[[Mutant], str]) -> list[str]:
    counts: dict[str, Counter[str]] = {}
    for mutant, result in judged:
        for name in ("all", group(mutant)):
            counts.setdefault(name, Counter())[result.verdict] += 1
    rows = [_row(name, counts[name]) for name in sorted(counts, key=lambda name: (name != "all", name))]
    return [
        f"| {what} | mutants | at must | at any level | with unit tests |",
        "|---|--:|--:|--:|--:|",
        *rows,
    ]


def _row(name: str, counts: Counter[str]) -> str:
    whole = counts.total()
    suites = sum(counts[level] for level in _SUITES)
    shares = (f"{100 * number / whole:.0f} %" for number in (counts["must"], suites, suites + counts["unit"]))
    return f"| {name} | {whole} | {' | '.join(shares)} |"


def _listed(mutants: Iterable[Mutant], argued: dict[tuple[object, ...], dict[str, str]]) -> list[str]:
    lines = [
        f"- `{path_of(one.module).relative_to(ROOT)}:{one.start[0]}` {one.function} {one.operator}: `` {one.change} ``{_said(one, argued)}"
        for one in sorted(mutants, key=lambda one: (one.module, one.start, one.key))
    ]
    return lines or ["None."]


def _said(mutant: Mutant, argued: dict[tuple[object, ...], dict[str, str]]) -> str:
    found = argued.get(mutant.key)
    return f": {next(iter(found.values()))}" if found else ""


def _is_equivalent(mutant: Mutant, argued: dict[tuple[object, ...], dict[str, str]]) -> bool:
    return "equivalent" in argued.get(mutant.key, {})


def _argued(file: Path) -> dict[tuple[object, ...], dict[str, str]]:
    """Return what is said of mutants by key: `{equivalent: why}`, or `{because: why}` for one that is told apart by nothing that is promised."""
    rows = yaml.safe_load(file.read_text("utf-8")) or []
    return {
        (one["module"], one["function"], one["operator"], one["change"], one.get("number", 0)):
        {word: one[word] for word in ("equivalent", "because") if word in one}
        for one in rows
    }  # fmt: skip
