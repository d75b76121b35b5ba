"""A story of a control plane."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from ...base.errors import UsageError
from ...control_planes import BLOCKED_ADMISSION, FAIR_SHARING, LIMITED_REQUEUING, SHORT_RECOVERY, VISIBILITY
from ...scenarios.capability import PROVISIONING_REQUESTS
from ..interruptions import KINDS, STILL
from ..perturbation import PerturbationKind
from .acts import CREATES, UNNAMED, Act, Verb

FEATURES: Mapping[str, str] = {
    "blocked-admission": BLOCKED_ADMISSION,
    "limited-requeuing": LIMITED_REQUEUING,
    "short-recovery": SHORT_RECOVERY,
    "fair-sharing": FAIR_SHARING,
}
"""What the control plane can be configured with, by the word of an act."""
SERVED: Mapping[str, str] = {
    "visibility": VISIBILITY,
    "provisioning": PROVISIONING_REQUESTS,
    "webhooks": "webhooks",
}
"""What the control plane serves where a story asks for it, by the word of an act; it decides nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Acts in order. Each can follow each: what cannot be done, such as a verdict on what lists no check, is
    left undone.
    """

    program: ClassVar[str] = "control plane"
    kinds: ClassVar[Sequence[PerturbationKind]] = KINDS
    acts: tuple[Act, ...]

    @property
    def features(self) -> tuple[str, ...]:
        """The features that the control plane is configured with."""
        return self._configured_words(FEATURES)

    @property
    def services(self) -> tuple[str, ...]:
        """What the control plane serves beside its decisions."""
        return self._configured_words(SERVED)

    def _configured_words(self, words: Mapping[str, str]) -> tuple[str, ...]:
        named = [act.option("feature") for act in self.acts if act.verb is Verb.CONFIGURE]
        return tuple(words[word] for word in named if word in words)

    @property
    def has_drawn_names(self) -> bool:
        """Whether objects have names as long and as much alike as they may be."""
        return any(act.verb is Verb.NAMES for act in self.acts)

    def is_wait(self, number: int) -> bool:
        """Tell whether an act only waits, or interrupts by itself."""
        return self.acts[number - 1].verb in STILL

    def is_alone(self, number: int) -> bool:
        """Tell whether everything is at rest before an act and behind it: then no other act runs into it."""
        around = [self.acts[place].verb for place in (number - 2, number) if 0 <= place < len(self.acts)]
        return all(verb is Verb.SETTLE for verb in around)

    def as_fields(self) -> Mapping[str, Any]:
        """Return it as fields of a file."""
        return {"acts": [str(act) for act in self.acts]}

    @classmethod
    def of(cls, document: Mapping[str, Any], file: Path) -> Self:
        """Return the story of a file's fields. Raises UsageError."""
        acts = tuple(Act.of(str(line)) for line in document["acts"])
        if not acts:
            raise UsageError(f"{file} has no acts", hint="name a file of a folder of findings")
        features = [act.option("feature") for act in acts if act.verb is Verb.CONFIGURE]
        words = {**FEATURES, **SERVED}
        if wrong := [feature for feature in features if feature not in words]:
            raise UsageError(
                f"{file}: {wrong[0]!r} is no feature", hint=f"expected one of {', '.join(words)}"
            )
        if unknown := _first_unknown(acts):
            raise UsageError(
                f"{file}: `{unknown}` is about an object that no act before it creates",
                hint="add the act that creates it, such as `queue q1 quota=f1:4`",
            )
        return cls(acts=acts)

    def without(self, numbers: Collection[int]) -> Self | None:
        """Return it without some acts; None where one of the others is about what is not created then."""
        acts = tuple(act for number, act in enumerate(self.acts, 1) if number not in numbers)
        return None if not acts or _first_unknown(acts) else replace(self, acts=acts)

    def groups(self) -> Iterator[Collection[int]]:
        """Yield the numbers of the acts that are about each object, or name it."""
        for name in sorted({name for act in self.acts for name in act.objects}):
            yield {number for number, act in enumerate(self.acts, 1) if name in act.objects}

    def simplify(self) -> Iterator[Self]:
        """Yield it with one option of one act less."""
        for place, act in enumerate(self.acts):
            for option in act.options:
                simpler = replace(act, options=tuple(other for other in act.options if other != option))
                if option[0] in _OPTIONAL:
                    yield replace(self, acts=(*self.acts[:place], simpler, *self.acts[place + 1 :]))


_OPTIONAL = (
    frozenset(
        {"borrow", "lend", "cohort", "checks", "strategy", "within", "reclaim", "borrowing", "preempting"}
    )
    | {"min", "priority", "tolerates", "on", "active", "limit", "delay", "update", "taint", "parent"}
    | {"wait", "longest", "parameter", "manages", "merges", "labels", "details", "retries"}
    | {"class", "memory", "team", "counted", "weight", "lower"}
    | {"affinity", "init", "sidecar", "second", "whole", "requests", "runtime", "others"}
)
"""Options without which an act is simpler, and can be carried out."""


def _first_unknown(acts: Sequence[Act]) -> Act | None:
    """Return the first act that is about an object which no act before it creates."""
    created: set[str] = set()
    for act in acts:
        if act.verb in CREATES:
            created.add(act.name)
        elif act.verb not in UNNAMED and act.name not in created:
            return act
    return None
