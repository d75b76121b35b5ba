"""One run: its settings, uid and seed, the backend and the control plane that its cases share."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from . import autoscalers, backends, control_planes
from .autoscalers import Autoscaler
from .autoscalers.cloud import Cloud, CloudCall
from .backends import (
    FAULTS,
    FRONT,
    KUEUE_FAULTS,
    KUEUE_RESTART,
    NOBODY,
    OUTSIDE,
    OWN,
    SERVERS,
    VIRTUAL_TIME,
    WEBHOOKS,
    Backend,
    Cluster,
    Inside,
    Prepare,
)
from .bench import Bench
from .budget import Budgets
from .capability import PROFILES, PROVISIONING_REQUESTS
from .cases import NO_PARAMETERS, Parameters, version_of
from .control_planes import (
    DIRECT,
    METRICS,
    SCRIPTED,
    SHARING,
    VISIBILITY,
    VISIBILITY_GROUP,
    ControlPlane,
    Reachable,
    Running,
    Serving,
)
from .control_planes.metrics import read_from
from .control_planes.nobody import NoControlPlane
from .dialect import Dialect, default, known
from .errors import ConformanceError, Nonconformance, NotActive
from .examining import Examiner
from .fact import Fact
from .guest import Guest
from .options import Settings
from .proof import Proof, beside
from .recordings import examiner as recorded
from .recordings.known import known_differences as known_to_differ
from .retrospect import Viewpoint
from .scenario import Scenario
from .settling import settled
from .story_client import StoryClient
from .subject import Connector
from .subject.running import RunningSubject
from .subject.supervision import Supervision
from .telling import About, about, explain
from .vectors.known import known_differences
from .wire.client import RUN_LABEL, ApiError, Client
from .wire.extension import ExtensionServer
from .wire.raw import Headers, RawAnswer, RawRequest, Sent
from .wishes import Wishes

MARKS_ACTIVE = "docs-2024#controller-marks-active"
"""The requirement whose scenarios fail where no check of the subject becomes Active."""
LOG = "kueue.log"
"""What the reference has to say on a cluster that all cases share."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def run_uid(settings: Settings) -> str:
    """Return five letters that tell this run's objects from others'; the workers of one run share them.

    Nobody else's objects are on a fake cluster: there the seed makes the letters, and --seed repeats every name.
    """
    shared = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    shared = f"seed {settings.seed}" if settings.backend == "fake" else shared
    draw = random.Random(shared) if shared else random.SystemRandom()  # noqa: S311 - a name, not a secret
    return "".join(draw.choice(_LETTERS) for _ in range(5))


