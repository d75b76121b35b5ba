"""String formats (FK-263)."""

import pytest

from fakecluster.schema.formats import check_of, format_of

CASES = {
    "date-time": (["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.123+02:00", "2020-01-01t00:00:00z"], ["2020-01-01", "2020-01-01T24:00:00Z", "x"]),
    "date": (["2020-02-29"], ["2020-13-01", "2021-02-29"]),
    "duration": (["1h30m", "1 day", "0", "in 5 minutes"], ["5", "x", ""]),
    "email": (["a@b.c", "A B <a@b.c>"], ["x", "a@"]),
    "uri": (["http://x", "/a/b", "mailto:a"], ["foo", "not a uri", "http://x/%zz"]),
    "hostname": (["a", "a.bc", "1a.example"], ["a.b", "_x", "-a", "a..bc"]),
    "ipv4": (["1.2.3.4"], ["::1", "999.1.1.1"]),
    "ipv6": (["::1"], ["1.2.3.4", "fe80::1%eth0"]),
    "cidr": (["10.0.0.0/8", "::/0"], ["10.0.0.0", "10.0.0.0/255.0.0.0"]),
    "mac": (["00:11:22:33:44:55", "0011.2233.4455"], ["x", "00:11:22"]),
    "uuid": (["33333333-3333-3333-3333-333333333333"], ["x"]),
    "uuid4": (["33333333-3333-4333-8333-333333333333"], ["33333333-3333-1333-8333-333333333333"]),
    "isbn": (["9783161484100", "0-306-40615-2"], ["x", "9783161484101"]),
    "creditcard": (["4111 1111 1111 1111"], ["4111111111111112", "x"]),
    "byte": (["YQ=="], ["!!", ""]),
    "hexcolor": (["#fff", "A0B1C2"], ["x"]),
    "rgbcolor": (["rgb(1, 2,3)"], ["rgb(256,0,0)"]),
    "bsonobjectid": (["507f1f77bcf86cd799439011"], ["x"]),
}  # fmt: skip
GOOD = [pytest.param(name, text, id=f"{name}: {text}") for name, (good, _) in CASES.items() for text in good]
BAD = [
    pytest.param(name, text, id=f"{name}: {text or 'empty'}")
    for name, (_, bad) in CASES.items()
    for text in bad
]


@pytest.mark.parametrize(("name", "text"), GOOD)
def test_a_text_has_the_format(name, text):
    assert check_of(name)(text)


@pytest.mark.parametrize(("name", "text"), BAD)
def test_a_text_has_not_the_format(name, text):
    assert not check_of(name)(text)


@pytest.mark.parametrize(
    ("node", "name"),
    [
        pytest.param({"type": "string", "format": "foo"}, "", id="unknown"),
        pytest.param({"type": "string", "format": "int32"}, "", id="of another type"),
        pytest.param({"type": "integer", "format": "int32"}, "int32", id="number"),
        pytest.param({"x-kubernetes-int-or-string": True, "format": "date"}, "date", id="int-or-string"),
    ],
)
def test_a_format_counts_only_for_its_type(node, name):
    assert format_of(node) == name
