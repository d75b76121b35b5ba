"""Where a decoder is inside an object, and what it has found wrong there (FK-041, FK-042)."""

from __future__ import annotations

from msgspec import Struct, field


class MemberStep(Struct, frozen=True):
    """A step into a member of a struct, whose place Go names so."""

    struct: str
    name: str
    go_path: str


class DecodingContext(Struct):
    """The way from the root to the present value: members of structs, positions in lists and keys of maps."""

    steps: list[MemberStep | int | str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    error: str = ""

    def missing(self, name: str) -> None:
        """Note a member that the struct does not have."""
        self.unknown.append("".join(map(_text, (*self.steps, name))).removeprefix("."))

    def mismatch(self, json_name: str, go_type: str) -> None:
        """Note that a value does not fit its type; the first one is reported.

        Go's type errors name no items and no keys.
        """
        members = [step for step in self.steps if isinstance(step, MemberStep)]
        path = ".".join(step.go_path for step in members)
        destination = f"struct field {members[-1].struct}.{path}" if members else "value"
        self.fail(f"json: cannot unmarshal {json_name} into Go {destination} of type {go_type}")

    def fail(self, text: str) -> None:
        """Note an error and its text; the first one is reported."""
        # encoding/json saves the first error and goes on.
        self.error = self.error or text


def _text(step: MemberStep | int | str) -> str:
    """Return a step as strict decoding prints it."""
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step.name if isinstance(step, MemberStep) else step}"
