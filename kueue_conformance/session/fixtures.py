"""The public pytest fixtures of scenarios and other projects' tests: cluster, queue, history, clock."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from ..base.errors import UsageError
from ..case.context import CaseContext
from ..control_planes import SCRIPTED
from ..history.story import History
from ..recordings.examiner import RecordedKueue
from ..recordings.upgrade import UpgradedKueue
from ..run import Run
from ..run.parametrization import TURN
from ..scenarios.capability import UPGRADES
from ..scenarios.cases import DATA, DRAWN, NAMESAKES, NO_PARAMETERS, Parameters
from ..scenarios.dialect import Dialect, previous_line
from ..scenarios.scenario import Scenario
from ..scenarios.stories import recorded_story
from ..stage import Queue, Stage
from ..stage.autoscaling.autoscaling import Autoscaling
from ..stage.clock import Clock
from ..stage.integration.integration import Integration
from ..stage.kueue.kueue import Kueue
from ..stage.kueue.scripted_kueue import ScriptedKueue
from ..stage.kueue.upgrade import KueueUpgrade
from ..stage.kueue.working_kueue import WorkingKueue
from ..stage.making.names import Names
from ..stage.namesakes import StageBesideNamesakes
from ..stage.provisioning.autoscaler import Autoscaler
from ..stage.provisioning.provisioning import Provisioning
from ..stage.subject.case_subject import case_subject
from ..stage.subject.faults import Disturbance
from ..stage.subject.subject import Subject
from ..vectors.examiner import ApiServer

RUN = pytest.StashKey[Run]()
CASE_CONTEXT = pytest.StashKey[CaseContext | None]()


def scenario_of(item: pytest.Item) -> Scenario | None:
    """Return the scenario a test is, None when it is an ordinary test."""
    marker = item.get_closest_marker("scenario")
    return marker.args[0] if marker else None


def case_of(item: pytest.Item) -> Parameters:
    """Return the values of a case's dimensions."""
    callspec = getattr(item, "callspec", None)
    return callspec.params if callspec else NO_PARAMETERS


@pytest.fixture
def kueue_dialect(request: pytest.FixtureRequest) -> Dialect:
    """The dialect of the case: one of those selected, the first one in an ordinary test."""
    settings = request.config.stash[RUN].settings
    # `param` is set by an indirect parametrization, which an ordinary test does not have.
    dialect: Dialect = getattr(request, "param", settings.dialects[0])
    return dialect


@pytest.fixture
def kueue_context(request: pytest.FixtureRequest, kueue_dialect: Dialect) -> Iterator[CaseContext]:
    """The context of the case: a cluster with a running control plane."""
    run = request.config.stash[RUN]
    record = scenario_of(request.node)
    with run.case_context(
        kueue_dialect,
        record.id if record else request.node.name,
        record,
        case_of(request.node),
        _former_release(run, record, kueue_dialect),
    ) as context:
        # The hooks around the call judge the story and have no access to fixtures.
        request.node.stash[CASE_CONTEXT] = context
        yield context


def _former_release(run: Run, record: Scenario | None, dialect: Dialect) -> Dialect | None:
    """Return the release with which a case begins that is about an upgrade, None for another one."""
    if record is None or UPGRADES not in record.profile.needs:
        return None
    return run.settings.upgrade_from or previous_line(dialect)


@pytest.fixture
def kueue_cluster(request: pytest.FixtureRequest, kueue_context: CaseContext) -> Stage:
    """A Kubernetes cluster with a running Kueue, and a namespace of your own in it."""
    run = request.config.stash[RUN]
    # pytest puts parameters in brackets, which are not allowed in names of Kubernetes.
    scenario = kueue_context.scenario.split("[")[0]
    case = case_of(request.node)
    names = _choose_names(kueue_context, case)
    stage = StageBesideNamesakes if case.get(DATA) == NAMESAKES else Stage
    return stage(kueue_context, names(scenario, run.uid, request.node.name, run.settings.seed))


