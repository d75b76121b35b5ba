"""The pytest plugin as another project loads it; the examples of its page are run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs/laboratory/pytest.md"
FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
RUN = re.compile(r"^<!-- run -->\n```console\n\$ python (.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LOADED = 'pytest_plugins = ["fakecluster.pytest_plugin"]\n'


@pytest.fixture
def project(tmp_path):
    """A foreign project; returns the output of pytest about its tests, and its exit code."""

    def run(*words, **files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text, "utf-8")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", *words]
        ended = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
        )
        return ended.stdout + ended.stderr

    return run


def write_project(folder: Path):
    """Write the files of the page into a folder; .ci/run does so too, to run them with the wheel."""
    for name, content in FILE.findall(PAGE.read_text("utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(content + "\n\n")


def test_the_page_runs_as_it_stands(tmp_path):
    write_project(tmp_path)
    ((words, expected),) = RUN.findall(PAGE.read_text("utf-8"))

    ended = subprocess.run(
        [sys.executable, *shlex.split(words)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert expected.strip() in ended.stdout, ended.stdout + ended.stderr


def test_it_has_no_options_and_needs_no_other_plugin(project):
    outcome = project("--help", "-p", "no:kueue_conformance.plugin", conftest=LOADED)

    assert "--kueue-" not in outcome
    assert "--fakecluster" not in outcome


@pytest.mark.parametrize(
    ("options", "there"),
    [
        pytest.param((), False, id="not asked for"),
        pytest.param(("-o", "fakecluster_fixtures=false"), False, id="setting is false"),
        pytest.param(("-o", "fakecluster_fixtures=true"), True, id="setting"),
        pytest.param(("-p", "fakecluster.pytest_plugin"), True, id="name"),
        pytest.param(("-p", "fakecluster.pytest_plugin", "-o", "fakecluster_fixtures=true"), True, id="both"),
    ],
)
def test_its_fixtures_are_there_where_they_are_asked_for(project, options, there):
    outcome = project("--fixtures", *options, "-p", "no:kueue_conformance.plugin", test_a="def test_a(): ...")

    assert ("fakecluster_bases" in outcome, "make_queue" in outcome) == (there, False)


def test_each_test_has_a_fork_of_one_prepared_cluster(project):
    outcome = project(
        "-q",
        conftest=LOADED
        + """
import pytest
PREPARED = []
@pytest.fixture(scope="session")
def prepare_cluster():
    def prepare(cluster):
        PREPARED.append(cluster)
        cluster.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "prepared"}}])
    return prepare
""",
        test_a="""
import pytest
from conftest import PREPARED
MAPS = "/api/v1/namespaces/prepared/configmaps"
@pytest.mark.parametrize("turn", range(3))
def test_alone(cluster, turn):
    assert cluster.request("GET", MAPS)["items"] == []
    cluster.request("POST", MAPS, {"metadata": {"name": "a"}})
    assert len(PREPARED) == 1
@pytest.mark.fakecluster(clock="wall")
class TestOptions:
    def test_other_options_are_another_cluster(self, cluster):
        assert len(PREPARED) == 2
        with pytest.raises(TypeError, match="wall clock"):
            cluster.advance(1)
    @pytest.mark.fakecluster(clock="virtual")
    def test_the_nearest_marker_counts(self, cluster):
        cluster.advance(1)
""",
    )

    assert "5 passed" in outcome, outcome


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        pytest.param(
            "clok='wall'",
            "the marker fakecluster: a cluster has no option 'clok': expected one of clock",
            id="unknown",
        ),
        pytest.param(
            "clock='sun'",
            "the marker fakecluster: clock is 'sun': expected one of virtual, wall, hybrid",
            id="value",
        ),
        pytest.param(
            "controllers='job'", "the marker fakecluster: there is no controller 'job'", id="controller"
        ),
        pytest.param(
            "'wall'",
            "the marker fakecluster takes options by name, as in fakecluster(clock='wall')",
            id="no name",
        ),
        pytest.param(
            "port=6443",
            "the marker fakecluster cannot have port: each test has a port and a clock of its own",
            id="port",
        ),
    ],
)
def test_a_marker_that_means_nothing_is_told_in_one_line(project, marker, expected):
    outcome = project(
        "-q",
        conftest=LOADED,
        test_a=f"import pytest\n@pytest.mark.fakecluster({marker})\ndef test_a(cluster): ...\n",
    )

    assert expected in outcome
    assert "Traceback" not in outcome
    assert "pytest_plugin.py" not in outcome


def test_a_failure_shows_writes_and_refusals(project):
    outcome = project(
        "-q",
        conftest=LOADED,
        test_a="""
from kubernetes.client import ApiException, CoreV1Api
def test_a(client):
    api = CoreV1Api(client)
    api.create_namespace({"metadata": {"name": "mine"}})
    api.list_namespace()
    try:
        api.read_namespaced_pod("none", "mine")
    except ApiException:
        pass
    assert False
""",
    )

    _, _, shown = outcome.partition("writes and refusals in the cluster")
    assert "create /api/v1/namespaces 201" in shown, outcome
    assert "get /api/v1/namespaces/mine/pods/none 404" in shown
    assert "list /api/v1/namespaces 200" not in shown
