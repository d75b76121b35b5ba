"""The faults of one cluster: its rules, and the decision for each request and event (F-03).

A decision depends on the seed, the rule's id and how many subjects fitted the rule before, on nothing else;
the same requests with the same seed are disturbed alike.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from random import Random

from msgspec import Struct

from ..base.json_types import Json
from ..base.validators import expected, nearest
from . import effects
from .effects import OF_BOOKMARKS, OF_EVENTS, OF_REQUESTS, Drop, Effect, EffectError, EndWatch
from .rule import Match, Rule, RuleError, match_of, match_of_json
from .subject import Subject

LOG = logging.getLogger(__name__)
Resources = Callable[[], Collection[str] | None]
RULE_MEMBERS = ("id", "match", "effect")
HITS_KEPT = 20_000
"""Hits that are told; older ones are forgotten."""


class Hit(Struct, frozen=True):
    """One subject that a rule hit: the rule, which of those that fitted it was, and when."""

    rule: str
    number: int
    time: float
    subject: Subject


class Faults:
    """Rules in order; every rule that hits takes effect."""

    def __init__(
        self, seed: int, current_time: Callable[[], float], resources: Resources | None = None
    ) -> None:
        """`resources` returns the served resources; without it,
        or while it returns None, a rule may name any resource.
        """
        self.seed = seed
        self._resources = resources or (lambda: None)
        self.hits: deque[Hit] = deque(maxlen=HITS_KEPT)
        self._current_time = current_time
        self._rules: Mapping[str, Rule] = {}
        """Replaced when it changes: the server's loop may be looking through it meanwhile."""
        self._match_counts: dict[str, int] = {}
        self._hit_counts: dict[str, int] = {}
        self._rule_count = 0
        self._precautions: set[str] = set()
        self._listeners: tuple[Callable[[Hit], None], ...] = ()

    def __bool__(self) -> bool:
        return bool(self._rules)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in force."""
        return tuple(self._rules.values())

    def add(
        self,
        effect: Effect,
        *,
        id: str = "",  # noqa: A002 - the word of the rule's file
        nth: int | tuple[int, ...] = (),
        precaution: bool = False,
        **match: Json,
    ) -> Rule:
        """Add a rule; `match` are the fields of Match. A precaution is no mistake where it never hits.

        Raises RuleError for an id that is taken, for an effect
        or a match that is none, and for what could never hit.
        """
        rule = self._add(id, match_of({"nth": nth, **match}), effect)
        if precaution:
            self._precautions.add(rule.id)
        return rule

    def add_json(self, value: Json) -> Rule:
        """Add the rule that JSON describes. Raises RuleError."""
        if not isinstance(value, dict) or not isinstance(value.get("id", ""), str):
            raise RuleError(f"{value!r} is no rule: expected an object with match and effect")
        for name in value:
            if name not in RULE_MEMBERS:
                raise RuleError(f"a rule has no {name}: {expected(name, RULE_MEMBERS)}")
        try:
            effect = effects.of_json(value.get("effect"))
        except EffectError as error:
            raise RuleError(str(error)) from error
        return self._add(value.get("id", ""), match_of_json(value.get("match", {})), effect)

    def rules_without_hits(self) -> tuple[Rule, ...]:
        """Return the active rules that have not matched yet: most often a mistake in the rule."""
        return tuple(
            rule
            for rule in self._rules.values()
            if not self._hit_counts[rule.id] and rule.id not in self._precautions
        )

    def warn_of_unused(self) -> None:
        """Log each rule that has never matched, at the end of the run."""
        for rule in self.rules_without_hits():
            match_count = self._match_counts[rule.id]
            # A rule that never hit makes a test pass for the wrong reason, so it is worth a warning.
            why = f"{match_count} fitted it, and were spared" if match_count else "nothing fitted it"
            LOG.warning("fault %s never hit: %s: %s", rule.id, why, rule.to_json())

    def remove(self, id: str) -> None:  # noqa: A002 - the word of the API
        """Take a rule back. Raises RuleError when there is none."""
        if id not in self._rules:
            raise RuleError(f"no rule {id!r}: there are {', '.join(self._rules) or 'none'}")
        self._drop(id)

    def clear(self) -> None:
        """Take all rules back."""
        self._rules = {}

    def subscribe(self, listener: Callable[[Hit], None]) -> Callable[[], None]:
        """Call `listener` with every hit from now on, on the cluster's loop and before the effect takes
        place; returns the way to stop that.
        """
        self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            self._listeners = tuple(other for other in self._listeners if other is not listener)

        return unsubscribe

    @contextmanager
    def partition(self, actor: str) -> Iterator[None]:
        """Cut an actor off: its requests fail and its watches end, until the block does."""
        # Requests and watches both: a partition that leaves watches open is none.
        rules = (self.add(Drop(), actor=actor), self.add(EndWatch(), actor=actor))
        try:
            yield
        finally:
            self._drop(*(rule.id for rule in rules))

    def on_request(self, subject: Subject) -> tuple[Effect, ...]:
        """Return what happens to a request."""
        return self._decide(subject, OF_REQUESTS)

    def on_event(self, subject: Subject) -> tuple[Effect, ...]:
        """Return what happens to a watch event."""
        return self._decide(subject, OF_EVENTS)

    def on_bookmark(self, subject: Subject) -> tuple[Effect, ...]:
        """Return what happens to a bookmark."""
        return self._decide(subject, OF_BOOKMARKS)

    def _add(self, id: str, match: Match, effect: Effect) -> Rule:  # noqa: A002
        if not isinstance(id, str):
            raise RuleError(f"id is {id!r}: expected str")
        self._check(match, effect)
        if id in self._rules:
            raise RuleError(f"there is a rule {id!r} already: remove it first, or name another id")
        self._rule_count += 1
        rule = Rule(id=id or f"rule-{self._rule_count}", match=match, effect=effect)
        self._match_counts[rule.id] = self._hit_counts[rule.id] = 0
        # A new mapping instead of a change: the loop may be looking through the old one.
        self._rules = {**self._rules, rule.id: rule}
        return rule

    def _drop(self, *ids: str) -> None:
        self._rules = {id: rule for id, rule in self._rules.items() if id not in ids}  # noqa: A001 - as above

    def _check(self, match: Match, effect: Effect) -> None:
        """Raise RuleError for a rule that could never hit."""
        try:
            effects.check(effect)
        except EffectError as error:
            raise RuleError(str(error)) from error
        effect_verbs = effects.VERBS.get(type(effect), match.verbs)
        if not set(effect_verbs) & set(match.verbs):
            raise RuleError(
                f"match.verb is {match.verb!r}, but {effect.kind} is for {' and '.join(effect_verbs)} only"
            )
        served = self._resources() if match.resource else None
        if served is not None and not any(fnmatchcase(resource, match.resource) for resource in served):
            # A misspelt resource would match nothing and never be noticed.
            near = nearest(match.resource, served)
            hint = f"; did you mean {near!r}?" if near else ""
            raise RuleError(
                f"match.resource is {match.resource!r}, which no resource of this cluster is: expected a plural such as jobs, jobs.batch or "
                f"jobs/status, of a kind whose definition is applied{hint}"
            )

    def _decide(self, subject: Subject, kinds: tuple[type, ...]) -> tuple[Effect, ...]:
        return tuple(
            rule.effect
            for rule in self._rules.values()
            if isinstance(rule.effect, kinds) and self._hits(rule, subject)
        )

    def _hits(self, rule: Rule, subject: Subject) -> bool:
        current_time, match = self._current_time(), rule.match
        if not match.fits(subject) or not match.is_in_force(current_time):
            return False
        # Counted before anything spares it, so that `nth` and `skip` speak of the same requests.
        number = self._match_counts[rule.id] = self._match_counts[rule.id] + 1
        if number <= match.skip or (match.nth and number not in match.nth):
            return False
        if match.times and self._hit_counts[rule.id] >= match.times:
            return False
        # A generator of its own for each decision: another rule, or a request more of another client, must
        # not change what this one hits.
        chance = Random(f"{self.seed}/{rule.id}/{number}").random()  # noqa: S311 - repeatable on purpose
        if chance >= match.probability:
            return False
        self._hit_counts[rule.id] += 1
        hit = Hit(rule.id, number, current_time, subject.shorten())
        self.hits.append(hit)
        for listener in self._listeners:
            listener(hit)
        return True
