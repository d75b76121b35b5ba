"""MODULE:CALLABLE: found in a folder, or told why not (H-02)."""

import pytest

from kueue_conformance.subject.callables import NotCallable, import_callable, split_callable

MODULES = {
    "acme_fine": "class Box:\n    inner = len\n",
    "acme_broken": "raise KeyError('ACME_HOME')\n",
    "acme_unreadable": "def\n",
}
WRONG = {
    "no module": ("acme_nowhere", "run", "No module named 'acme_nowhere'"),
    "no callable": ("acme_fine", "run", "has no attribute 'run'"),
    "raises": ("acme_broken", "run", "importing acme_broken raised KeyError: 'ACME_HOME'"),
    "no Python": ("acme_unreadable", "run", "importing acme_unreadable raised SyntaxError: invalid syntax"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", [])
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "module_and_attribute"),
    [
        pytest.param("a.b:c.d", ("a.b", "c.d"), id="whole"),
        pytest.param("a.b", ("", ""), id="no callable"),
        pytest.param(":c", ("", ""), id="no module"),
    ],
)
def test_a_name_has_two_parts(text, module_and_attribute):
    assert split_callable(text) == module_and_attribute


def test_a_callable_is_found_in_the_folder_by_its_dotted_name(folder):
    assert import_callable("acme_fine", "Box.inner", folder) is len


@pytest.mark.parametrize(("module", "name", "problem"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_imported_is_told(folder, module, name, problem):
    with pytest.raises(NotCallable, match=problem):
        import_callable(module, name, folder)
