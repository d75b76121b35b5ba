"""Names and texts of generated objects at the limits of the API, drawn with the run's seed by Faker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .kubernetes_provider import LABEL_LENGTH, NAME_LENGTH, kubernetes_provider
from .names import Names


@dataclass(frozen=True, slots=True)
class Form:
    """What the name of an object may be, by what is made of it."""

    length: int = LABEL_LENGTH
    dots: bool = True


_LONGEST = Form(NAME_LENGTH)
_FORMS = {
    **dict.fromkeys(("namespace", "config", "parameters"), Form(dots=False)),
    # The name of a ProvisioningRequest has both in it, and is cut at 247 characters, or, where the number of
    # the attempt always stays, at 227.
    "workload": Form(130),
    "check": Form(90),
    **dict.fromkeys(("flavor", "cohort", "pods", "template", "request"), _LONGEST),
}
"""The forms by role.

Others have 63 characters: the names of queues, Jobs and priorities become values of labels.
"""


class DrawnNames(Names):
    """Makes names that are easily mistaken for each other, and texts that are easily taken for templates.

    The names of a role are in the order in which they were made, as the API orders them: by bytes.
    """

    def __init__(self, scenario: str, run: str, case: str, seed: int, *, drawn_values: list[str]) -> None:
        super().__init__(scenario, run, case, seed)
        self._provider = kubernetes_provider(self._number)
        self._rows: dict[str, Iterator[str]] = {}
        self._label_values: dict[str, str] = {}
        self._drawn_values = drawn_values

    def name(self, role: str = "object") -> str:
        """Return a new name of a role, as long as it may be."""
        start = f"{role}-{self._prefix}"
        if role == "user":
            return self._next(role, lambda: self._provider.user_names(start))
        form = _FORMS.get(role, Form())
        return self._next(role, lambda: self._provider.object_names(start, form.length, dots=form.dots))

    def message(self) -> str:
        """Return a text that a template, a shell or a page would take for its own."""
        return self._next("message", self._provider.messages)

    def labels(self) -> dict[str, str]:
        """Return two labels whose keys, and whose values, differ in the case of a letter alone."""
        keys, values = self._provider.label_keys, self._provider.label_values
        return {self._next("label key", keys): self._next("label value", values) for _ in range(2)}

    def label_value(self, name: str) -> str:
        """Return the value of the labels that stand for an object."""
        if name not in self._label_values:
            self._label_values[name] = self._next("label of an object", self._provider.label_values)
        return self._label_values[name]

    def _next(self, role: str, row: Callable[[], Iterator[str]]) -> str:
        if role not in self._rows:
            self._rows[role] = row()
        value = next(self._rows[role])
        self._drawn_values.append(f"{role} {value!r}")
        return value
