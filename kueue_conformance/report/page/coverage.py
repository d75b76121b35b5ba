"""coverage.html: what an exploration has drawn and seen, in tables and drawings; it opens from disk without
network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...exploration.coverage import Coverage, Unseen, Vocabulary, sections, unseen, ways_of
from ...states import Machine, Step
from .html import environment
from .paths import Node, Path, draw_permitted, edge_of

_MARGIN = 36
"""Pixels below the lowest state of a drawing."""


@dataclass(frozen=True, slots=True)
class SeenStates:
    """A machine with what was seen of it: a drawing, and a row for each change of state."""

    machine: str
    drawing: Path
    rows: Sequence[tuple[str, str, int, int]]
    """State before, state after, how often, and how often the explored program wrote it."""


def render_coverage(coverage: Coverage, vocabulary: Vocabulary) -> str:
    """Return the page."""
    return (
        environment()
        .get_template("coverage.html")
        .render(
            coverage=coverage,
            vocabulary=vocabulary,
            sections=[*sections(coverage, vocabulary)],
            unseen=_by_section([*unseen(coverage, vocabulary)]),
            machines=[*map(draw_permitted, vocabulary.machines)],
            states=[_collect_states(coverage, machine) for machine in vocabulary.machines],
            matrix=[(verb, _matrix_row(verb, coverage, vocabulary)) for verb in vocabulary.verbs],
            reasons=sorted(coverage.changes.reasons.items()),
        )
    )


def _by_section(rows: Sequence[Unseen]) -> dict[str, list[Unseen]]:
    result: dict[str, list[Unseen]] = {}
    for row in rows:
        result.setdefault(row.section, []).append(row)
    return result


def _matrix_row(verb: str, coverage: Coverage, vocabulary: Vocabulary) -> list[str]:
    """Return the cells of an act: how often each perturbation happened at it; `0 of N` where it was drawn and
    met no request, a dash where it is impossible, nothing where it was not drawn.
    """
    cells = []
    for kind in vocabulary.kinds:
        # A story that was made shorter can have met at an act what no plan has there.
        met, unmet = coverage.pairs[verb, kind.name], coverage.unmet_pairs[verb, kind.name]
        impossible = kind.name in vocabulary.impossible or verb in vocabulary.impossible
        cells.append(str(met) if met else f"0 of {unmet}" if unmet else "–" if impossible else "")
    return cells


def _collect_states(coverage: Coverage, machine: Machine) -> SeenStates:
    permitted = ways_of(machine)
    observed = {(start, end) for name, start, end, _ in coverage.changes.states if name == machine.name}
    # What a program does that is not permitted is a row behind the others, and has no arrow.
    rows = [
        (*ends, *coverage.times(machine, *ends)) for ends in [*permitted, *sorted(observed - {*permitted})]
    ]
    return SeenStates(machine.name, _draw(machine, rows, permitted), rows)


def _draw(
    machine: Machine, rows: Sequence[tuple[str, str, int, int]], permitted: Sequence[tuple[str, str]]
) -> Path:
    """Draw the permitted changes of state, and over them those that were seen."""
    drawn = [row for row in rows if row[2] and {row[0], row[1]} <= machine.states.keys()]
    visited = {state for start, end, *_ in drawn for state in (start, end)}
    number = sum((start, end) in permitted for start, end, *_ in drawn)
    return Path(
        title=machine.name,
        machine=machine.name,
        words=f"{number} of {len(permitted)} changes of state seen",
        wrong=False,
        failing=False,
        height=max(y for _, y in machine.states.values()) + _MARGIN,
        nodes=[
            Node(name, x, y, "seen" if name in visited else "") for name, (x, y) in machine.states.items()
        ],
        edges=[
            edge_of(machine.states, (start, end), [Step(start, end, True, f"{start} → {end}: {times}")])
            for start, end, times, _ in drawn
        ],
    )
