"""docs/mutation.md, written from the session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from kueue_conformance.tests.checkout import ROOT

from .arguing import ARGUMENTS, Arguments
from .mutants import Mutant, path_of
from .running import LEVELS
from .sampling import interval
from .session import Part, Result

PAGE = ROOT / "docs/mutation.md"
_HEAD = Path(__file__).with_name("page.md")
UNREACHED = "executed by no case"


def page(work: Part, arguments: Path = ARGUMENTS) -> str:
    """Return the page: the scores by package, by module and by operator,
    and what is not caught at must with its argument.
    """
    argued = Arguments(arguments)
    judged, equivalent = _split_by_equivalence(work, argued)
    pieces = {
        "Survivors": _with(judged, "survived"),
        "Caught by unit tests alone": _with(judged, "unit"),
        "Caught below must alone": _with(judged, "should", "may"),
        "Equivalent": equivalent,
    }
    return "\n".join(
        [
            _HEAD.read_text("utf-8").strip(),
            "",
            _count_line(work, len(judged), len(equivalent)),
            "",
            *_totals(work, judged),
            "",
            *_table("package", judged, lambda mutant: mutant.module.split(".")[2]),
            "",
            *_table("module", judged, lambda mutant: mutant.module.removeprefix("reference_impl.kueue.")),
            "",
            *_table("operator", judged, lambda mutant: mutant.operator),
            "",
            *(
                line
                for title, mutants in pieces.items()
                for line in (f"## {title}", "", *_list(mutants, argued), "")
            ),
        ]
    )


def scores(work: Part, arguments: Path = ARGUMENTS) -> str:
    """Return the table by module."""
    judged, equivalent = _split_by_equivalence(work, Arguments(arguments))
    by_module = _table("module", judged, lambda mutant: mutant.module.removeprefix("reference_impl.kueue."))
    return "\n".join(
        [*by_module, "", *_totals(work, judged), "", _count_line(work, len(judged), len(equivalent))]
    )


def survivors(work: Part, arguments: Path = ARGUMENTS) -> list[Mutant]:
    """Return those that nothing catches and for which nothing is argued."""
    argued = Arguments(arguments)
    return [
        item
        for item in _with(_split_by_equivalence(work, argued)[0], "survived")
        if not argued.argument(item)
    ]


def _split_by_equivalence(work: Part, argued: Arguments) -> tuple[list[tuple[Mutant, Result]], list[Mutant]]:
    """Return those that count with what came of them,
    and those that are argued to be equivalent, judged or not.
    """
    equivalent = {job for job, mutant in work.mutants.items() if argued.equivalent(mutant)}
    counted = [
        (work.mutants[job], result)
        for job, result in work.results.items()
        if result.verdict != "incompetent" and job not in equivalent
    ]
    return counted, [work.mutants[job] for job in equivalent]


def _with(judged: Iterable[tuple[Mutant, Result]], *verdicts: str) -> list[Mutant]:
    return [mutant for mutant, result in judged if result.verdict in verdicts]


def _count_line(work: Part, judged: int, equivalent: int) -> str:
    seconds = sum(result.seconds for result in work.results.values())
    broken = sum(result.verdict == "incompetent" for result in work.results.values())
    drawn = f" of a sample from {work.total}" if work.is_sample else ""
    return (
        f"{judged} of {len(work.mutants)} mutants{drawn} are counted here, judged in {seconds / 60:.0f} minutes of one core. {broken} do not import "
        f"and {equivalent} are argued to be equivalent: these are not counted. Scenarios (digest), dialect, cases of "
        f"a level: {'; '.join(sorted({result.scenarios for result in work.results.values()} - {''})) or 'not known'}."
    )


def _totals(work: Part, judged: Iterable[tuple[Mutant, Result]]) -> list[str]:
    """Return the scores of the whole: of the mutants that a case executes, and of all; of a sample with the
    interval of 95 %.
    """
    every = Counter(result.verdict for _, result in judged)
    reached = Counter(result.verdict for _, result in judged if result.is_reached)
    return [
        "| of | mutants | at must | at any level | with unit tests |",
        "|---|--:|--:|--:|--:|",
        *(
            f"| {name} | {counts.total()} | {' | '.join(_share(hits, counts.total(), work) for hits in _hits(counts))} |"
            for name, counts in (("all", every), ("those that a case executes", reached))
        ),
    ]


def _hits(counts: Counter[str]) -> tuple[int, int, int]:
    suites = sum(counts[level] for level in LEVELS)
    return counts["must"], suites, suites + counts["unit"]


def _share(hits: int, of: int, work: Part) -> str:
    share = f"{100 * hits / of:.1f} %" if of else "–"
    low, high = interval(hits, of)
    return f"{share} ({100 * low:.0f}–{100 * high:.0f})" if work.is_sample else share


def _table(
    heading: str, judged: Iterable[tuple[Mutant, Result]], group: Callable[[Mutant], str]
) -> list[str]:
    counts: dict[str, Counter[str]] = {}
    for mutant, result in judged:
        for name in ("all", group(mutant)):
            counted = counts.setdefault(name, Counter())
            counted.update([result.verdict, *(() if result.is_reached else (UNREACHED,))])
    rows = [_row(name, counts[name]) for name in sorted(counts, key=lambda name: (name != "all", name))]
    return [
        f"| {heading} | mutants | {UNREACHED} | at must | at any level | with unit tests |",
        "|---|--:|--:|--:|--:|--:|",
        *rows,
    ]


def _row(name: str, counts: Counter[str]) -> str:
    full = counts.total() - counts[UNREACHED]
    shares = (f"{100 * number / full:.0f} %" for number in _hits(counts))
    return f"| {name} | {full} | {counts[UNREACHED]} | {' | '.join(shares)} |"


def _list(mutants: Iterable[Mutant], argued: Arguments) -> list[str]:
    lines = [
        f"- `{path_of(mutant.module).relative_to(ROOT)}:{mutant.start[0]}` {mutant.function} {mutant.operator}: `` {mutant.change} ``{_argument_text(mutant, argued)}"
        for mutant in sorted(mutants, key=lambda mutant: (mutant.module, mutant.start, mutant.key))
    ]
    return lines or ["None."]


def _argument_text(mutant: Mutant, argued: Arguments) -> str:
    return f": {text}" if (text := argued.argument(mutant)) else ""
