"""One codec for each Go type: reads a JSON value,
reports what does not fit, returns what Go would encode again.

A codec is compiled once for each type from the generated facts. Inside it
`None` means Go's nil or zero time. Empty lists and maps become nil, because a
stored object has gone through protobuf, which does not know the difference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property

from msgspec import Struct

from ..base.json_types import Json
from . import types
from .decoding_context import DecodingContext, MemberStep
from .embedded import go_member_path
from .scalars import SCALARS, SPECIAL_TYPES, mismatch

Decode = Callable[[Json, DecodingContext], Json]

__all__ = ["Codec", "DecodingContext", "codec_of"]


class Codec(Struct, frozen=True):
    """How to read a type, what its zero value is, and whether `omitempty` never applies to it."""

    decode: Decode
    zero: Json = None
    solid: bool = False


@cache
def codec_of(go_type: str) -> Codec:
    """Return the codec of a Go type."""
    if go_type.startswith("*"):
        return Codec(_pointer(go_type[1:]))
    if go_type in SCALARS:
        return Codec(*_scalar_codec(go_type, go_type))
    if go_type in SPECIAL_TYPES:
        # These types read themselves, so a struct never leaves them out by omitempty.
        decode, zero = SPECIAL_TYPES[go_type]
        return Codec(decode, zero, solid=True)
    if go_type.startswith("[]"):
        return Codec(_slice(go_type, label(go_type)))
    if go_type.startswith("map["):
        return Codec(_mapping(go_type, label(go_type)))
    if types.has_fields(go_type):
        return _struct(go_type)
    return _named_type_codec(go_type)


def label(go_type: str) -> str:
    """Return the type as Go's reflection prints it: `core.v1.Container` is `v1.Container`."""
    for mark in ("[]", "*"):
        if go_type.startswith(mark):
            return mark + label(go_type[len(mark) :])
    if go_type.startswith("map["):
        key, _, value = go_type[4:].partition("]")
        return f"map[{label(key)}]{label(value)}"
    return ".".join(go_type.split(".")[-2:])


JUDGED_EMPTY = frozenset({"[]autoscaling.v2.HPAScalingPolicy", "[]int32"})
"""Lists that are not completed when they are empty, but refused."""
JUDGED_EMPTY_MAPS = frozenset(
    {"core.v1.PersistentVolumeSpec.capacity", "apiextensions.v1.JSONSchemaProps.dependencies"}
)
"""Members that are maps of which the same holds."""


def _scalar_codec(go_type: str, go_name: str) -> tuple[Decode, Json]:
    convert, zero = SCALARS[go_type]

    def decode(value: Json, context: DecodingContext) -> Json:
        return zero if value is None else convert(value, go_name, context)

    return decode, zero


def _named_type_codec(go_type: str) -> Codec:
    """A named type reads as what it stands for; messages show its own name."""
    target, go_name = types.underlying_type(go_type), label(go_type)
    if target in SCALARS:
        return Codec(*_scalar_codec(target, go_name))
    if target.startswith("[]"):
        return Codec(_slice(target, go_name))
    return Codec(_mapping(target, go_name)) if target.startswith("map[") else codec_of(target)


def _pointer(target: str) -> Decode:
    def decode(value: Json, context: DecodingContext) -> Json:
        return None if value is None else codec_of(target).decode(value, context)

    return decode


def _slice(go_type: str, go_name: str) -> Decode:
    target = go_type[2:]
    # Definitions are stored as JSON, which knows empty lists; what is stored as protobuf loses them.
    empty: Json = [] if target.startswith("apiextensions.") or go_type in JUDGED_EMPTY else None

    def decode(value: Json, context: DecodingContext) -> Json:
        if value is None:
            return None
        if not isinstance(value, list):
            # Noted, and decoding goes on: encoding/json reports the first error at the end.
            return mismatch(value, go_name, context)
        codec = codec_of(target)
        items = []
        for position, item in enumerate(value):
            context.steps.append(position)
            items.append(codec.decode(item, context))
            context.steps.pop()
        return items or empty

    return decode


def _mapping(go_type: str, go_name: str) -> Decode:
    target = go_type.partition("]")[2]

    def decode(value: Json, context: DecodingContext) -> Json:
        if value is None:
            return None
        if not isinstance(value, dict):
            return mismatch(value, go_name, context)
        codec = codec_of(target)
        members = {}
        # Sorted, as Go encodes maps; the order of the body is lost with them.
        for key in sorted(value):
            context.steps.append(key)
            decoded = codec.decode(value[key], context)
            members[key] = (
                "" if decoded is None and target == "[]byte" else decoded
            )  # nil bytes are stored as empty ones
            context.steps.pop()
        return members or None

    return decode


