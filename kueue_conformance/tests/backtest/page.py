"""`docs/backtest.md`: which fixes of Kueue the suite would have asked for."""

from collections import Counter
from pathlib import Path

from .fixes import in_scope, out_of_scope

PAGE = Path(__file__).parents[3] / "docs/backtest.md"
_PULL = "https://github.com/kubernetes-sigs/kueue/pull"
_HEAD = """# Backtest

Would the suite have reported the faults that Kueue's releases mended? The list has {all} fixes that the lines since v0.16 shipped, from the changelogs and, after v0.19.2, from release notes and threads
([facts](facts/kueue-0.20.md)). {scope} are in scope. For each a control plane that has the fault, a wrong one of the [kill matrix](kill-matrix.md) or the reference with the defect of an older release
switched on again, is judged by the scenario that is named for it.

**{reported} of {scope} are reported ({share:.0%}).** `python -m kueue_conformance.tests.backtest` judges them and writes this page; the list is `kueue_conformance/tests/backtest/fixes.yaml`.

A wrong control plane has the effect that the fix did away with, not the code of its cause: races are played as what they lead to, and several fixes of one effect have one control plane.

| line | fixes in scope | reported |
|---|---|---|
{lines}
## In scope

| fix | first releases | area | fault | control plane | scenario | reported |
|---|---|---|---|---|---|---|
{rows}
## Out of scope

| area | why | fixes |
|---|---|---|
{apart}"""


def page(results):
    """Return the page; `results` has for each control plane its scenario, level and whether it failed."""
    fixes = in_scope()
    reported = [fix for fix in fixes if _is_reported(fix, results)]
    apart = out_of_scope()
    return _HEAD.format(
        all=len(fixes) + sum(len(group) for _, group in apart.values()),
        scope=len(fixes),
        reported=len(reported),
        share=len(reported) / len(fixes),
        lines="".join(_lines(fixes, reported)),
        rows="".join(_row(fix, results) for fix in fixes),
        apart="".join(f"| {area} | {why} | {_pulls(group)} |\n" for area, (why, group) in apart.items()),
    )


def _is_reported(fix, results):
    return fix.plane in results and results[fix.plane]["reported"]


def _lines(fixes, reported):
    scope, seen = (Counter(line for fix in group for line in fix.lines) for group in (fixes, reported))
    for line in sorted(scope, key=lambda line: [int(number) for number in line.split(".")]):
        yield f"| v{line} | {scope[line]} | {seen[line]} |\n"


def _row(fix, results):
    releases = ", ".join(f"v{version}" for version in fix.releases.split())
    head = f"| [#{fix.pr}]({_PULL}/{fix.pr}) | {releases} | {fix.area} | {fix.fault} |"
    if not fix.plane:
        return f"{head} | | no: {fix.why} |\n"
    result = results[fix.plane]
    verdict = f"yes, {result['level']}" if result["reported"] else "no: the scenario passes"
    return f"{head} `{fix.plane}` | {result['scenario']} | {verdict} |\n"


def _pulls(group):
    return ", ".join(f"[#{fix.pr}]({_PULL}/{fix.pr})" for fix in group)
