"""Options: one table, command line before environment before default,
a clear word about each wrong one (harness §10.1).
"""

import pytest

from kueue_conformance import options
from kueue_conformance.base.errors import UsageError


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for option in options.OPTIONS:
        monkeypatch.delenv(option.variable, raising=False)


def read(**options_by_keyword):
    return options.read({key.replace("_", "-"): value for key, value in options_by_keyword.items()}, seed=7)


def test_defaults():
    settings = read()

    assert (settings.backend, settings.control_plane, settings.profiles) == (
        "fake",
        "reference",
        ("ADMISSION",),
    )
    assert ([selected.name for selected in settings.dialects], settings.seed, settings.report_dir) == (
        ["v0.20"],
        7,
        None,
    )
    assert dict(settings.changed_options) == {}


def test_environment_beats_default(monkeypatch):
    monkeypatch.setenv("KUEUE_CONFORMANCE_TIMEOUT_SCALE", "3")

    assert read().timeout_scale == 3.0


def test_command_line_beats_environment(monkeypatch):
    monkeypatch.setenv("KUEUE_CONFORMANCE_SEED", "3")

    assert read(seed="4").seed == 4


def test_a_profile_may_be_written_small():
    assert read(profile="admission").profiles == ("ADMISSION",)


def test_words_are_separated_by_commas():
    assert read(select="ADM-2*, SC-204,").select == ("ADM-2*", "SC-204")


@pytest.mark.parametrize(
    ("options_by_keyword", "message", "hint"),
    [
        pytest.param(
            {"profile": "ADMISION"}, "unknown profile 'ADMISION'", "did you mean 'ADMISSION'?", id="profile"
        ),
        pytest.param(
            {"dialect": "v0.91"},
            "unknown dialect 'v0.91'",
            "did you mean 'v0.20'? known: v0.6, docs-2024, v0.19, v0.20, kep993, ca-1.30, ca-1.31, ca-1.32, ca-1.33, ca-1.34, ca-1.35, ca-1.36, ca-1.37, aep, all, or a release such as 0.19.14",
            id="dialect",
        ),
        pytest.param({"backend": "fak"}, "unknown backend 'fak'", "did you mean 'fake'?", id="backend"),
        pytest.param(
            {"dialect": "all", "backend": "kubeconfig:x"},
            "--dialect 'all' names several dialects, but backend 'kubeconfig:x' is one cluster with one of them",
            "name one dialect, such as --dialect v0.19",
            id="several dialects of one cluster",
        ),
        pytest.param(
            {"seed": "x"}, "--seed is 'x', expected a whole number", "for example --seed 2", id="seed"
        ),
        pytest.param(
            {"timeout_scale": "slow"},
            "--timeout-scale is 'slow', expected a number from 0.01 to 100",
            "for example --timeout-scale 2 for a slow machine",
            id="timeout scale",
        ),
        pytest.param(
            {"profile": "CHECK-CONTROLLER"},
            "profile CHECK-CONTROLLER judges a check controller, and no subject is given",
            'add --subject "process:./my-controller" --controller-name acme.io/budget',
            id="no subject",
        ),
        pytest.param(
            {"profile": "ADMISSION", "subject": "process:true", "controller_name": "a.b/c"},
            "--subject names a check controller, but ADMISSION judges a control plane",
            "leave --subject out, or use --profile CHECK-CONTROLLER",
            id="subject of no use",
        ),
        pytest.param(
            {"profile": "ADMISSION,API-SERVER"},
            "profile API-SERVER judges a cluster without Kueue, the other profiles one with it",
            "run it alone: --profile API-SERVER",
            id="with and without Kueue",
        ),
        pytest.param(
            {"profile": "API-SERVER", "control_plane": "reference"},
            "--control-plane reference is a control plane, and profile API-SERVER judges a cluster without it",
            "leave --control-plane out",
            id="a control plane beside a judged server",
        ),
        pytest.param(
            {"profile": "API-SERVER", "dialect": "all"},
            "--dialect 'all' names dialects of Kueue, and profile API-SERVER judges a cluster without it",
            "leave --dialect out",
            id="no dialect of Kueue",
        ),
    ],
)
def test_a_wrong_word_is_told_with_what_to_do(options_by_keyword, message, hint):
    with pytest.raises(UsageError) as caught:
        read(**options_by_keyword)

    assert str(caught.value) == f"{message}\n  hint: {hint}"


def test_the_report_shows_what_was_given_and_what_was_drawn():
    assert options.describe(read(strict="1")) == {"strict": "1", "dialect": "v0.20", "seed": 7}