@dataclass(eq=False)
class Run:
    """Made lazily by the first case that needs it; `close` ends it."""

    settings: Settings
    uid: str = field(init=False)
    joined: str = ""
    """On a worker: how to join the cluster that the leading process prepared."""
    announce: Callable[[str], None] = print
    """How somebody at a terminal is told something before the run goes on."""
    _backend: Backend | None = None
    _control_plane: ControlPlane | None = None
    _autoscaler: Autoscaler | None = None
    _subject: Supervision | None = None
    _examiner: Examiner | None = None
    _playing: Running | None = None
    """The control plane that all cases share, on the process that started it."""
    _start_as: Callable[[frozenset[str]], Running] | None = None
    """Starts it with a configuration that switches on so much of `SHARING`."""
    _shared: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        self.uid = run_uid(self.settings)

    @property
    def in_virtual_time(self) -> bool:
        """Each case has a cluster and a clock of its own."""
        return VIRTUAL_TIME in self.backend.features

    @property
    def kubernetes(self) -> str:
        """What the server that all workers share says of its version; empty where each case has its own, or it is gone."""
        if self._backend is None or not self._backend.shared:
            return ""
        with suppress(ConformanceError, ApiError):
            client = Client(
                self._backend.lend(self.settings.dialects[0]).transport, agent="kueue-conformance"
            )
            return str(client.call("GET", "/version")["gitVersion"])
        return ""

    def begin(self) -> None:
        """On the process that leads the run: prepare a cluster that all workers share and start its control plane."""
        if not self.backend.shared:
            return
        if self.settings.judges_server:
            self.backend.api_server()
            return
        dialect = self.settings.dialects[0]
        cluster = self._lent(dialect)
        cluster.log = folder / LOG if (folder := self.settings.report_dir) else None
        self._shared.callback(cluster.close)
        guest = self._guest(cluster)
        if guest:
            guest.arrive(self.announce)
            self._shared.callback(guest.leave)
        serving = Serving(
            webhooks="served" if WEBHOOKS in self.backend.features else "none",
            visibility="served" if VISIBILITY in self._features() else "none",
            provisioning=self._provisions(),
        )
        self.control_plane.install(cluster, dialect, serving)
        if guest:
            guest.settle()
        self._start_as = lambda wanted: self.control_plane.start(
            cluster, dialect, replace(serving, sharing=wanted)
        )
        self._playing = self._start_as(serving.sharing)
        self._shared.callback(self._stop_playing)
        self.settings = settled(self.settings, self.control_plane.release(), self.announce)

    def _stop_playing(self) -> None:
        if self._playing is not None:
            self._playing.stop()

    def _guest(self, cluster: Cluster) -> Guest | None:
        """Return who minds what is others' on a cluster that was there before the run."""
        reused = bool(self.settings.wished.reuse)
        if self.backend.name != "kubeconfig" and not reused:
            return None
        client = Client(cluster.transport, agent="kueue-conformance", run=self.uid)
        return Guest(
            client, self.uid, self.settings.control_plane,
            allowed=self.settings.allow_neighbours, reused=reused,
        )  # fmt: skip

    def _lent(self, dialect: Dialect, prepare: Prepare | None = None, inside: Inside = NOBODY) -> Cluster:
        cluster = self.backend.lend(dialect, prepare, inside)
        cluster.mark = self.uid
        return cluster

    @property
    def backend(self) -> Backend:
        """The backend, connected when first asked for."""
        if self._backend is None:
            self._backend = backends.connect(
                self.settings.backend, foreign=self._in_real_time, rights=self.settings.subject.rights if self.settings.subject else None, joined=self.joined,
                allow_imitation=self.settings.allow_fake_assets, wished=self._wished, tell=self.announce,
            )  # fmt: skip
        return self._backend

    @property
    def _wished(self) -> Wishes:
        """What is wished of a cluster, with the images that the control plane needs there."""
        wished = self.settings.wished
        return replace(wished, load=(*wished.load, *self.control_plane.images))

    @cached_property
    def _connector(self) -> Connector | None:
        return self.settings.subject.connector() if self.settings.subject is not None else None

    @property
    def _in_real_time(self) -> bool:
        """A subject or a program takes part that cannot live by a virtual clock."""
        started = self.settings.autoscaler.startswith(autoscalers.PROCESS) and any(
            PROFILES[name].judges_autoscaler for name in self.settings.profiles
        )
        return started or (self._connector is not None and not self._connector.on_the_loop)

    @property
    def handle(self) -> str:
        """How a worker joins the cluster of this process; empty where each has its own."""
        return self._backend.handle if self._backend is not None else ""

    @property
    def program(self) -> str:
        """What the server is said to be, where that is worth a line in the report."""
        return self._backend.program if self._backend is not None else ""

    @property
    def control_plane(self) -> ControlPlane:
        """Who plays Kueue."""
        if self._control_plane is None:
            self._control_plane = control_planes.choose(self.settings.control_plane, self.settings.backend)
        return self._control_plane

    @property
    def autoscaler(self) -> Autoscaler:
        """What answers ProvisioningRequests where that is judged."""
        if self._autoscaler is None:
            self._autoscaler = autoscalers.choose(self.settings.autoscaler, self.settings.backend)
        return self._autoscaler

    def _kueue_of(self, record: Scenario | None) -> ControlPlane:
        """Return who plays Kueue in a case: where an autoscaler is judged, the reference for a scenario that needs one, else nobody."""
        if record is None or not record.profile.judges_autoscaler:
            return self.control_plane
        return self._whole_stack if PROVISIONING_REQUESTS in record.needs else NoControlPlane()

    @cached_property
    def _whole_stack(self) -> ControlPlane:
        """The Kueue beside an autoscaler that is judged."""
        return control_planes.choose("reference", self.settings.backend)

    @property
    def examiner(self) -> Examiner:
        """Who asks the API server that is judged itself."""
        if self._examiner is None:
            known = known_differences() if self.settings.backend == "fake" else {}
            somebodys = {} if OWN in self.backend.features else {RUN_LABEL: self.uid}
            self._examiner = Examiner(self.backend.api_server(), known, somebodys)
        return self._examiner

    def control_plane_proof(self) -> Proof:
        """Return the proof that Kueue and its API server are the real ones. Raises Unproven for those that only play them."""
        server = self.backend.proof()
        return beside(self.control_plane.proof(self._lent(self.settings.dialects[0])), server)

    @property
    def proven(self) -> Mapping[str, str]:
        """By what server and Kueue are known to be the real ones, by `kubernetes` and `kueue`; what only plays them is left out."""
        found: dict[str, str] = {}
        if self._backend is None or not self._backend.shared:
            return found
        with suppress(ConformanceError, ApiError):
            found["kubernetes"] = self.backend.proof().by
        with suppress(ConformanceError, ApiError):
            found["kueue"] = self.control_plane_proof().by
        return found

    @cached_property
    def recorded(self) -> recorded.Examiner:
        """Who compares the control plane with the recorded Kueue; only the reference is known to differ."""
        return recorded.Examiner(known_to_differ() if self.control_plane.name == "reference" else {})

    @property
    def subject(self) -> Supervision | None:
        """Who is judged, where it is not the control plane."""
        if self._subject is None and self.settings.subject is not None:
            self._subject = Supervision(self.settings.subject, self._budgets())
        return self._subject

    def missing(self, scenario: Scenario, case: Parameters = NO_PARAMETERS) -> str:
        """Return the feature a case of a scenario lacks here, empty when it can run."""
        if scenario.unsupported:
            return scenario.unsupported
        features = self.backend.features - self.control_plane.lacks | self._features() | self._of_subject()
        if scenario.profile.judges_autoscaler:
            features |= self.autoscaler.features | (
                {PROVISIONING_REQUESTS} if self.in_virtual_time else set()
            )
        missing = next((need for need in scenario.needs_of(case) if need not in features), "")
        if not missing and PROVISIONING_REQUESTS in scenario.needs_of(case) and not self._serves_requests:
            missing = PROVISIONING_REQUESTS
        if missing in SHARING and self.backend.shared and self.control_plane.features >= SHARING:
            return f"{missing}: several processes share one control plane, which is configured for a case in a run with -n 0"
        return missing or self._cannot(scenario, case)

    def _features(self) -> frozenset[str]:
        """Return the features of the control plane; the metrics of one that another process started are read by their address."""
        readable = bool(self.settings.metrics_address) or not self.backend.shared
        own = self.control_plane.features
        called = {SERVERS, WEBHOOKS} & self.backend.features
        if not called and self.control_plane.name == "reference":
            own -= {VISIBILITY, DIRECT}
        if self.backend.shared and self.control_plane.name == "reference":
            own -= SHARING if self._playing is None else frozenset()
        return own | {METRICS} if self.settings.metrics_address else own if readable else own - {METRICS}

    @cached_property
    def _serves_requests(self) -> bool:
        """Whether ProvisioningRequests are served; true where each case has a cluster of its own, in which they are."""
        if not self.backend.shared:
            return True
        client = Client(self.backend.lend(self.settings.dialects[0]).transport, agent="kueue-conformance")
        try:
            client.call("GET", "/apis/autoscaling.x-k8s.io/v1")
        except ApiError:
            return False
        return True

    def _of_subject(self) -> frozenset[str]:
        """Return what can be done to a subject where a scenario speaks of whoever makes ProvisioningRequests."""
        if self.settings.subject is None:
            return frozenset()
        return frozenset({KUEUE_RESTART} | ({KUEUE_FAULTS} if FAULTS in self.backend.features else set()))

    def _provisions(self) -> bool:
        """Tell whether the control plane makes ProvisioningRequests: where a subject is judged, that one does."""
        return self.settings.subject is None

    def _cannot(self, scenario: Scenario, case: Parameters) -> str:
        """Return what the subject lacks, or what the backend lacks for it."""
        if self.settings.subject is None or self._connector is None:
            return ""
        need = next((one for one in self._connector.needs if one not in self.backend.features), "")
        if need:
            return f"{need}: {self.settings.subject.connect} needs them, and backend {self.backend.name} has none"
        unseen = self._connector.account and OUTSIDE not in self.backend.features
        blocked = FRONT.intersection(scenario.needs_of(case)) if unseen else ()
        if blocked:
            return f"{min(blocked)}: {self.settings.subject.connect} reaches the API server past the harness, which sees and disturbs nothing of it"
        return self.settings.subject.cannot(scenario)

    @contextmanager
    def bench(
        self,
        dialect: Dialect,
        scenario: str,
        record: Scenario | None = None,
        case: Parameters = NO_PARAMETERS,
    ) -> Iterator[Bench]:
        """Lend a bench with a running control plane; everything the case made is removed at the end."""
        serving = _served_inside(record.needs_of(case) if record else (), provisions=self._provisions())
        held = ExitStack()
        held.enter_context(self._configured(serving.sharing))
        kueue = self._kueue_of(record)
        judges_autoscaler = record is not None and record.profile.judges_autoscaler
        alone = isinstance(kueue, NoControlPlane)
        spoken = dialect if alone or not judges_autoscaler else known()[default()]

        def prepare(base: Cluster) -> None:
            kueue.install(base, spoken, serving)
            if judges_autoscaler:
                self.autoscaler.install(base, dialect)

        cluster = self._lent(spoken, prepare, kueue.inside(spoken, serving))
        agent = f"kueue-conformance/1 {scenario}"
        playing = Playing(
            None if self.backend.shared else lambda: kueue.start(cluster, spoken, serving),
            self._playing,
        )
        seat = AutoscalerSeat(
            lambda cloud, flags: self.autoscaler.start(cluster, dialect, cloud, flags),
            lambda: self.autoscaler.cloud(cluster),
        )
        try:
            playing.start()
            viewpoint = Viewpoint()
            client = StoryClient(
                cluster.transport, viewpoint, agent=agent, run=self.uid, version=version_of(case)
            )
            if judges_autoscaler:
                client.versions = {"ProvisioningRequest": dialect.fact("request-version")}
            cluster.begins(client.owns, self._budgets().seconds("quiet") if self.settings.at_rest else 0.0)
            bench = Bench(
                cluster, dialect, self._budgets(), client, scenario, playing.restart, viewpoint=viewpoint
            )
            bench.exposition = read_from(self.settings.metrics_address, lambda: playing.running)
            bench.ended = playing.ended
            bench.stopped = playing.stopped
            if self.backend.shared:  # another process may have started it
                bench.direct = ExtensionServer(client, VISIBILITY_GROUP)
            else:
                bench.direct, bench.send = playing.ask, playing.send
            bench.kueue_works = SCRIPTED not in kueue.features and not judges_autoscaler
            bench.autoscaler = seat if judges_autoscaler else None
            bench.about = about(record, dialect, self.settings) if record else About()
            try:
                bench.subject = self._subject_on(cluster, bench, record)
                with bench.current():
                    yield bench
            finally:
                if self.subject:
                    self.subject.leave(cluster, disturbed=bool(bench.disturbed))
                if self.in_virtual_time:
                    client.forget()
                else:
                    client.clean_up()
                seat.close()
                playing.stop()
        finally:
            cluster.close()
            held.close()

    def _subject_on(self, cluster: Cluster, bench: Bench, record: Scenario | None) -> RunningSubject | None:
        """Return the subject that works on a cluster. Raises SubjectDied; Nonconformance where none of its checks becomes Active and that is judged."""
        if self.subject is None:
            return None
        try:
            return self.subject.on(cluster, self.announce)
        except NotActive as problem:
            if record is None or MARKS_ACTIVE not in record.requirement:
                raise
            said = f"an AdmissionCheck with controllerName {self.subject.controller_name!r} is Active"
            seen = Fact(False, said, str(problem.args[0]))
            raise Nonconformance(explain(bench, "a", seen, "within the budget 'start'")) from problem

    @contextmanager
    def _configured(self, wanted: frozenset[str]) -> Iterator[None]:
        """Have the control plane that all cases share be configured as one case wants it, until that has ended.

        A real Kueue is as its manifests have it, for all cases.
        """
        ours = self.control_plane.name == "reference"
        if not ours or self._start_as is None or self._playing is None or not wanted:
            yield
            return
        self._playing.stop()
        self._playing = self._start_as(wanted)
        try:
            yield
        finally:
            self._playing.stop()
            self._playing = self._start_as(frozenset())

    def failed(self) -> None:
        """Have the backend keep what explains a failure, before it is closed."""
        if self._backend is not None:
            self._backend.failed()

    def close(self) -> None:
        """End what the run made."""
        if self._subject is not None:
            self._subject.stop()
        self._shared.close()
        if self._control_plane is not None:
            self._control_plane.close()
        if self._backend is not None:
            self._backend.close()

    def _budgets(self) -> Budgets:
        return Budgets(self.in_virtual_time, self.settings.timeout_scale)


