"""A live cluster is judged and never touched (harness/N-11)."""

import json
import threading

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from kueue_conformance.backends.fake import WallFakeBackend
from kueue_conformance.base.errors import EnvironmentProblem, UsageError
from kueue_conformance.base.resources import schema
from kueue_conformance.cli import cli
from kueue_conformance.cli.observe_command import _newest_served
from kueue_conformance.control_planes.scripted import ScriptedControlPlane
from kueue_conformance.observing import Follower, Observer, Reader
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client
from kueue_conformance.wire.resource import RESOURCES

from ..command_line.processes import run

DIALECT = known_dialects()["v0.19"]
CONTROLLER = "acme.io/budget"
TIME = "2026-01-01T00:00:00Z"
MERGE = "application/merge-patch+json"


class Cluster:
    """A cluster with Kueue's kinds, and writers with names of their own."""

    def __init__(self, lease):
        self.lease = lease
        self.client = Client(lease.transport, agent="somebody")

    def create(self, manifest):
        return self.client.create(manifest)

    def write(self, kind, name, patch, *, manager, namespace="", sub="status"):
        path = RESOURCES[kind].path(namespace, name, sub)
        return self.client.call("PATCH", path, patch, media=MERGE, fieldManager=manager)

    def create_check(self, *, manager="budget"):
        self.create(
            {"kind": "AdmissionCheck", "metadata": {"name": "check"}, "spec": {"controllerName": CONTROLLER}}
        )
        self.write(
            "AdmissionCheck", "check", {"status": {"conditions": [condition("Active")]}}, manager=manager
        )

    def create_workload(self):
        template = {"spec": {"containers": [{"name": "c", "image": "i"}], "restartPolicy": "Never"}}
        spec = {"queueName": "q", "podSets": [{"name": "main", "count": 1, "template": template}]}
        self.create({"kind": "Workload", "metadata": {"name": "w", "namespace": "default"}, "spec": spec})

    def entry(self, state, *, manager):
        check_entry = {"name": "check", "state": state, "message": "m", "lastTransitionTime": TIME}
        self.write(
            "Workload",
            "w",
            {"status": {"admissionChecks": [check_entry]}},
            manager=manager,
            namespace="default",
        )

    @property
    def revision(self):
        return self.client.call("GET", "/api/v1/namespaces")["metadata"]["resourceVersion"]

    @property
    def verbs_of_observer(self):
        return {
            journal_entry.verb
            for journal_entry in self.lease._cluster.journal.since(0)
            if journal_entry.user_agent == "kueue-conformance/1 observe"
        }


def condition(name):
    return {"type": name, "status": "True", "reason": name, "message": "", "lastTransitionTime": TIME}


@pytest.fixture(scope="module")
def backend():
    fake_backend = WallFakeBackend()
    yield fake_backend
    fake_backend.close()


@pytest.fixture
def cluster(backend):
    """A cluster that is this test's alone in its objects: they are removed at the end."""
    lease = backend.lend(DIALECT, lambda base: ScriptedControlPlane().install(base, DIALECT))
    shared_cluster = Cluster(lease)
    yield shared_cluster
    shared_cluster.client.clean_up()
    lease.close()


class Watched:
    """An observer at work; `until` waits for what it shall have found."""

    def __init__(self, cluster, managers):
        self._news, self._stop = threading.Condition(), threading.Event()
        self._observer = Observer(CONTROLLER, DIALECT, managers, lambda _: None)
        reader = Reader(cluster.lease.kubeconfig)
        followers = [
            Follower(reader, RESOURCES[kind], self._hear, self._stop)
            for kind in ("AdmissionCheck", "Workload")
        ]
        for follower in followers:
            follower.begin()
            threading.Thread(target=follower.follow, daemon=True).start()

    @property
    def found(self):
        return self._observer.found

    def _hear(self, change):
        with self._news:
            self._observer.hear(change)
            self._news.notify_all()

    def until(self, condition):
        with self._news:
            assert self._news.wait_for(lambda: condition(self.found), 10), self.found
        return self.found

    def stop(self):
        self._stop.set()


@pytest.fixture
def watch(cluster):
    watched_clusters = []

    def watch_as(*managers):
        watched_clusters.append(Watched(cluster, managers))
        return watched_clusters[-1]

    yield watch_as
    for watched_cluster in watched_clusters:
        watched_cluster.stop()


def rules(observations):
    return sorted({violation.rule for violation in observations.violations})


def test_what_the_controller_does_is_judged(cluster, watch):
    cluster.create_check()
    cluster.create_workload()
    observer = watch()
    cluster.entry("Pending", manager="kueue")

    cluster.entry("Ready", manager="budget")

    assert rules(observer.until(lambda observations: observations.judged)) == ["CC-020", "CC-035"]


