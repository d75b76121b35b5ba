"""Where a decoder is inside an object, and what it has found wrong there (FK-041, FK-042)."""

from __future__ import annotations

from msgspec import Struct, field


class DecodingContext(Struct):
    """The way from the root to the present value.

    `path` counts list items, as strict decoding prints it; `fields` does not, as Go's type errors print it.
    """

    path: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    struct: str = ""
    unknown: list[str] = field(default_factory=list)
    error: str = ""

    def enter(self, struct: str, name: str, go_path: str) -> str:
        """Step into a member of a struct, whose place Go names so; return what `leave` wants back."""
        outer, self.struct = self.struct, struct
        self.path.append(f".{name}")
        self.fields.append(go_path)
        return outer

    def leave(self, outer: str) -> None:
        """Step out of a member again."""
        self.path.pop()
        self.fields.pop()
        self.struct = outer

    def missing(self, name: str) -> None:
        """Note a member that the struct does not have."""
        self.unknown.append("".join((*self.path, f".{name}")).removeprefix("."))

    def mismatch(self, json_name: str, go_type: str) -> None:
        """Note that a value does not fit its type; the first one is reported."""
        destination = f"struct field {self.struct}.{'.'.join(self.fields)}" if self.fields else "value"
        self.fail(f"json: cannot unmarshal {json_name} into Go {destination} of type {go_type}")

    def fail(self, text: str) -> None:
        """Note an error and its text; the first one is reported."""
        # encoding/json saves the first error and goes on.
        self.error = self.error or text
