"""What counts in one file."""

import pytest

from tools.vocabulary.sources import LINE_LENGTH, Source

LONG = "x" * LINE_LENGTH


def find(text):
    return [
        (finding.line, finding.measure.value) for finding in Source.parse("package/module.py", text).find()
    ]


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        pytest.param("told = 1", ["vague_names"], id="variable"),
        pytest.param("def read(one, *, _found=1): pass", ["vague_names"] * 2, id="parameters"),
        pytest.param("for each in (): pass", ["vague_names"], id="loop"),
        pytest.param("class Row:\n    kept: int = 0", ["vague_names"], id="field"),
        pytest.param("workload = 1", [], id="noun"),
        pytest.param("print(told)", [], id="a name that is read counts where it is assigned"),
        pytest.param("def found(): pass", ["participle_functions"], id="irregular"),
        pytest.param("async def _decoded_body(): pass", ["participle_functions"], id="regular"),
        pytest.param("def feed_scheduler(): pass", [], id="a verb in -ed"),
        pytest.param("def is_admitted() -> None: pass", ["acting_predicates"], id="predicate that acts"),
        pytest.param("def is_admitted() -> bool: pass", [], id="predicate that answers"),
        pytest.param('def read():\n    """Whoever reads."""', ["circling_docstrings"], id="circling"),
        pytest.param('def read():\n    """Read.\n\n    Nobody."""', [], id="a later line of a docstring"),
        pytest.param("Json = Any", ["json_aliases"], id="alias"),
        pytest.param("Json: TypeAlias = Any", ["json_aliases"], id="annotated alias"),
        pytest.param("Json = dict", [], id="type"),
        pytest.param("rows = [1,  2]  # fmt: skip", ["formatter_skips"], id="skip"),
        pytest.param("# fmt: off\nrows = [1,  2]\n# fmt: on", ["formatter_skips"], id="block"),
    ],
)
def test_finding(text, measures):
    assert [measure for _, measure in find(text)] == measures


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(f"{LONG}()", [1], id="code"),
        pytest.param(f"# {LONG}", [1], id="comment"),
        pytest.param(f'"""{LONG}"""', [1], id="docstring"),
        pytest.param(f"ROWS = (\n    {LONG},\n)", [], id="table"),
        pytest.param(f"@cases({LONG})\ndef test(): pass", [], id="cases"),
        pytest.param(f'def read():\n    return "{LONG}"', [], id="text that stays whole"),
        pytest.param(f"def read():\n    return f'{{a}}{LONG}'", [], id="text with values"),
        pytest.param(f'def read():\n    {"x" * 100}("short")', [2], id="code beside a short text"),
    ],
)
def test_long_lines(text, lines):
    assert [line for line, measure in find(text) if measure == "long_lines"] == lines


def test_finding_says_what_to_write():
    (finding,) = Source.parse("package/module.py", "\none = 1").find()

    assert str(finding) == (
        "package/module.py:2: 'one' names nothing: say the noun of the item: workload, condition, header"
    )


def test_totals():
    text = "# A reason.\nimport re\n\n\ndef read(path):\n    text = path  # beside code\n"

    totals = Source.parse("package/module.py", text).count()

    assert totals == {"names": 2, "functions": 1, "lines": 6, "comments": 1}


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("fakecluster/store.py", "fakecluster"),
        ("fakecluster/tests/store/test_order.py", "fakecluster tests"),
        ("suites/admission/test_retry.py", "suites"),
    ],
)
def test_package(path, package):
    assert Source.parse(path, "").package == package