def _with_empty(codec: Codec) -> Codec:
    """Return a map's codec that keeps an empty one."""

    def decode(value: Json, context: DecodingContext) -> Json:
        # Only the empty map is kept; a null becomes nil as with other maps.
        return {} if value == {} else codec.decode(value, context)

    return Codec(decode, codec.zero)


class _Member(Struct, frozen=True):
    step: MemberStep
    codec: Codec
    pointer: bool
    text: bool
    flag: str
    judged_empty: bool

    @classmethod
    def of(cls, message: str, name: str, go_type: str, flag: str) -> _Member:
        """Compile a member of a message."""
        judged_empty = f"{message}.{name}" in JUDGED_EMPTY_MAPS
        return cls(
            step=MemberStep(message.rpartition(".")[2], name, go_member_path(message, name)),
            codec=_with_empty(codec_of(go_type)) if judged_empty else codec_of(go_type),
            pointer=go_type.startswith("*"),
            text=go_type == "string",
            flag=flag,
            judged_empty=judged_empty or go_type in JUDGED_EMPTY,
        )

    def is_encoded(self, value: Json) -> bool:
        """Tell whether a Go encoder writes the member."""
        # Fields without `omitempty` are written whatever they hold.
        if self.flag == "!" or (self.judged_empty and value in ([], {})):
            return True
        # omitzero leaves out what equals the zero value of its type.
        if self.flag == "0" and (value is None or value == self.codec.zero):
            return False
        # omitempty never leaves out a struct, nor a pointer that is set.
        if self.pointer or self.codec.solid:
            return not self.pointer or value is not None
        return value is not None and value is not False and value not in (0, "", [], {})


class _Members(Struct, dict=True):
    """Members of a struct, compiled when first needed, because types refer to themselves."""

    message: str

    @cached_property
    def by_name(self) -> dict[str, _Member]:
        """All members by name, in the order of declaration."""
        fields = types.go_fields(self.message).items()
        return {name: _Member.of(self.message, name, go_type, flag) for name, (_, go_type, flag) in fields}

    @cached_property
    def absent(self) -> dict[str, Json]:
        """What Go writes for members that are not set."""
        zeros = {name: _zero(member) for name, member in self.by_name.items()}
        return {name: value for name, value in zeros.items() if self.by_name[name].is_encoded(value)}

    @cached_property
    def position(self) -> Callable[[str], int]:
        """A function from a name to its place in the order of declaration."""
        return {name: at for at, name in enumerate(self.by_name)}.__getitem__

    def encode(self, decoded: dict[str, Json]) -> Json:
        """Return what Go writes for the values found, in the order of declaration."""
        members = self.by_name
        # A text that says something is written whatever its member is.
        out = {
            name: value
            for name, value in decoded.items()
            if (type(value) is str and value) or members[name].is_encoded(value)
        }
        out.update({name: value for name, value in self.absent.items() if name not in decoded})
        # A client sees the members in the order of the struct, not of its request.
        return {name: out[name] for name in sorted(out, key=self.position)}


@cache
def members_of(message: str) -> _Members:
    """Return the members of a message."""
    return _Members(message)


def _struct(message: str) -> Codec:
    go_name, members = label(message), members_of(message)

    def decode(value: Json, context: DecodingContext) -> Json:
        # A wrong type is noted, and the struct is decoded as if it were empty.
        if value is not None and not isinstance(value, dict):
            mismatch(value, go_name, context)
            value = None
        decoded, by_name = {}, members.by_name
        for name, content in (value or {}).items():
            member = by_name.get(name)
            # Unknown fields are collected; whether they are errors is for strict decoding to say.
            if member is None:
                context.missing(name)
                continue
            if member.text and type(content) is str:  # most members, which can have no mistake
                decoded[name] = content
                continue
            context.steps.append(member.step)
            decoded[name] = member.codec.decode(content, context)
            context.steps.pop()
        return members.encode(decoded)

    return Codec(decode, _Zero(members), solid=True)


def _zero(member: _Member) -> Json:
    if member.pointer or not isinstance(member.codec.zero, _Zero):
        return None if member.pointer else member.codec.zero
    return member.codec.decode(None, DecodingContext())


class _Zero(Struct, frozen=True):
    """Stands for the zero value of a struct: equal to what the struct encodes when nothing is set."""

    members: _Members

    def __eq__(self, other: object) -> bool:
        return bool(other == self.members.absent)

    # Equal to plain dicts, which have no hash, so identity is all that a hash can be.
    def __hash__(self) -> int:
        return id(self.members)
