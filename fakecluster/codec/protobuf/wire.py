"""The protobuf wire format: fields of a message, one after another, read and written."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

from ...base.work_budget import spend

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
Value = int | bytes
FIELDS_LIMIT = "fields of protobuf"
COUNTING_BATCH = 1_000
"""Fields of one message that are counted together."""
ONE_BYTE_VARINTS = tuple(bytes((number,)) for number in range(0x80))


class WireError(Exception):
    """Bytes that are no protobuf message."""


def fields(data: bytes) -> Iterator[tuple[int, int, Value]]:
    """Yield (field number, wire type, value). Raises WireError, TooMuchWork."""
    position = uncounted = 0
    spend(FIELDS_LIMIT, 1)
    while position < len(data):
        uncounted += 1
        # Counted in batches: a call for each field would cost as much as reading it.
        if uncounted == COUNTING_BATCH:
            spend(FIELDS_LIMIT, COUNTING_BATCH)
            uncounted = 0
        tag, position = _varint(data, position)
        kind = tag & 7
        if kind == VARINT:
            value, position = _varint(data, position)
            yield tag >> 3, kind, value
        else:
            size, position = _size(data, position, kind)
            if position + size > len(data):
                raise WireError("unexpected EOF")
            yield tag >> 3, kind, data[position : position + size]
            position += size
    spend(FIELDS_LIMIT, uncounted)


def to_signed(value: int, bits: int = 64) -> int:
    """Return the signed number that a varint stands for where there are so many bits;
    Go forgets those above.
    """
    low_bits, sign = value % (1 << bits), 1 << (bits - 1)
    return low_bits - (sign << 1) if low_bits & sign else low_bits


def double(data: bytes) -> float:
    """Return a fixed64 as a floating-point number. Raises WireError for one that JSON does not have."""
    number = float(struct.unpack("<d", data)[0])
    if not math.isfinite(number):
        raise WireError(
            f"json: unsupported value: {'NaN' if math.isnan(number) else '+Inf' if number > 0 else '-Inf'}"
        )
    return number


def varint(value: int) -> bytes:
    """Return a number as a varint; a negative one takes ten bytes."""
    # Lengths and small numbers, nearly all of them, from a table.
    if 0 <= value < 0x80:
        return ONE_BYTE_VARINTS[value]
    # Negative numbers are written as their 64-bit complement, hence ten bytes.
    rest_bits = value & 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while rest_bits >= 0x80:
        out.append(rest_bits & 0x7F | 0x80)
        rest_bits >>= 7
    out.append(rest_bits)
    return bytes(out)


def tag(number: int, kind: int) -> bytes:
    """Return what goes before a value: field number and wire type."""
    return varint(number << 3 | kind)


def block(tagged: bytes, data: bytes) -> bytes:
    """Return a field of bytes, text, or a message."""
    return b"%b%b%b" % (tagged, varint(len(data)), data)


def _size(data: bytes, position: int, kind: int) -> tuple[int, int]:
    if kind == BYTES:
        return _varint(data, position)
    if kind in {FIXED64, FIXED32}:
        return (8 if kind == FIXED64 else 4), position
    raise WireError(f"proto: illegal wireType {kind}")


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(data):
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        # A varint of ten bytes holds 70 bits; Go drops those above 64.
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, position
        shift += 7
        if shift > 63:
            raise WireError("proto: integer overflow")
    raise WireError("unexpected EOF")