def _choose_names(context: CaseContext, case: Parameters) -> Callable[..., Names]:
    if case.get(DATA) != DRAWN:
        return Names
    # Faker takes as long to import as ten cases take to run.
    from ..stage.making.drawn_names import DrawnNames

    return partial(DrawnNames, drawn_values=context.drawn_values)


@pytest.fixture
def make_queue(kueue_cluster: Stage) -> Callable[..., Queue]:
    """Make ClusterQueues with LocalQueue, flavors and active checks: `make_queue(checks=2)`."""
    return kueue_cluster.make_queue


@pytest.fixture
def queue(kueue_cluster: Stage) -> Queue:
    """A ClusterQueue with one active check, and its LocalQueue."""
    return kueue_cluster.make_queue(checks=1)


@pytest.fixture
def kueue(request: pytest.FixtureRequest, kueue_cluster: Stage) -> Kueue:
    """Kueue's steps: written by the test with control plane `scripted`, else performed by a running Kueue."""
    # The test itself says when pods run: a stand-in must not be faster.
    kueue_cluster.release.pods_are_held = True
    scripted = SCRIPTED in request.config.stash[RUN].control_plane.features
    return ScriptedKueue(kueue_cluster) if scripted else WorkingKueue(kueue_cluster)


@pytest.fixture
def kueue_upgrade(kueue_context: CaseContext) -> KueueUpgrade:
    """The upgrade, or downgrade, of the running Kueue to the release of the case's dialect."""
    if kueue_context.former_dialect is None:
        raise UsageError(
            "kueue_upgrade is for scenarios of a profile of upgrades", hint="mark the test with @scenario"
        )
    return KueueUpgrade(kueue_context)


@pytest.fixture
def subject(kueue_cluster: Stage, kueue: Kueue) -> Iterator[Subject]:
    """The judged check controller, and control of the outside system that it asks."""
    with case_subject(kueue_cluster, kueue) as check_controller:
        yield check_controller


@pytest.fixture
def integration(kueue_cluster: Stage) -> Integration:
    """The judged job integration: its jobs, its replicas and its requests."""
    context = kueue_cluster.context
    if context.subject is None or context.subject.job_kind is None:
        raise UsageError("no job integration is named", hint="add --kueue-subject-file, of a file with `job`")
    return Integration(
        context, context.subject, context.subject.job_kind, kueue_cluster.names, kueue_cluster.namespace
    )


@pytest.fixture
def faults(kueue_cluster: Stage) -> Iterator[Disturbance]:
    """Faults between the subject and the API server, until the case ends."""
    faulty_link = Disturbance(kueue_cluster.context)
    yield faulty_link
    # A fault that stays would disturb the clean-up, and the next case.
    faulty_link.remove_all()


@pytest.fixture
def provisioning(kueue_cluster: Stage) -> Provisioning:
    """Checks and queues for which the judged program makes ProvisioningRequests."""
    return Provisioning(kueue_cluster)


@pytest.fixture
def autoscaler(kueue_context: CaseContext) -> Autoscaler:
    """An autoscaler that is scripted by the test."""
    return Autoscaler(kueue_context)


@pytest.fixture
def autoscaling(kueue_cluster: Stage) -> Autoscaling:
    """The judged autoscaler, with its Nodes, pods and requests."""
    return Autoscaling(kueue_cluster)


@pytest.fixture
def autoscaler_faults(kueue_cluster: Stage) -> Iterator[Disturbance]:
    """Faults between the autoscaler and the API server, until the case ends."""
    faulty_link = Disturbance(kueue_cluster.context, of="autoscaler")
    yield faulty_link
    faulty_link.remove_all()


@pytest.fixture
def controller_faults(kueue_cluster: Stage) -> Iterator[Disturbance]:
    """Faults between the API server and the subject, or Kueue where that is judged, until the case ends."""
    context = kueue_cluster.context
    faulty_link = Disturbance(context, of="subject" if context.subject else "Kueue")
    yield faulty_link
    faulty_link.remove_all()


