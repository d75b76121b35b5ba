"""Messages whose JSON form is not an object of their fields: times, quantities, raw JSON and wrappers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import orjson

from ...base.json_types import Json
from ...base.numbers.timestamps import Moment, moment_at, print_moment
from ..json import gojson
from .wire import Value, WireError, fields, to_signed

Special = Callable[[bytes], Json]
DURATION_UNITS = ((3600, "h"), (60, "m"))
NANO = 1_000_000_000


def _fields_by_number(data: bytes) -> dict[int, Value]:
    return {number: value for number, _, value in fields(data)}


def _text(value: Value) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _number(message_fields: Mapping[int, Value], index: int, bits: int = 64) -> int:
    value = message_fields.get(index, 0)
    return to_signed(value, bits) if isinstance(value, int) else 0


def _moment(data: bytes) -> tuple[Moment, int] | None:
    timestamp_fields = _fields_by_number(data)
    if not timestamp_fields:
        return None
    # Clients may send more nanoseconds than a second has; Go carries them over.
    further, nanos = divmod(_number(timestamp_fields, 2, 32), NANO)
    return moment_at(_number(timestamp_fields, 1) + further), nanos


def _time(data: bytes) -> Json:
    moment_and_nanos = _moment(data)
    return moment_and_nanos and print_moment(moment_and_nanos[0], "%H:%M:%SZ")


def _micro_time(data: bytes) -> Json:
    moment_and_nanos = _moment(data)
    return moment_and_nanos and print_moment(
        moment_and_nanos[0], f"%H:%M:%S.{moment_and_nanos[1] // 1000:06d}Z"
    )


def _int_or_string(data: bytes) -> Json:
    message_fields = _fields_by_number(data)
    return _text(message_fields.get(3, b"")) if message_fields.get(1) else _number(message_fields, 2, 32)


def _string(data: bytes) -> Json:
    return _text(_fields_by_number(data).get(1, b""))


def _strings(data: bytes) -> Json:
    return [_text(value) for number, _, value in fields(data) if number == 1]


def _raw(data: bytes) -> Json:
    content = _fields_by_number(data).get(1)
    if not isinstance(content, bytes) or not content:
        return None
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        why = gojson.depth_problem(content) or gojson.problem(content) or "a number that no float holds"
        raise WireError(f"embedded JSON cannot be read: {why}") from error


def _duration(data: bytes) -> Json:
    rest_nanos = _number(_fields_by_number(data), 1)
    sign, rest_nanos = ("-", -rest_nanos) if rest_nanos < 0 else ("", rest_nanos)
    seconds, nanos = divmod(rest_nanos, NANO)
    text = ""
    for size, unit in DURATION_UNITS:
        count, seconds = divmod(seconds, size)
        text += f"{count}{unit}" if count or text else ""
    fraction = f".{nanos:09d}".rstrip("0") if nanos else ""
    return f"{sign}{text}{seconds}{fraction}s"


SPECIAL_READERS: Mapping[str, Special] = {
    "apiextensions.v1.JSON": _raw,
    "authentication.v1.ExtraValue": _strings,
    "authorization.v1.ExtraValue": _strings,
    "intstr.IntOrString": _int_or_string,
    "meta.v1.Duration": _duration,
    "meta.v1.FieldsV1": _raw,
    "meta.v1.MicroTime": _micro_time,
    "meta.v1.Time": _time,
    "meta.v1.Verbs": _strings,
    "resource_q.Quantity": _string,
    "runtime.RawExtension": _raw,
}
