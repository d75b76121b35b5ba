"""Small modules of one importer, and loose files."""

import pytest

from tools.vocabulary.layout import Module, find_loose_files, find_small_modules
from tools.vocabulary.sources import Source

SMALL = "x = 1\n"
LARGE = "x = 1\n" * 60


def module(path, text):
    """Return what the layout of a file is judged by."""
    return Module.of(Source.parse(path, text))


def small(**files):
    """Return the paths that are to be folded; `__` stands for a slash."""
    modules = [module(f"{name.replace('__', '/')}.py", text) for name, text in files.items()]
    return [finding.path for finding in find_small_modules(modules)]


@pytest.mark.parametrize(
    ("statement", "module"),
    [
        ("from .part import x", SMALL),
        ("from . import part", SMALL),
        ("from pkg.folder.part import x", SMALL),
        ("import pkg.folder.part", SMALL),
        ("from ..folder.part import x", SMALL),
    ],
)
def test_module_of_one_importer_beside_it_is_folded(statement, module):
    assert small(pkg__folder__part=module, pkg__folder__whole=statement) == ["pkg/folder/part.py"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"pkg__a__part": LARGE, "pkg__a__b": "from .part import x"}, id="large"),
        pytest.param({"pkg__a__part": SMALL, "pkg__b__c": "from ..a.part import x"}, id="importer-elsewhere"),
        pytest.param({"pkg__a__part": SMALL}, id="no-importer"),
        pytest.param(
            {"pkg__a__part": SMALL, "pkg__a__b": "from .part import x", "pkg__c__d": "import pkg.a.part"},
            id="two-importers",
        ),
    ],
)
def test_module_stays(files):
    assert small(**files) == []


def test_interface_of_a_folder_stays():
    modules = [module("pkg/a/__init__.py", "from .part import x"), module("pkg/a/part.py", SMALL)]

    assert list(find_small_modules(modules)) == []


def test_tests_import_nothing():
    modules = [
        module("pkg/a/part.py", SMALL),
        module("pkg/a/whole.py", "from .part import x"),
        module("pkg/tests/test_part.py", "from pkg.a.part import x"),
    ]

    assert [finding.path for finding in find_small_modules(modules)] == ["pkg/a/part.py"]


def test_loose_files_lie_at_the_top():
    paths = ["README.md", "pkg/store.py", "pkg/a/b.py", "pkg/py.typed"]

    assert [finding.path for finding in find_loose_files(paths)] == ["pkg/store.py", "pkg/py.typed"]
