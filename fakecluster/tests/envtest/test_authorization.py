"""Which flags of authorization a fake kube-apiserver takes: a word that it does not know allows nothing
(issue 16, 18).
"""

from __future__ import annotations

import pytest

from fakecluster.envtest import apiserver
from fakecluster.envtest.flags import FlagError, Flags


@pytest.fixture(autouse=True)
def no_files(monkeypatch):
    monkeypatch.setattr(apiserver, "_certificates", lambda _: None)


def settings(*words):
    settings = apiserver.settings(Flags.of(words))
    return settings["authorization"], settings["anonymous"]


@pytest.mark.parametrize(
    ("words", "modes"),
    [
        pytest.param([], ("always-allow", False), id="the default of kube-apiserver"),
        pytest.param(["--authorization-mode=RBAC"], ("rbac", True), id="rights"),
        pytest.param(["--authorization-mode=Node,RBAC"], ("rbac", True), id="two modes"),
        pytest.param(
            ["--authorization-mode=RBAC,AlwaysAllow"],
            ("always-allow", False),
            id="one that allows everything",
        ),
        pytest.param(
            ["--authorization-mode=RBAC", "--anonymous-auth=false"], ("rbac", False), id="no strangers"
        ),
        pytest.param(
            ["--anonymous-auth=true"], ("always-allow", False), id="strangers that may do everything"
        ),
    ],
)
def test_modes_mean_what_they_do_there(words, modes):
    assert settings(*words) == modes


@pytest.mark.parametrize(
    ("word", "message"),
    [
        pytest.param("--authorization-mode=rbac", "did you mean 'RBAC'", id="another case"),
        pytest.param(
            "--authorization-mode=AlwaysDeny,RBAC",
            "AlwaysDeny: expected one of RBAC",
            id="mode that is not served",
        ),
        pytest.param("--authorization-mode=Node", "expected RBAC or AlwaysAllow", id="nodes alone"),
        pytest.param("--anonymous-auth=maybe", "anonymous-auth=maybe: expected true or false", id="flag"),
    ],
)
def test_other_words_are_errors(word, message):
    with pytest.raises(FlagError, match=message):
        settings(*(["--authorization-mode=RBAC"] if "anonymous" in word else []), word)
