"""Printer columns with all of Kubernetes' JSONPath (FK-420, FK-422); the topic `jsonpaths` holds what the
real server answers.
"""

import pytest

from fakecluster.crds.columns import columns_of
from fakecluster.crds.jsonpath.parser import PathSyntaxError
from fakecluster.crds.jsonpath.path import compile_path
from fakecluster.crds.jsonpath.printing import go_text
from fakecluster.crds.jsonpath.unquoting import BadQuote, unquote

OBJECT = {
    "l": [10, 20, 30],
    "none": [],
    "null": None,
    "text": "ab",
    "labels": {"a.b/c": "label", "a": {"b/c": "nested"}},
    "items": [
        {"n": 1, "name": "a", "ready": True, "sub": {"type": "X"}},
        {"n": 2, "name": "b", "max": 2, "f": 2.5},
    ],
}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        (".l[0]", [10]),
        (".l[-1]", [30]),
        (".l[3]", []),
        (".l[-1:]", [30]),
        (".l[:1]", [10]),
        (".l[0:2]", [10, 20]),
        (".l[::2]", [10, 30]),
        (".l[2,0]", [30, 10]),
        (".l[*]", [10, 20, 30]),
        (".l[]", [10]),
        (".l[2:1]", []),
        (".l[::0]", []),
        (".none[0]", []),
        (".none[*]", []),
        (".text[0]", []),
        (".null[0]", []),
        (".labels.a\\.b/c", ["label"]),
        (".labels['a\\.b/c']", ["label"]),
        (".labels['a.b/c']", ["nested"]),
        (".null", [None]),
        (".missing", []),
        (".l.missing", []),
        (".text.*", [97, 98]),
        (".labels.a.*", ["nested"]),
        ("..type", ["X"]),
        (".items..n", [1, 2]),
        (".text..", ["ab"]),
        (".none..", []),
        (".l..", [[10, 20, 30]]),
        ("..l[0]", [10]),
        (".items[?(@.n>1)].name", ["b"]),
        (".items[?(@.n>=1)].name", ["a", "b"]),
        (".items[?(@.n!=1)].name", ["b"]),
        (".items[?(@.n<=1)].name", ["a"]),
        (".items[?(@.name=='b')].n", [2]),
        ('.items[?(@.name<"b")].n', [1]),
        (".items[?(@.ready==true)].n", [1]),
        (".items[?(@.sub.type=='X')].n", [1]),
        (".items[?(@.max)].n", [2]),
        (".items[?(@.n==@.max)].n", [2]),
        (".items[?(@.f>2)].n", []),
        (".items[?(@.ready>false)].n", []),
        (".items[?(@.n=~1)].n", None),
        (".items[?(@.n=1)].n", []),
        (".items[?(@.n==null)].n", []),
        (".items[?(@.name[0])].n", [1, 2]),
        (".labels[?(@.a)]", []),
        (".items[?(@.sub==1)].n", []),
        (".l 5", [5]),
        (".missing 5", []),
        (".missing 'x'", ["x"]),
        (".text true", [True]),
        (".text range", []),
        (".text}{.l[9]", []),
        ("..*", None),
        ("....a", None),
        ('.labels["a"]', None),
        (".l[a]", None),
        (".l[", None),
        (".l[?(@.a]", None),
        (".text*", []),
        (".text 'x", None),
    ],
)
def test_a_path_finds_what_the_real_one_finds(path, values):
    if values is None:
        with pytest.raises(PathSyntaxError):
            compile_path(path)
        return

    assert compile_path(path).values(OBJECT) == values


@pytest.mark.parametrize(
    ("type", "value", "cell"),
    [
        ("string", None, "<no value>"),
        ("string", True, "true"),
        ("string", 1234567.5, "1.2345675e+06"),
        ("string", {"b": 1, "a": "<"}, '{"a":"\\u003c","b":1}'),
        ("integer", 2.5, 2),
        ("integer", 1.5e300, -(2**63)),
        ("integer", True, None),
        ("integer", "1", None),
        ("number", 2**53 + 1, 2**53),
        ("number", 2.5, 2.5),
        ("boolean", False, False),
        ("boolean", "true", None),
        ("date", "0001-01-01T00:00:00Z", "<unknown>"),
        ("date", "", "<unknown>"),
        ("date", "yesterday", "<invalid>"),
        ("date", "1000-01-01T00:00:00Z", "292y"),
        ("date", 5, None),
        ("date", None, None),
    ],
)
def test_a_cell_is_shown_by_the_type_of_its_column(type, value, cell):  # noqa: A002
    columns = columns_of({"additionalPrinterColumns": [{"name": "x", "type": type, "jsonPath": ".x"}]})

    assert columns[1].cell({"x": value}, 1.8e9) == cell


def test_columns_end_before_the_first_path_that_cannot_be_read():
    paths = [".a", ".a[", ".a"]
    raw = [{"name": f"C{number}", "type": "string", "jsonPath": path} for number, path in enumerate(paths)]

    assert [column.name for column in columns_of({"additionalPrinterColumns": raw})] == ["Name", "C0"]


def test_a_column_that_is_called_name_stands_beside_the_name():
    raw = [{"name": "Name", "type": "string", "jsonPath": ".a"}]

    assert [column.format for column in columns_of({"additionalPrinterColumns": raw})] == ["name", ""]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"a\nb", "a\nb"),
        (r"\'", "'"),
        (r"\x41\u00e9\U0001F600\101", "Aé😀A"),
        (r"\xc3\xa9", "é"),
        (r"\"", None),
        (r"\q", None),
        (r"\ud800", None),
        (r"\400", None),
        ("'", None),
    ],
)
def test_a_quoted_text_is_read_as_go_does(text, plain):
    if plain is None:
        with pytest.raises(BadQuote):
            unquote(text, "'")
        return

    assert unquote(text, "'") == plain


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5"),
        (100000.5, "100000.5"),
        (1e6, "1e+06"),
        (1e-4, "0.0001"),
        (1e-5, "1e-05"),
        (-1234567.5, "-1.2345675e+06"),
        (1.5e300, "1.5e+300"),
        (0.0, "0"),
    ],
)
def test_a_fraction_is_printed_as_go_does(value, text):
    assert go_text(value) == text
