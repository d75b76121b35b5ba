"""The public names are exactly the documented ones."""

import types

import pytest

import kueue_conformance

from .checkout import ROOT, block

README = (ROOT / "README.md").read_text("utf-8")
FIXTURES = ("queue", "make_queue", "kueue_cluster", "history", "clock", "fakecluster", "subject", "kueue")


def test_names_are_sorted():
    assert kueue_conformance.__all__ == sorted(kueue_conformance.__all__)


def test_list_equals_public_members():
    # A name is loaded when it is asked for.
    assert all(hasattr(kueue_conformance, name) for name in kueue_conformance.__all__)
    members = {
        name
        for name, member in vars(kueue_conformance).items()
        if not isinstance(member, types.ModuleType) and (name == "__version__" or not name.startswith("_"))
    }

    assert members == set(kueue_conformance.__all__)


@pytest.mark.parametrize("name", [*kueue_conformance.__all__, *FIXTURES])
def test_name_is_documented(name):
    assert f"`{name}`" in README


@pytest.mark.parametrize("name", FIXTURES)
def test_fixture_is_offered(name, request):
    assert request.session._fixturemanager.getfixturedefs(name, request.node)


def test_example_of_a_project_imports_public_names_only():
    namespace = {}
    source = (ROOT / "examples/downstream/test_team_quota.py").read_text("utf-8")
    imports = [line for line in source.splitlines() if line.startswith(("from kueue", "import kueue"))]

    exec("\n".join(imports), namespace)

    assert {name for name in namespace if not name.startswith("__")} <= set(kueue_conformance.__all__)


def test_first_scenario_imports_public_names_only():
    lines = block("README.md", "test: test_first.py").splitlines()

    assert [line for line in lines if "import" in line] == ["from kueue_conformance import always, within"]
