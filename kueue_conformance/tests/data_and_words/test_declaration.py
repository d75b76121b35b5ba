"""The declaration of a subject: options before the file, and its claims (H-07)."""

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.scenarios.capability import Capability
from kueue_conformance.subject.declaration import declare

HEAD = "apiVersion: kueue-conformance.dev/v1\nkind: Subject\n"
WHOLE = (
    HEAD
    + "connect: 'external:'\ncontrollerName: acme.io/file\nimplementation: {project: budget}\ncapabilities: [Retry]\n"
)


@pytest.fixture
def file(tmp_path):
    def file(text):
        path = tmp_path / "subject.yaml"
        path.write_text(text)
        return str(path)

    return file


def test_nothing_said_is_no_subject():
    assert declare("", "", "acme.io/budget") is None


def test_a_file_says_everything(file):
    declaration = declare("", file(WHOLE), "")

    assert (declaration.connect, declaration.controller_name) == ("external:", "acme.io/file")
    assert (declaration.implementation, declaration.capabilities) == (
        {"project": "budget"},
        {Capability.RETRY},
    )


def test_options_go_before_the_file(file):
    declaration = declare("process:./run", file(WHOLE), "acme.io/option")

    assert (declaration.connect, declaration.controller_name) == ("process:./run", "acme.io/option")


def test_what_is_claimed_leaves_out_the_rest(file):
    declaration = declare("", file(WHOLE), "")

    assert (declaration.lacks([Capability.RETRY]), declaration.lacks([Capability.REJECTED])) == (
        "",
        "Rejected",
    )


def test_a_subject_that_claims_nothing_lacks_nothing():
    assert declare("external:", "", "acme.io/budget").lacks(list(Capability)) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("kind: Subject\n", "is not a subject file", id="no apiVersion"),
        pytest.param("[", "is not YAML", id="no YAML"),
        pytest.param(HEAD + "controllerName: a/b\n", "lacks connect", id="no connect"),
        pytest.param(
            HEAD + "implementation: {projekt: x}\n",
            "unknown field of implementation 'projekt'",
            id="implementation",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_told(file, text, message):
    with pytest.raises(UsageError, match=message):
        declare("", file(text), "")
