"""The fixtures `cluster`, `client` and `kubeconfig` for tests of programs that talk to Kubernetes:
docs/laboratory/pytest.md.

Loaded by the setting `fakecluster_fixtures = true` (`pytest_entry`) or by name (`pytest_plugins =
["fakecluster.pytest_plugin"]`, `-p fakecluster.pytest_plugin`). It has no options.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fakecluster import FakeCluster

MARKER = "fakecluster"
OPTIONS_OF_NO_FORK = ("port", "beside")
"""Options that a fork cannot have: it has a port and a clock of its own."""
CLUSTER_KEY = pytest.StashKey[FakeCluster]()
Options = Mapping[str, Any]
Prepare = Callable[[FakeCluster], None]


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(**options): options of the cluster, such as clock='wall' or authorization='rbac'",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show in a failure what was written to the cluster, and what was refused."""
    report = yield
    cluster = item.stash.get(CLUSTER_KEY, None)
    if cluster is not None and call.when == "call" and report.failed:
        entries = cluster.journal.where(lambda entry: entry.wrote or entry.code >= 400)
        report.sections.append(("writes and refusals in the cluster", str(entries)))
    return report


class BaseClusters:
    """The clusters of a session from which those of the tests are forked: one for each choice of options."""

    def __init__(self, prepare: Prepare) -> None:
        self._prepare = prepare
        self._clusters: list[tuple[Options, FakeCluster]] = []

    def of(self, options: Options) -> FakeCluster:
        """Return the cluster with these options, made and prepared when there is none.

        Fails the test for wrong options.
        """
        for known_options, cluster in self._clusters:
            if known_options == options:
                return cluster
        try:
            cluster = FakeCluster(**options)
        except ValueError as error:
            pytest.fail(f"the marker {MARKER}: {error}", pytrace=False)
        cluster.start()
        try:
            self._prepare(cluster)
        except BaseException:
            cluster.stop()
            raise
        self._clusters.append((options, cluster))
        return cluster

    def stop(self) -> None:
        """Stop them all."""
        for _, cluster in self._clusters:
            cluster.stop()


@pytest.fixture(scope="session")
def prepare_cluster() -> Prepare:
    """A function that gets a new cluster and puts into it what
    every test finds there; override it in your conftest.py.
    """
    return lambda cluster: None  # noqa: ARG005 - nothing is put into it by default


@pytest.fixture(scope="session")
def fakecluster_bases(prepare_cluster: Prepare) -> Iterator[BaseClusters]:
    """The prepared clusters of the session."""
    bases = BaseClusters(prepare_cluster)
    yield bases
    bases.stop()


@pytest.fixture
def cluster(request: pytest.FixtureRequest, fakecluster_bases: BaseClusters) -> Iterator[FakeCluster]:
    """A Kubernetes cluster of this test alone, with the options
    of its marker `fakecluster`: a fork of a prepared one.
    """
    with fakecluster_bases.of(_options(request.node)).fork() as fork:
        request.node.stash[CLUSTER_KEY] = fork
        yield fork
        del request.node.stash[CLUSTER_KEY]


@pytest.fixture
def kubeconfig(cluster: FakeCluster, tmp_path: Path) -> Path:
    """A file that leads an administrator to the cluster, for programs that are started."""
    path = tmp_path / "kubeconfig"
    cluster.kubeconfig(path)
    return path


@pytest.fixture
def client(kubeconfig: Path) -> Iterator[Any]:
    """A `kubernetes.client.ApiClient` of an administrator. Needs the package `kubernetes`."""
    from kubernetes.config import new_client_from_config

    with new_client_from_config(str(kubeconfig), persist_config=False) as api_client:
        yield api_client


def _options(node: pytest.Item) -> Options:
    """Return the options of a test's markers; those of the nearest one count.

    Fails the test for what is none.
    """
    markers = list(node.iter_markers(MARKER))
    if any(marker.args for marker in markers):
        pytest.fail(
            f"the marker {MARKER} takes options by name, as in fakecluster(clock='wall')", pytrace=False
        )
    options = {name: value for marker in reversed(markers) for name, value in marker.kwargs.items()}
    for name in OPTIONS_OF_NO_FORK:
        if name in options:
            pytest.fail(
                f"the marker {MARKER} cannot have {name}: each test has a port and a clock of its own",
                pytrace=False,
            )
    return options
