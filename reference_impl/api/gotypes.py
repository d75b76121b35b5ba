"""What a Go program makes of JSON: it is decoded into types
and written again, and neither is lossless (C-11, C-12).

Decoding skips unknown fields, reads quantities and refuses other types; writing leaves out what is empty
unless the type is written always, and puts quantities into their canonical form. Kueue's webhooks and its
conversion do both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from .quantity import QuantityError, quantity
from .resource import Json


class DecodeError(ValueError):
    """JSON that does not fit the type; the text is Go's."""


@dataclass(frozen=True, slots=True)
class FieldPath:
    """Where the decoder is: the Go struct, and the fields on the way to it."""

    struct: str = ""
    path: str = ""

    def below(self, struct: str, name: str) -> FieldPath:
        """Return the place of a field of a struct."""
        return FieldPath(struct, f"{self.path}.{name}" if self.path else name)


@dataclass(frozen=True, slots=True)
class DecodeErrors:
    """Collects what does not fit; Go goes on after a wrong type and reports the first one."""

    errors: list[str] = field(default_factory=list)

    def mismatch(self, value: Json, at: FieldPath, go: str) -> None:
        """Remember a value of the wrong type."""
        where = f"Go struct field {at.struct}.{at.path}" if at.struct else "Go value"
        self.errors.append(f"json: cannot unmarshal {_go_name(value)} into {where} of type {go}")


class GoType(Protocol):
    """A Go type."""

    @property
    def go(self) -> str:
        """Return the name of the type."""

    @property
    def zero(self) -> Json:
        """Return the JSON of a value that was never set, where the field is always written."""

    def encode(self, value: Json, at: FieldPath, complaints: DecodeErrors) -> Json:
        """Return the JSON of a value that was read; raises DecodeError for one that no type can take."""

    def is_omitted(self, value: Json) -> bool:
        """Tell whether `omitempty` leaves the value out."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, bool or number.

    Optional numbers and bools are pointers, so that only strings are ever empty.
    """

    go: str
    types: tuple[type, ...]
    zero: Json

    def encode(self, value: Json, at: FieldPath, complaints: DecodeErrors) -> Json:
        """Return the value itself."""
        if type(value) in self.types:
            return value
        complaints.mismatch(value, at, self.go)
        return self.zero

    def is_omitted(self, value: Json) -> bool:
        """Leave out empty strings."""
        return bool(value == "")


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount, given as text or as a number."""

    go: str = "resource.Quantity"
    zero: Json = "0"

    def encode(self, value: Json, at: FieldPath, complaints: DecodeErrors) -> Json:
        """Return the canonical text."""
        del at, complaints
        text = value if isinstance(value, str | int | float) and not isinstance(value, bool) else _text(value)
        try:
            return str(quantity(text))
        except QuantityError as error:
            raise DecodeError(str(error)) from None

    def is_omitted(self, value: Json) -> bool:
        """Leave out nothing: it is a struct."""
        del value
        return False


@dataclass(frozen=True, slots=True)
class Raw:
    """A value that is passed on undecoded."""

    go: str = "map[string]interface {}"
    zero: Json = None

    def encode(self, value: Json, at: FieldPath, complaints: DecodeErrors) -> Json:
        """Return the value itself."""
        del at, complaints
        return value

    def is_omitted(self, value: Json) -> bool:
        """Leave out nothing."""
        del value
        return False


@dataclass(frozen=True, slots=True)
class ListOf:
    """A slice."""

    nested_kind: GoType
    zero: Json = None

    @property
    def go(self) -> str:
        """Return the name of the type."""
        return f"[]{self.nested_kind.go}"

    def encode(self, value: Json, at: FieldPath, complaints: DecodeErrors) -> Json:
        """Return the items, each as its type has it."""
        if isinstance(value, list):
            return [_item(self.nested_kind, item, at, complaints) for item in value]
        complaints.mismatch(value, at, self.go)
        return None

    def is_omitted(self, value: Json) -> bool:
        """Leave out what has no items."""
        return not value


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map with names for keys."""

    element_kind: GoType
    zero: Json = None

    @property
    def go(self) -> str:
        """Return the name of the type."""
        return f"map[string]{self.element_kind.go}"

    def encode(self, value: Json, at: FieldPath, complaints: DecodeErrors) -> Json:
        """Return the entries, each as its type has it; keys in the order in which Go writes them."""
        if isinstance(value, dict):
            return {name: _item(self.element_kind, value[name], at, complaints) for name in sorted(value)}
        complaints.mismatch(value, at, self.go)
        return None

    def is_omitted(self, value: Json) -> bool:
        """Leave out what has no entries."""
        return not value


@dataclass(frozen=True, slots=True)
class StructField:
    """A field of a struct; `written` ones appear even when they are empty."""

    kind: GoType
    written: bool = False


class Struct:
    """A struct; its members are made when they are first needed,
    because types are deep and most are never met.
    """

    def __init__(self, name: str, package: str, members: Callable[[], Mapping[str, StructField]]) -> None:
        self.name = name
        self.go = f"{package}.{name}"
        self._make = members
        self._members: Mapping[str, StructField] | None = None

    @property
    def members(self) -> Mapping[str, StructField]:
        """Return the fields by their names in JSON."""
        if self._members is None:
            self._members = self._make()
        return self._members

    @property
    def zero(self) -> Json:
        """Return the JSON of a struct without any set field."""
        return self.encode({}, FieldPath(), DecodeErrors())

    def encode(self, value: Json, at: FieldPath, complaints: DecodeErrors) -> Json:
        """Return known fields only, each as its type has it, and those that are written always."""
        if not isinstance(value, dict):
            complaints.mismatch(value, at, self.go)
            value = {}
        written = {}
        for name, member in self.members.items():
            item = value.get(name)
            if item is None:
                if member.written:
                    written[name] = member.kind.zero
                continue
            passed = member.kind.encode(item, at.below(self.name, name), complaints)
            if member.written or not member.kind.is_omitted(passed):
                written[name] = passed
        return written

    def is_omitted(self, value: Json) -> bool:
        """Leave out nothing: a struct is never empty, a pointer to one was set."""
        del value
        return False


STRING: Final = Scalar("string", (str,), "")
BOOL: Final = Scalar("bool", (bool,), False)
QUANTITY: Final = Quantity()
RAW: Final = Raw()
OBJECT_META: Final = Raw("v1.ObjectMeta", {})


def integer(bits: int) -> Scalar:
    """Return the type of whole numbers."""
    return Scalar(f"int{bits}", (int,), 0)


def rewritten(kind: GoType, value: Json) -> Json:
    """Return a value as Go writes it after reading it; raises DecodeError."""
    complaints = DecodeErrors()
    written = kind.encode(value, FieldPath(), complaints)
    if complaints.errors:
        raise DecodeError(complaints.errors[0])
    return written


def _item(kind: GoType, value: Json, at: FieldPath, complaints: DecodeErrors) -> Json:
    return kind.zero if value is None else kind.encode(value, at, complaints)


def _go_name(value: Json) -> str:
    """Return what Go's decoder calls a value."""
    match value:
        case bool():
            return "bool"
        case str():
            return "string"
        case int() | float():
            return "number" if isinstance(value, int) else f"number {value}"
        case list():
            return "array"
        case _:
            return "object"


def _text(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
