"""`docs/kill-matrix.md`: the matrices of all zoos for readers."""

from collections import Counter
from pathlib import Path

from kueue_conformance.catalogue.inventory import inventory

from .zoo import SEEDS

PAGE = Path(__file__).parents[3] / "docs/kill-matrix.md"
_SHOWN = 12
_HEAD = """# Kill matrix

A scenario is worth the defects that it catches. Beside the right implementations of this repository there are wrong ones: each overrides one
decision of the right one, names the row of the documents that it breaks, and the scenario that must catch it. `make kill-matrix` runs every scenario
of a profile against each of them, on virtual time and with rules at every level counted, and writes this page; `make kill-matrix
ARGS=--seeds` runs each against its scenario in {seeds} seeds. `make zoo` does so in one seed, up to the first case that fails or with the one case that
is named, and runs the right ones against these scenarios; what `make conformance` runs against the reference anyhow, and what is too large
for a quick run, is left to `make conformance` and `make sizes`.
"""
_ZOO = """## Wrong {title}

`kueue_conformance/tests/{place}/`, profile {profile}.

- {total} wrong {title} in {families} families, {caught} caught by the scenario that is named for them: {levels}.
- {run} of them were run against it in {seeds} seeds so far, {in_seeds} of these were caught in each.
- {counting} of them count: they fail at most 30 % of the scenarios. The others, marked *too wrong*, show little about any one of them.
- {scenarios} scenarios, {killing} of which catch something. The right {right} passes all of them.
{sampled}"""
_SAMPLED = "- {} of them have met only the scenario named for them and up to ten others so far; `make kill-matrix` fills that in.\n"


def page(matrices):
    """Return the page."""
    pieces = [_HEAD.format(seeds=len(SEEDS))]
    for matrix in matrices:
        wrong = [mutant for mutant in matrix.zoo.wrong if mutant.name in matrix.killed]
        pieces.append(_head(matrix, wrong))
        for family in dict.fromkeys(mutant.family for mutant in wrong):
            pieces += [
                f"### {family}\n",
                *_rows(matrix, [mutant for mutant in wrong if mutant.family == family]),
            ]
        pieces += [f"### Scenarios of {matrix.zoo.profile}\n", *_scenarios(matrix, wrong)]
    return "\n".join(pieces)


def _head(matrix, known_subjects):
    killers, zoo = matrix.killers(), matrix.zoo
    caught = [mutant for mutant in zoo.wrong if mutant.named in matrix.killed.get(mutant.name, ())]
    levels = Counter(mutant.level for mutant in caught)
    return _ZOO.format(
        title=zoo.title,
        place=zoo.place,
        profile=zoo.profile,
        right=zoo.right,
        total=len(zoo.wrong),
        families=len({mutant.family for mutant in zoo.wrong}),
        caught=len(caught),
        levels=", ".join(
            f"{levels[mutant]} at {mutant}" for mutant in ("must", "should", "may") if levels[mutant]
        ),
        run=sum(mutant.name in matrix.seeds for mutant in zoo.wrong),
        in_seeds=sum(matrix.seeds.get(mutant.name) == len(SEEDS) for mutant in zoo.wrong),
        seeds=len(SEEDS),
        counting=sum(map(matrix.counts, known_subjects)),
        scenarios=len(matrix.scenarios),
        killing=sum(killers[scenario] > 0 for scenario in matrix.scenarios),
        sampled=_SAMPLED.format(len(matrix.sampled)) if matrix.sampled else "",
    )


def _rows(matrix, wrong):
    yield "| wrong | breaks | what it does | named | level | fails as well |\n|---|---|---|---|---|---|"
    for mutant in wrong:
        scenarios = [scenario for scenario in matrix.killed[mutant.name] if scenario != mutant.named]
        text = ", ".join(scenarios) if len(scenarios) <= _SHOWN else f"{len(scenarios)} more"
        mark = "" if matrix.counts(mutant) else f" (too wrong: {matrix.share(mutant):.0%})"
        yield f"| `{mutant.name}` | {mutant.row} | {mutant.wrong} | {mutant.named} | {mutant.level} | {text}{mark} |"
    yield ""


def _scenarios(matrix, wrong):
    titles = {name: mutant.title for name, mutant in inventory().items()}
    yield "| scenario | catches | |\n|---|---|---|"
    for scenario in matrix.scenarios:
        result = [
            mutant for mutant in wrong if scenario in matrix.killed[mutant.name] and matrix.counts(mutant)
        ]
        result = sorted(
            result, key=lambda mutant: (mutant.named != scenario, len(matrix.killed[mutant.name]))
        )
        text = ", ".join(f"`{mutant.name}`" for mutant in result[:5]) + (
            f" and {len(result) - 5} more" if len(result) > 5 else ""
        )
        yield f"| {scenario} {titles.get(scenario, '')} | {sum(scenario in mutant for mutant in matrix.killed.values())} | {text} |"
    yield ""
