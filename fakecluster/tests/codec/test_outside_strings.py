"""What of a JSON text stands outside its strings, by which keys and values are counted."""

import pytest

from fakecluster.codec.json.gojson import outside_strings


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        pytest.param(b'{"a": ["b", 1]}', b"{: [, 1]}", id="strings"),
        pytest.param(rb'{"a\"": "\\", "b:": ","}', b"{: , : }", id="escapes"),
        pytest.param(rb'["\\\"", {}]', b"[, {}]", id="a backslash before a quote"),
        pytest.param(b"[1, {}]", b"[1, {}]", id="no strings"),
        pytest.param(b'{"a": "never ends, [{', b"{: ", id="malformed"),
    ],
)
def test_outside_strings(text, outside):
    assert outside_strings(text) == outside