def _served_inside(needs: Sequence[str], *, provisions: bool) -> Serving:
    """Return what has to be served to a case that has a cluster of its own."""
    return Serving(
        "inside" if WEBHOOKS in needs else "none",
        "inside" if VISIBILITY in needs else "none",
        provisioning=provisions and PROVISIONING_REQUESTS in needs,
        sharing=SHARING.intersection(needs),
    )


@dataclass(eq=False)
class AutoscalerSeat:
    """The autoscaler of one case: at work from when a scenario starts it, with a cloud from when a scenario speaks of one."""

    begin: Callable[[Cloud | None, Mapping[str, str]], Running]
    make_cloud: Callable[[], Cloud]
    running: Running | None = None
    made: Cloud | None = None

    @property
    def cloud(self) -> Cloud:
        """The cloud behind it. Raises UsageError where there can be none."""
        if self.made is None:
            self.made = self.make_cloud()
        return self.made

    @property
    def calls(self) -> Sequence[CloudCall]:
        """What it asked its cloud for."""
        return self.made.calls() if self.made is not None else ()

    def start(self, flags: Mapping[str, str]) -> None:
        """Have it work with these flags."""
        self.running = self.begin(self.made, flags)

    def stop(self) -> None:
        """End it, if it works."""
        if self.running is not None:
            self.running.stop()
            self.running = None

    def close(self) -> None:
        """End it and its cloud."""
        self.stop()
        if self.made is not None:
            self.made.close()

    def ended(self) -> str:
        """Tell what of it has ended by itself; empty while it works, or where that is not seen."""
        return self.running.ended() if self.running is not None else ""


@dataclass(eq=False)
class Playing:
    """The control plane of one case: nobody where a shared one plays already."""

    begin: Callable[[], Running] | None
    shared: Running | None = None
    """The one that plays already, where this process started it."""
    running: Running | None = None

    def start(self) -> None:
        """Have it reconcile."""
        if self.begin is not None:
            self.running = self.begin()

    def stop(self) -> None:
        """End it."""
        if self.running is not None:
            self.running.stop()
            self.running = None

    def ended(self) -> str:
        """Tell what of it has ended by itself; empty while it works, or where that is not seen."""
        playing = self.running or self.shared
        return playing.ended() if playing is not None else ""

    def restart(self) -> None:
        """End it and start it anew."""
        with self.stopped():
            pass

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """End it, and start it anew afterwards."""
        self.stop()
        yield
        self.start()

    def ask(self, method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        """Send a request to its visibility server itself; for cases that need `DIRECT`."""
        return cast("Reachable", self.running).ask(method, target, headers, body)

    def send(self, requests: Sequence[RawRequest]) -> Sent:
        """Send several requests to it at one moment."""
        return cast("Reachable", self.running).send(requests)
