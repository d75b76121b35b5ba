"""How values are written whose JSON form is not an object of their fields:
times, quantities, raw JSON, unions (FK-532).

Each function takes None as well: Go writes a member that is no pointer even when it is not set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import orjson

from ...base.json_types import Json
from ...base.numbers.timestamps import whole_and_micros
from .wire import BYTES, VARINT, block, tag, varint

Write = Callable[[Json], bytes]
BYTES_1, BYTES_2, BYTES_3 = (tag(number, BYTES) for number in (1, 2, 3))
VARINT_1, VARINT_2 = tag(1, VARINT), tag(2, VARINT)


def _moment(value: Json) -> tuple[int, int]:
    seconds, micros = whole_and_micros(value)
    return seconds, micros * 1000


def _time(value: Json) -> bytes:
    if not value:
        return b""
    # Nanoseconds are always written and always 0: metav1.Time has seconds only.
    return b"%b%b%b\0" % (VARINT_1, varint(_moment(value)[0]), VARINT_2)


def _micro_time(value: Json) -> bytes:
    if not value:
        return b""
    seconds, nanos = _moment(value)
    return b"%b%b%b%b" % (VARINT_1, varint(seconds), VARINT_2, varint(nanos))


def _int_or_string(value: Json) -> bytes:
    text = value if isinstance(value, str) else ""
    # IntOrString writes all three fields, the unused one as zero.
    number = 0 if value is None or isinstance(value, str) else value
    encoded_fields = (
        VARINT_1,
        varint(isinstance(value, str)),
        VARINT_2,
        varint(number),
        block(BYTES_3, text.encode()),
    )
    return b"".join(encoded_fields)


def _quantity(value: Json) -> bytes:
    return block(BYTES_1, str("0" if value is None else value).encode())


def _strings(value: Json) -> bytes:
    return b"".join([block(BYTES_1, text.encode()) for text in value or ()])


def _raw(value: Json) -> bytes:
    return b"" if value is None else block(BYTES_1, orjson.dumps(value, option=orjson.OPT_SORT_KEYS))


SPECIAL_WRITERS: Mapping[str, Write] = {
    "apiextensions.v1.JSON": _raw,
    "authentication.v1.ExtraValue": _strings,
    "authorization.v1.ExtraValue": _strings,
    "intstr.IntOrString": _int_or_string,
    "meta.v1.FieldsV1": _raw,
    "meta.v1.MicroTime": _micro_time,
    "meta.v1.Time": _time,
    "meta.v1.Verbs": _strings,
    "resource_q.Quantity": _quantity,
    "runtime.RawExtension": _raw,
}
