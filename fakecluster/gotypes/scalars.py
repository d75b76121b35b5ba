"""Go's scalars and the types that read themselves: times,
quantities, int-or-string, raw JSON (FK-041, FK-493, FK-497).
"""

from __future__ import annotations

import base64
import re
import string
from collections.abc import Callable, Mapping

from ..base.json_types import Json
from ..base.numbers import timestamps
from ..base.numbers.quantity import Quantity, QuantityError
from ..codec.json import numbers
from .decoding_context import DecodingContext

Convert = Callable[[Json, str, DecodingContext], Json]
INT32 = 2**31
_ESCAPED = re.compile(r'[\x00-\x1f"\\\\]')
INT64 = 2**63
BASE64 = string.ascii_letters + string.digits + "+/"


def mismatch(value: Json, go_type: str, context: DecodingContext) -> None:
    """Report a value of another JSON type."""
    context.mismatch(json_type(value), go_type)


def json_type(value: Json) -> str:
    """Return Go's word for the JSON type of a value."""
    # bool first, which is an int in Python.
    if isinstance(value, bool):
        return "bool"
    words = {str: "string", int: "number", list: "array", dict: "object"}
    return "number" if isinstance(value, float) else words.get(type(value), "null")


def _quote_number(value: float) -> str:
    """Return a number as messages quote it: as it was written, where that is known."""
    return f"number {numbers.text(value) if type(value) is float else value}"


def _text(value: Json, go_type: str, context: DecodingContext) -> Json:
    return value if isinstance(value, str) else mismatch(value, go_type, context)


def _flag(value: Json, go_type: str, context: DecodingContext) -> Json:
    return value if isinstance(value, bool) else mismatch(value, go_type, context)


def _integer(limit: int) -> Convert:
    def read(value: Json, go_type: str, context: DecodingContext) -> Json:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return mismatch(value, go_type, context)
        # Whole numbers with a fraction were made integers when the body was read; what is still a float
        # does not fit.
        if isinstance(value, float) or not -limit <= value < limit:
            return context.mismatch(_quote_number(value), go_type)
        return value

    return read


def _number(value: Json, go_type: str, context: DecodingContext) -> Json:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return mismatch(value, go_type, context)
    return numbers.whole(value) if type(value) is float else value


def _bytes(value: Json, go_type: str, context: DecodingContext) -> Json:
    if not isinstance(value, str):
        return mismatch(value, "[]uint8" if go_type == "[]byte" else go_type, context)
    # Go's decoder skips line breaks within base64, and Python's does not.
    plain = value.replace("\n", "").replace("\r", "")
    bad = len(plain) - len(plain.lstrip(BASE64))
    padding = plain[bad:]
    # Padding must be complete, and one character more than whole groups can hold no byte.
    if padding != "=" * (-bad % 4) or bad % 4 == 1:
        context.fail(f"illegal base64 data at input byte {_corrupt_offset(plain, bad)}")
        return ""
    # Decoded and encoded again: unused bits of the last character are dropped, as in Go.
    return base64.b64encode(base64.b64decode(plain)).decode()


def _corrupt_offset(plain: str, bad: int) -> int:
    """Return the offset that Go blames: the strange character, the start of an incomplete group, or what
    follows the padding.
    """
    position = bad % 4
    if bad == len(plain):
        return bad - position
    # Two characters make one byte, so padding before them is the wrong character itself.
    if plain[bad] != "=" or position < 2:
        return bad
    if position == 3:
        return bad + 1
    if plain[bad + 1 :]:
        return bad + 2 if plain[bad + 1] == "=" else bad
    return len(plain)


SCALARS: Mapping[str, tuple[Convert, Json]] = {
    "string": (_text, ""),
    "bool": (_flag, False),
    "int": (_integer(INT64), 0),
    "int32": (_integer(INT32), 0),
    "int64": (_integer(INT64), 0),
    "float64": (_number, 0),
    "[]byte": (_bytes, None),
}


def _time(convert: Callable[[str], str | None]) -> Callable[[Json, DecodingContext], Json]:
    def read(value: Json, context: DecodingContext) -> Json:
        if value is None:
            return None
        if not isinstance(value, str):
            return mismatch(value, "string", context)
        try:
            return convert(value)
        except timestamps.TimeError as error:
            return context.fail(str(error))

    return read


def _quantity(value: Json, context: DecodingContext) -> Json:
    if value is None:
        # An absent quantity is zero.
        return "0"
    try:
        return str(Quantity.of(_trim_spaces(value) if isinstance(value, str) else _literal(value)))
    except QuantityError as error:
        return context.fail(str(error))


def _trim_spaces(text: str) -> str:
    """Return a text without the spaces around it; line breaks and tabs are escaped in JSON, and Go looks at
    what is written there.
    """
    # Quantity.UnmarshalJSON trims the raw JSON, where a tab is the two characters `\t`.
    return text if _ESCAPED.search(text) else text.strip()


def _literal(value: Json) -> str:
    """Return the JSON text of a number; anything else is no quantity."""
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def _int_or_string(value: Json, context: DecodingContext) -> Json:
    if value is None or isinstance(value, str):
        # null leaves the zero value, which is the number 0.
        return value or (0 if value is None else "")
    return (
        _integer(INT32)(value, "int32", DecodingContext(error=""))
        if _whole(value)
        else _not_whole(value, context)
    )


def _whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -INT32 <= value < INT32


def _not_whole(value: Json, context: DecodingContext) -> Json:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    json_text = _quote_number(value) if number else json_type(value)
    return context.mismatch(json_text, "int32")


def _raw(value: Json, context: DecodingContext) -> Json:
    del context
    return value


def _canonical(value: Json) -> Json:
    """Return JSON that Go reads and writes again: members by name, whole floats as integers."""
    if isinstance(value, dict):
        return {name: _canonical(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    return numbers.whole(value) if type(value) is float else value


def _any_json(value: Json, context: DecodingContext) -> Json:
    del context
    return _canonical(value)


def _schema_or_bool(value: Json, context: DecodingContext) -> Json:
    if value is not None and not isinstance(value, bool | dict):
        context.fail("boolean or JSON schema expected")
    return value


def _schema_or_list(value: Json, context: DecodingContext) -> Json:
    """Return a schema or a list;
    Go reads everything else as neither, without an error: an empty list here.
    """
    del context
    return value if value is None or isinstance(value, dict | list) else []


SPECIAL_TYPES: Mapping[str, tuple[Callable[[Json, DecodingContext], Json], Json]] = {
    "meta.v1.Time": (_time(timestamps.to_seconds), None),
    "meta.v1.MicroTime": (_time(timestamps.to_micros), None),
    "meta.v1.Duration": (_raw, "0s"),
    "meta.v1.FieldsV1": (_raw, None),
    "resource.Quantity": (_quantity, "0"),
    "intstr.IntOrString": (_int_or_string, 0),
    "runtime.RawExtension": (_raw, None),
    "apiextensions.v1.JSON": (_any_json, None),
    "apiextensions.v1.JSONSchemaPropsOrBool": (_schema_or_bool, None),
    "apiextensions.v1.JSONSchemaPropsOrArray": (_schema_or_list, None),
    "apiextensions.v1.JSONSchemaPropsOrStringArray": (_schema_or_list, None),
}
