"""What stands after `upstream:` is read, and every mistake in it is told with what was expected."""

import pytest

from kueue_conformance import control_planes
from kueue_conformance.base.errors import UsageError
from kueue_conformance.control_planes.upstream.sources import read
from kueue_conformance.options.checks import check_jobs


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("kueue.yaml", "more.yaml", "kueue.tar"):
        tmp_path.joinpath(name).write_text("")


@pytest.mark.parametrize(
    ("text", "command", "manifests", "images"),
    [
        pytest.param("", [], [], [], id="found in the cluster"),
        pytest.param("./kueue --zap-log-level=2", ["./kueue", "--zap-log-level=2"], [], [], id="a command"),
        pytest.param("manifests=kueue.yaml", [], ["kueue.yaml"], [], id="manifests"),
        pytest.param(
            "manifests=kueue.yaml,manifests=more.yaml,images=kueue.tar",
            [],
            ["kueue.yaml", "more.yaml"],
            ["kueue.tar"],
            id="several files",
        ),
        pytest.param(
            "manifests=kueue.yaml,command=./kueue --a=b,c",
            ["./kueue", "--a=b,c"],
            ["kueue.yaml"],
            [],
            id="a command is the last and may have commas",
        ),
    ],
)
def test_what_is_said(text, command, manifests, images):
    upstream_words = read(text)

    assert list(upstream_words.command) == command
    assert [path.name for path in upstream_words.manifests] == manifests
    assert [path.name for path in upstream_words.images] == images


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("manifests=missing.yaml", r"names no file: 'missing\.yaml'", id="no such file"),
        pytest.param("images=kueue.tar", "installed from manifests, and none are given", id="images alone"),
        pytest.param(
            "manifests=kueue.yaml,images=kueue.tar,command=./kueue",
            "and a command starts it as a process",
            id="images of a process",
        ),
        pytest.param(
            "manifests=kueue.yaml,image=kueue.tar",
            "(?s)unknown word .* 'image'.*did you mean 'images'",
            id="near miss",
        ),
        pytest.param("./kueue 'a", "(?s)cannot be read: No closing quotation.*check the quotes", id="quotes"),
    ],
)
def test_what_cannot_be_meant(text, message):
    with pytest.raises(UsageError, match=message):
        read(text)


def test_only_upstream_has_something_after_the_colon():
    with pytest.raises(
        UsageError, match=r"(?s)'scripted:x' has text after the colon.*write --control-plane scripted"
    ):
        control_planes.choose("scripted:x", "envtest")


JOBS, TRAININGS, NO_JOBS = "Job.batch", "Training.example.com", ""


@pytest.mark.parametrize(
    "control_plane", ["upstream", "reference:deployed", "upstream:manifests=kueue.yaml,images=kueue.tar"]
)
def test_a_kueue_that_integrates_jobs_itself_is_refused_beside_an_integration_of_them(control_plane):
    check_jobs(TRAININGS, control_plane)
    check_jobs(NO_JOBS, control_plane)
    with pytest.raises(UsageError, match=f"so does the Kueue of --control-plane {control_plane}"):
        check_jobs(JOBS, control_plane)


@pytest.mark.parametrize(
    "control_plane",
    [
        "",
        "reference",
        "upstream:./kueue",
        "upstream:./kueue --zap-log-level=2",
        "upstream:manifests=kueue.yaml,command=./kueue",
    ],
)
def test_a_kueue_that_the_run_starts_leaves_jobs_alone(control_plane):
    check_jobs(JOBS, control_plane)
