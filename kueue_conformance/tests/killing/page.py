"""`docs/kill-matrix.md`: the matrix for readers."""

from pathlib import Path

from kueue_conformance.catalogue.inventory import inventory

PAGE = Path(__file__).parents[3] / "docs/kill-matrix.md"
_SHOWN = 12
_HEAD = """# Who catches whom

A suite is worth what it catches. `kueue_conformance/tests/zoo/` has one right check controller and {total} wrong ones: each overrides one
decision of the right one and says which rule of the contract that breaks. `make kill-matrix` runs every scenario of the profile
CHECK-CONTROLLER against each of them, on virtual time and with rules at level *should* counted, and writes this page.

- {total} wrong controllers in {families} families, {caught} caught by the scenario that is named for them.
- {counting} of them count: they fail at most 30 % of the scenarios. The others, marked *too wrong*, show little about any one of them.
- {scenarios} scenarios, {killing} of which catch somebody.
- The right controller passes all of them.
{sampled}
`make zoo` runs each wrong controller against the scenario named for it, up to its first case that fails, and the right one against all cases
of these scenarios; some wrong ones run as programs too.
"""


_SAMPLED = (
    "- {} of the wrong controllers have met only the scenario named for them and up to ten others so far; "
    "`make kill-matrix` fills that in.\n"
)


def page(matrix, mutants):
    """Return the page."""
    killers = matrix.killers()
    caught = [one for one in mutants if one.named in matrix.killed.get(one.name, ())]
    known = [one for one in mutants if one.name in matrix.killed]
    head = _HEAD.format(
        total=len(mutants), families=len({one.family for one in mutants}), caught=len(caught), scenarios=len(matrix.scenarios),
        counting=sum(map(matrix.counts, known)), killing=sum(killers[one] > 0 for one in matrix.scenarios),
        sampled=_SAMPLED.format(len(matrix.sampled)) if matrix.sampled else "",
    )  # fmt: skip
    parts = [head, "## Wrong controllers\n"]
    for family in dict.fromkeys(one.family for one in known):
        parts += [f"### {family}\n", *_rows(matrix, [one for one in known if one.family == family])]
    return "\n".join([*parts, "## Scenarios\n", *_scenarios(matrix, known)])


def _rows(matrix, mutants):
    yield "| wrong controller | breaks | what it does | named | fails as well |\n|---|---|---|---|---|"
    for one in mutants:
        more = [scenario for scenario in matrix.killed[one.name] if scenario != one.named]
        told = ", ".join(more) if len(more) <= _SHOWN else f"{len(more)} more"
        mark = "" if matrix.counts(one) else f" (too wrong: {matrix.share(one):.0%})"
        yield f"| `{one.name}` | {one.rule} | {one.wrong} | {one.named} | {told}{mark} |"
    yield ""


def _scenarios(matrix, mutants):
    titles = {name: one.title for name, one in inventory().items()}
    yield "| scenario | catches | |\n|---|---|---|"
    for scenario in matrix.scenarios:
        found = [one for one in mutants if scenario in matrix.killed[one.name] and matrix.counts(one)]
        found = sorted(found, key=lambda one: (one.named != scenario, len(matrix.killed[one.name])))
        told = ", ".join(f"`{one.name}`" for one in found[:5]) + (
            f" and {len(found) - 5} more" if len(found) > 5 else ""
        )
        yield f"| {scenario} {titles.get(scenario, '')} | {sum(scenario in one for one in matrix.killed.values())} | {told} |"
    yield ""
