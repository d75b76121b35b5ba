"""What a verdict says beside its state: a message, a delay, changes of pods; drawn from numbers (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from ...base.errors import UsageError
from ...stage.making import manifests
from ...stage.making.kubernetes_provider import kubernetes_provider

_WORD = re.compile(r"(?P<name>[a-z-]+)=(?P<number>-?[0-9]+)")
_SHORTEST_LIMIT = 1024
"""Bytes up to which a message is passed on as it is (CC-036)."""
_COMPARED = 100
"""Letters of a longer text with which a message begins that is cut."""
LONG_TEXTS = ("a long story " * 3_000, "準" * 14_000, "a" + "😀" * 11_000, "a short story\n" * 60)
"""The first three are longer than the 32 768 bytes that an entry holds (AC-120)."""
SECTIONS = ("labels", "annotations", "nodeSelector", "tolerations")
UPDATES = 2 ** len(SECTIONS) - 1
"""The largest number of changes of pods: a bit for each section."""
_VALUE = "ours"
"""One for all verdicts, which contradict each other otherwise; they differ in their sections."""
UNKNOWN_PODS, CONTRADICTION = 1, 2
"""Mistakes in changes of pods: a pod set that is not there, and another value of a key that pods have."""
FIXED_PODS = "fixed"
"""The pod set whose pods have values of their own for what changes."""


@dataclass(frozen=True, slots=True)
class Content:
    """Numbers of what is said; -1 of a text, and 0 of changes: nothing."""

    message: int = -1
    """The seed of a drawn text with line breaks, percent signs, braces and foreign letters."""
    long: int = -1
    """The index of a long text."""
    after: int | None = None
    """The seconds after which a Retry is worth it; a negative number is no delay."""
    updates: int = 0
    """The sections of pods that change, as bits; each pod set gets them."""
    mistake: int = 0
    """What is wrong with the changes, by number; 0: nothing."""

    def __str__(self) -> str:
        return " ".join(f"{name}={number}" for name, number in self._words())

    def _words(self) -> Iterator[tuple[str, int]]:
        for field in fields(self):
            number = getattr(self, field.name)
            if number != field.default:
                yield field.name, number

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the content that words such as `message=7 after=90` name. Raises UsageError."""
        numbers = {}
        for word in text.split():
            parsed = _WORD.fullmatch(word)
            names = [field.name for field in fields(cls)]
            if parsed is None or parsed["name"] not in names:
                raise UsageError(
                    f"{word!r} is nothing that a verdict says", hint=f"expected {', '.join(names)} and `=N`"
                )
            numbers[parsed["name"]] = int(parsed["number"])
        content = cls(**numbers)
        if not -1 <= content.long < len(LONG_TEXTS) or not 0 <= content.updates <= UPDATES:
            raise UsageError(
                f"{text.strip()!r} is nothing that a verdict says",
                hint=f"expected long below {len(LONG_TEXTS)}, and updates up to {UPDATES}",
            )
        return content

    @property
    def is_wrong(self) -> bool:
        """Whether it must not be passed on."""
        return bool(self.mistake) or (self.after or 0) < 0

    @property
    def text(self) -> str:
        """The message, empty where any will do."""
        if self.long >= 0:
            return LONG_TEXTS[self.long]
        return next(kubernetes_provider(self.message).messages()) if self.message >= 0 else ""

    def answer(self, pod_sets: Sequence[str]) -> Mapping[str, Any]:
        """Return the fields of an answer about a Workload with these pod sets."""
        return {
            **({"message": self.text} if self.text else {}),
            **({"requeueAfterSeconds": self.after} if self.after is not None else {}),
            **({"podSetUpdates": self.changes(pod_sets)} if self.updates else {}),
        }

    def changes(self, pod_sets: Sequence[str]) -> Sequence[Mapping[str, Any]]:
        """Return the podSetUpdates, which a mistake makes wrong."""
        names = {
            UNKNOWN_PODS: ["no-such-pods"],
            CONTRADICTION: [FIXED_PODS],
        }.get(self.mistake, [name for name in pod_sets if name != FIXED_PODS])
        return [self._change(name) for name in names] if self.updates else []

    def _change(self, pods: str) -> Mapping[str, Any]:
        merged: dict[str, Any] = {"name": pods}
        for index, section in enumerate(SECTIONS):
            if self.updates >> index & 1:
                merged |= manifests.pod_set_update(section, _VALUE, pods)
        return merged

    def allows_message(self, message: str) -> bool:
        """Tell whether a message passes the text on, cut where it is long."""
        text = self.text
        if not text or message == text:
            return True
        return len(text.encode()) > _SHORTEST_LIMIT and message.startswith(text[:_COMPARED])


NOTHING = Content()