@pytest.fixture
def api_server(request: pytest.FixtureRequest, kueue_dialect: Dialect) -> ApiServer:
    """The judged API server, without Kueue."""
    del kueue_dialect
    record = scenario_of(request.node)
    if record is None:
        raise UsageError("api_server is for scenarios", hint="mark the test with @scenario")
    return ApiServer(request.config.stash[RUN].examiner, record)


@pytest.fixture
def recorded_kueue(request: pytest.FixtureRequest, kueue_dialect: Dialect) -> RecordedKueue:
    """Recorded stories of a real Kueue, compared with the judged control plane; the cluster is started for
    the first case of a story.
    """
    run, record, case = request.config.stash[RUN], scenario_of(request.node), case_of(request.node)
    if record is None:
        raise UsageError("recorded_kueue is for scenarios", hint="mark the test with @scenario")
    turn = case.get(TURN, 1)
    played = run.recordings_examiner.has_played(recorded_story(record.id), kueue_dialect, turn)
    # getfixturevalue in place of a parameter: later cases of a story start no cluster at all.
    context = None if played else request.getfixturevalue("kueue_context")
    mark = _mark_of(request, run, record)
    return RecordedKueue(
        examiner=run.recordings_examiner,
        scenario=record,
        dialect=kueue_dialect,
        context=context,
        mark=mark,
        turn=turn,
    )


def _mark_of(request: pytest.FixtureRequest, run: Run, record: Scenario) -> str:
    """Return the beginning of the names of what a case creates, another one for each case of a run."""
    return f"{record.id.lower()}-{run.uid}-{zlib.crc32(request.node.name.encode()) % 0x1000:03x}-"


@pytest.fixture
def upgraded_kueue(request: pytest.FixtureRequest, kueue_context: CaseContext) -> UpgradedKueue:
    """A control plane that another release replaces in the middle of a recorded story."""
    run, record, case = request.config.stash[RUN], scenario_of(request.node), case_of(request.node)
    if record is None or kueue_context.former_dialect is None:
        raise UsageError(
            "upgraded_kueue is for scenarios of profile UPGRADE", hint="mark the test with @scenario"
        )
    return UpgradedKueue(
        scenario=record,
        context=kueue_context,
        former=kueue_context.former_dialect,
        mark=_mark_of(request, run, record),
        begin=lambda release: run.case_context(release, record.id, record, case),
        ends=run.story_ends,
    )


@pytest.fixture
def play_story(request: pytest.FixtureRequest, kueue_dialect: Dialect) -> Callable[..., None]:
    """Play a story that `explore` has found, on the program under test: `play_story(acts=[…], …)`, with the
    fields of the finding.
    """
    # Imported on use: scenarios need nothing of it.
    from ..exploration.played_story import play

    def play_once(
        *, acts: Sequence[str], perturbation: str = "", known: Sequence[str] = (), **fields: Any
    ) -> None:
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        run = request.config.stash[RUN]
        result = play(run, kueue_dialect, {"acts": list(acts), **named}, perturbation, known)
        if result.undetermined:
            pytest.skip(result.undetermined)
        if not result.was_met:
            pytest.skip(f"undetermined: {perturbation} met no request")

    return play_once


@pytest.fixture
def history(kueue_context: CaseContext) -> History:
    """All writes since the case began, with their authors."""
    return kueue_context.history


@pytest.fixture
def clock(kueue_context: CaseContext) -> Clock:
    """The cluster's time."""
    return Clock(kueue_context)


@pytest.fixture
def fakecluster() -> Iterator[Any]:
    """An API server of your own without Kueue, on virtual time."""
    # Imported on use: other backends do not load the fake server.
    from ..backends.fake import bare_cluster

    with bare_cluster() as cluster:
        yield cluster
