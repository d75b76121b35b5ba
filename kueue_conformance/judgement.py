"""The safety rules on one case: which objects are the case's, what was broken, and that a breach fails it (harness/N-02)."""

from __future__ import annotations

from collections.abc import Sequence

from .bench import Bench
from .errors import Nonconformance
from .history import Change, Request
from .outcome import Level
from .rules import Story, Violation, judge
from .telling import story_of

Verdict = tuple[Violation, ...]


def violations(bench: Bench) -> Verdict | None:
    """Return what the subject broke, None where there is no subject, or nobody saw who wrote what."""
    if bench.subject is None or not bench.cluster.recorder.knows_users:
        return None
    return tuple(judge(story(bench), bench.dialect))


def story(bench: Bench) -> Story:
    """Return what happened to the objects of the case, and what the subject asked for."""
    recorder, ours = bench.cluster.recorder, _Ours(bench)
    return Story(
        changes=[one for one in recorder.changes() if ours.has(one)],
        attempts=[one for one in recorder.attempts() if ours.has(one)],
        controller=bench.subject.controller_name if bench.subject else "",
        requests=recorder.requests(),
        skew=bench.skew,
    )


def enforce(bench: Bench, found: Sequence[Violation], *, strict: bool) -> None:
    """Raise Nonconformance, named for the rules, for breaches that count."""
    levels = (Level.MUST, Level.SHOULD) if strict else (Level.MUST,)
    binding = [one for one in found if one.level in levels]
    if not binding:
        return
    rules = ", ".join(dict.fromkeys(one.rule for one in binding))
    lines = [
        f"  {one.rule}  {one.thing} at rv {one.revision or '-'}: {one.text}\n          rule: a check controller {one.wording}"
        for one in binding
    ]
    told = "\n".join(
        [
            f"{rules}  [{bench.dialect.name}] safety rules, judged over {bench.scenario}",
            *lines,
            *story_of(bench),
        ]
    )
    raise Nonconformance(told, code=rules)


class _Ours:
    """The objects that the case made: its namespaces with all in them, and its cluster-scoped objects."""

    def __init__(self, bench: Bench) -> None:
        made = bench.client.created
        self._namespaces = {name for resource, _, name in made if resource.kind == "Namespace"}
        self._cluster_wide = {(resource.kind, name) for resource, _, name in made if not resource.namespaced}

    def has(self, one: Change | Request) -> bool:
        """Tell whether a change or an attempt is about one of them."""
        return one.namespace in self._namespaces or (one.kind, one.name) in self._cluster_wide
