"""Which references of a test lead nowhere."""

import pytest

from tools.imported_names.__main__ import is_read_by_mypy
from tools.imported_names.checkout import Checkout

FILES = {
    "pkg/__init__.py": "from .clock import now as today\n",
    "pkg/clock.py": (
        "import os\nSECOND = 1\nMINUTE, HOUR = 60, 3600\n"
        "def render(): ...\nclass Clock:\n    def tick(self): ...\n"
        "if os.name == 'nt':\n    ZONE = 'x'\nelse:\n    def zone(): ...\n"
        "try:\n    import fast\nexcept ImportError:\n    fast = None\n"
        "with open(os.devnull) as sink:\n    pass\n"
    ),
    "pkg/lazy.py": "def __getattr__(name): ...\n",
    "pkg/star.py": "from .clock import *\n",
    "pkg/data/table.py": "",
    "pkg/tests/__init__.py": "",
    "pkg/tests/helper.py": "def clock(): ...\n",
}


def find_unresolved(tmp_path, text):
    files = {**FILES, "pkg/tests/test_it.py": text}
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    return list(Checkout(tmp_path, frozenset(files)).find_unresolved("pkg/tests/test_it.py"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("from pkg.clock import SECOND, HOUR, render, Clock", id="definitions"),
        pytest.param("from pkg.clock import ZONE, zone, fast, sink", id="branches"),
        pytest.param("from pkg import clock, today, data", id="modules, imported names and folders"),
        pytest.param("import pkg.clock\nimport pkg.data.table as table", id="modules by their dotted names"),
        pytest.param(
            "from . import helper\nfrom .helper import clock\nfrom ..clock import render", id="relative"
        ),
        pytest.param("from pkg.lazy import x\nfrom pkg.star import y", id="names that only Python knows"),
        pytest.param("import os\nfrom os import nothing", id="other libraries"),
        pytest.param("from pkg import clock\nclock.render()\nclock.__name__", id="attributes"),
        pytest.param("from pkg.clock import Clock\nClock.anything", id="attributes of a class"),
        pytest.param("from .helper import clock\nclock.cache_clear()", id="attributes of a function"),
        pytest.param("from pkg import clock\ndef test_it(clock): clock.anything", id="a fixture of the name"),
        pytest.param("from pkg import clock\nf(clock, 'two words')", id="a text that is no name"),
    ],
)
def test_names_that_are_there(tmp_path, text):
    assert find_unresolved(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        pytest.param("from pkg.clock import gone", "1: pkg.clock has no 'gone'", id="import"),
        pytest.param("from pkg.gone import x", "1: pkg.gone has no 'x'", id="import of a module"),
        pytest.param("import pkg.gone", "1: pkg has no 'gone'", id="a module by its dotted name"),
        pytest.param("from .gone import x", "1: pkg.tests.gone has no 'x'", id="relative import"),
        pytest.param("from ..clock import gone", "1: pkg.clock has no 'gone'", id="import from above"),
        pytest.param(
            "def test():\n    from pkg.clock import gone", "2: pkg.clock has no 'gone'", id="within"
        ),
        pytest.param("from pkg import clock\nclock.gone()", "2: pkg.clock has no 'gone'", id="attribute"),
        pytest.param("import pkg.clock as c\nc.gone", "2: pkg.clock has no 'gone'", id="other name"),
        pytest.param(
            "from pkg import clock\npatch.setattr(clock, 'gone', 1)", "2: pkg.clock has no 'gone'", id="patch"
        ),
        pytest.param(
            "from pkg import clock\n@wrong((clock, 'gone'))\ndef f(): ...",
            "2: pkg.clock has no 'gone'",
            id="decorator",
        ),
    ],
)
def test_names_that_are_missing(tmp_path, text, missing):
    assert find_unresolved(tmp_path, text) == [f"pkg/tests/test_it.py:{missing}"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("fakecluster/store.py", True),
        ("fakecluster/tests/test_store.py", False),
        ("suites/admission/test_x.py", False),
        ("conftest.py", False),
    ],
)
def test_mypy_reads_the_packages_without_their_tests(path, expected):
    assert is_read_by_mypy(path) is expected
