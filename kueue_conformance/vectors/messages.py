"""Protobuf without a schema: a message is a list of [field number,
value], where a value is a number, text or a message.

Which of the two bytes are is told by how they look, the same way on both sides of a comparison. A vector may
send such a list as `{protobuf: [...]}`; what it gets is shown the same way.
"""

from __future__ import annotations

from ..base.json_types import Json

MAGIC = b"k8s\x00"
KIND = "application/vnd.kubernetes.protobuf"
FIXED = {1: 8, 5: 4}


def decode(content: bytes) -> Json:
    """Return an answer as a list of fields, or as text when it is no message."""
    fields = _message(content.removeprefix(MAGIC))
    return content.decode("utf-8", "replace") if fields is None else {"protobuf": fields}


def encode(message: Json) -> bytes:
    """Return the bytes of `{protobuf: [...]}`."""
    return MAGIC + _encode_fields(message["protobuf"])


def _encode_fields(pairs: Json) -> bytes:
    return b"".join(_field(number, value) for number, value in pairs)


def _field(number: int, value: Json) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else _encode_fields(value)
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    remaining, out = value & (1 << 64) - 1, bytearray()
    while remaining >= 0x80:
        out.append(remaining & 0x7F | 0x80)
        remaining >>= 7
    return bytes((*out, remaining))


def _message(data: bytes) -> list[Json] | None:
    """Return the fields, None when the bytes are no message."""
    pairs: list[Json] = []
    try:
        while data:
            tag, data = _number(data)
            value, data = _value(tag & 7, data)
            if tag < 8:
                return None
            pairs.append([tag >> 3, value])
    except ValueError:
        return None
    return pairs


def _value(kind: int, data: bytes) -> tuple[Json, bytes]:
    if kind == 0:
        return _number(data)
    size, data = (FIXED[kind], data) if kind in FIXED else _number(data)
    if kind not in {1, 2, 5} or size > len(data):
        raise ValueError("no message")
    return (_bytes(data[:size]) if kind == 2 else data[:size].hex()), data[size:]


def _number(data: bytes) -> tuple[int, bytes]:
    size = next((index for index, byte in enumerate(data, 1) if byte < 0x80), 0)
    if not size:
        raise ValueError("no end of a number")
    return sum((byte & 0x7F) << 7 * index for index, byte in enumerate(data[:size])), data[size:]


def _bytes(data: bytes) -> Json:
    try:
        text = data.decode()
        if text.isprintable():
            return text
    except UnicodeDecodeError:
        pass
    fields = _message(data.removeprefix(MAGIC))
    return data.hex() if fields is None else fields
