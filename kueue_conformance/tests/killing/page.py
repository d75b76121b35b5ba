"""`docs/kill-matrix.md`: the matrices of all zoos for readers."""

from collections import Counter
from pathlib import Path

from kueue_conformance.catalogue.inventory import inventory

from .zoo import SEEDS

PAGE = Path(__file__).parents[3] / "docs/kill-matrix.md"
_SHOWN = 12
_HEAD = """# Who catches whom

A suite is worth what it catches. Beside the right implementations of this repository there are wrong ones: each overrides one decision of
the right one, says which row of the documents that breaks, and names the scenario that must catch it. `make kill-matrix` runs every scenario
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
    parts = [_HEAD.format(seeds=len(SEEDS))]
    for matrix in matrices:
        known = [one for one in matrix.zoo.wrong if one.name in matrix.killed]
        parts.append(_head(matrix, known))
        for family in dict.fromkeys(one.family for one in known):
            parts += [f"### {family}\n", *_rows(matrix, [one for one in known if one.family == family])]
        parts += [f"### Scenarios of {matrix.zoo.profile}\n", *_scenarios(matrix, known)]
    return "\n".join(parts)


def _head(matrix, known):
    killers, zoo = matrix.killers(), matrix.zoo
    caught = [one for one in zoo.wrong if one.named in matrix.killed.get(one.name, ())]
    levels = Counter(one.level for one in caught)
    return _ZOO.format(
        title=zoo.title,
        place=zoo.place,
        profile=zoo.profile,
        right=zoo.right,
        total=len(zoo.wrong),
        families=len({one.family for one in zoo.wrong}),
        caught=len(caught),
        levels=", ".join(f"{levels[each]} at {each}" for each in ("must", "should", "may") if levels[each]),
        run=sum(one.name in matrix.seeds for one in zoo.wrong),
        in_seeds=sum(matrix.seeds.get(one.name) == len(SEEDS) for one in zoo.wrong),
        seeds=len(SEEDS),
        counting=sum(map(matrix.counts, known)),
        scenarios=len(matrix.scenarios),
        killing=sum(killers[each] > 0 for each in matrix.scenarios),
        sampled=_SAMPLED.format(len(matrix.sampled)) if matrix.sampled else "",
    )


def _rows(matrix, wrong):
    yield "| wrong | breaks | what it does | named | level | fails as well |\n|---|---|---|---|---|---|"
    for one in wrong:
        more = [scenario for scenario in matrix.killed[one.name] if scenario != one.named]
        told = ", ".join(more) if len(more) <= _SHOWN else f"{len(more)} more"
        mark = "" if matrix.counts(one) else f" (too wrong: {matrix.share(one):.0%})"
        yield f"| `{one.name}` | {one.row} | {one.wrong} | {one.named} | {one.level} | {told}{mark} |"
    yield ""


def _scenarios(matrix, wrong):
    titles = {name: one.title for name, one in inventory().items()}
    yield "| scenario | catches | |\n|---|---|---|"
    for scenario in matrix.scenarios:
        found = [one for one in wrong if scenario in matrix.killed[one.name] and matrix.counts(one)]
        found = sorted(found, key=lambda one: (one.named != scenario, len(matrix.killed[one.name])))
        told = ", ".join(f"`{one.name}`" for one in found[:5]) + (
            f" and {len(found) - 5} more" if len(found) > 5 else ""
        )
        yield f"| {scenario} {titles.get(scenario, '')} | {sum(scenario in one for one in matrix.killed.values())} | {told} |"
    yield ""