def test_what_others_do_is_not(cluster, watch):
    cluster.create_check()
    cluster.create_workload()
    observer = watch()
    cluster.entry("Pending", manager="kueue")

    cluster.entry("Ready", manager="somebody-else")

    observations = observer.until(lambda observations: observations.changes == 2)
    assert (rules(observations), observations.judged) == ([], 0)


def test_who_makes_the_check_active_is_the_controller(cluster, watch):
    cluster.create_check(manager="mine")

    assert watch().found.managers == {"mine"}


def test_a_manager_that_is_named_is_the_controller(cluster, watch):
    cluster.create_check()

    assert watch("other").found.managers == {"other"}


def test_a_name_under_which_quota_is_reserved_is_nobody_s(cluster, watch):
    cluster.create_check(manager="manager")
    cluster.create_workload()
    observer = watch()

    cluster.write(
        "Workload",
        "w",
        {"status": {"conditions": [condition("QuotaReserved")]}},
        manager="manager",
        namespace="default",
    )

    observations = observer.until(lambda observations: observations.changes)
    assert (observations.managers, observations.ambiguous, observations.judged) == (set(), {"manager"}, 0)


def test_rules_about_requests_are_named_as_not_judged(cluster, watch):
    cluster.create_check()
    cluster.create_workload()
    observer = watch()

    cluster.entry("Pending", manager="kueue")

    assert {"CC-026", "CC-030", "CC-041"} <= observer.until(lambda observations: observations.changes).unseen


def test_nothing_is_written(cluster, watch):
    cluster.create_check()
    cluster.create_workload()
    before = cluster.revision
    observer = watch()
    cluster.entry("Pending", manager="kueue")
    observer.until(lambda observations: observations.changes)

    assert cluster.verbs_of_observer <= {"get", "list", "watch"}
    assert int(cluster.revision) == int(before) + 1


def test_a_gap_is_not_judged(cluster):
    cluster.create_check()
    cluster.create_workload()
    heard = []
    follower = Follower(
        Reader(cluster.lease.kubeconfig), RESOURCES["Workload"], heard.append, threading.Event()
    )
    follower.begin()
    cluster.entry("Ready", manager="budget")

    follower.begin()

    assert [(heard_change.verb, heard_change.actor) for heard_change in heard] == [
        ("listed", ""),
        ("listed", ""),
    ]


def observe(cluster, tmp_path, *words):
    return run(
        "observe",
        "--kubeconfig",
        cluster.lease.kubeconfig,
        "--controller-name",
        CONTROLLER,
        "--for",
        "1s",
        *words,
        cwd=tmp_path,
    )


def test_the_command_says_what_it_saw(cluster, tmp_path):
    cluster.create_check()

    done = observe(cluster, tmp_path)

    assert (done.code, done.out.splitlines()[-2:]) == (
        0,
        ["attribution      approximate: by field managers, since a watch names no user", "0 breach(es)"],
    )


def test_without_a_check_nothing_is_judged(cluster, tmp_path):
    done = observe(cluster, tmp_path, "--format", "json")

    assert (
        done.code,
        list(Draft202012Validator(schema("observation")).iter_errors(json.loads(done.out))),
    ) == (5, [])
    assert done.err == "no AdmissionCheck names the controller 'acme.io/budget': nothing was judged\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(["--for", "soon"], "--for is 'soon', expected a time", id="time"),
        pytest.param(["--dialect", "v0.91"], "unknown dialect 'v0.91'", id="dialect"),
        pytest.param(
            ["--kubeconfig", "none"],
            "the kubeconfig 'none' cannot be used: No such file or directory",
            id="kubeconfig",
        ),
    ],
)
def test_a_wrong_word_is_told(words, message):
    arguments = ["observe", "--kubeconfig", "config", "--controller-name", CONTROLLER, *words]

    done = CliRunner().invoke(cli, arguments, standalone_mode=False)

    assert isinstance(done.exception, UsageError)
    assert message in str(done.exception)


class Served:
    """A server that serves some versions of Kueue's API."""

    host = "https://somewhere"

    def __init__(self, *versions):
        self._paths = [f"/apis/kueue.x-k8s.io/{version}" for version in versions]

    def get(self, path):
        return {} if path in self._paths else None


@pytest.mark.parametrize(
    ("versions", "chosen"),
    [(["v1beta1", "v1beta2"], "v1beta2"), (["v1beta1"], "v1beta1")],
    ids=["both", "the older one"],
)
def test_the_newest_version_that_is_served_is_read(versions, chosen):
    assert _newest_served(Served(*versions), RESOURCES["Workload"]).version == chosen


def test_a_cluster_without_kueue_is_told():
    with pytest.raises(EnvironmentProblem, match="https://somewhere serves no Workload of kueue"):
        _newest_served(Served(), RESOURCES["Workload"])
