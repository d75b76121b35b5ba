"""The control plane that all cases share, where they share a cluster: begun by the process that leads the
run, configured anew for a case that wants that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

from ..backends.cluster import Cluster
from ..backends.features import WEBHOOKS
from ..backends.leftovers import cleanup_command
from ..base.errors import UsageError
from ..control_planes import INSTALLED, ControlPlane, Replaceable, RunningControlPlane, ServedApis
from ..control_planes.metrics import read_from
from ..control_planes.upstream.feature_gates import of_metrics
from ..options import Settings
from ..scenarios.dialect import Dialect, nearest, newest_serving
from ..scenarios.feature_gates import changed_gates
from ..wire.client import Client
from .components import RunComponents
from .shared_cluster import SharedClusterGuard


# Finds the dialect of a real Kueue from its observed version; a different --dialect is refused
# (harness/H-48).
def with_detected_dialect(settings: Settings, release: str, announce: Callable[[str], None]) -> Settings:
    """Return the settings with the dialect of the observed release.

    Raises UsageError when another one was given.

    Documents that never were a release may be asked for anywhere.
    """
    spoken, chosen_dialect = nearest(release), settings.dialects[0]
    if spoken is None or spoken == chosen_dialect or not chosen_dialect.is_release:
        return settings
    # A default is no decision of the user, and gives way; a written --dialect does not
    # (harness/H-48).
    if "dialect" in settings.changed_options:
        raise UsageError(
            f"the Kueue that is judged is {release}, whose dialect is {spoken.name}, and --dialect says {chosen_dialect.name}",
            hint=f"leave --dialect out, or write --dialect {spoken.name}",
        )
    announce(f"Kueue {release} is judged by dialect {spoken.name}")
    return replace(
        settings,
        # Dialects of the other family stay: an autoscaler may be judged in the same run.
        dialects=(spoken, *(dialect for dialect in settings.dialects if dialect.family != spoken.family)),
    )


# A real Kueue is judged with the feature gates that it has: what hangs on one that is off is unsupported.
def with_observed_gates(
    settings: Settings, observed: Mapping[str, bool], announce: Callable[[str], None]
) -> Settings:
    """Return the settings with the feature gates that were read from the control plane.

    Raises UsageError where `--feature-gates` says otherwise.
    """
    spoken = settings.dialects[0]
    for name, is_on in spoken.gates.items():
        if observed.get(name, is_on) != is_on:
            raise UsageError(
                f"the Kueue that is judged has feature gate {name} {_state(not is_on)}, and --feature-gates says {_state(is_on)}",
                hint="leave the gate out of --feature-gates, or set it in Kueue's Configuration",
            )
    changed = changed_gates(spoken.stands_on, observed)
    if changed:
        states = (f"{name} {_state(is_on)}" for name, is_on in sorted(changed.items()))
        announce(f"Kueue has feature gates {', '.join(states)}")
    judged = spoken.with_gates({**changed, **spoken.gates})
    return replace(settings, dialects=(judged, *settings.dialects[1:]))


# A build that knows no version is known by the versions of its API alone, and the user is told.
def with_assumed_dialect(
    settings: Settings, served: Sequence[str], announce: Callable[[str], None]
) -> Settings:
    """Return the settings with the dialect of the newest release that serves as many versions of Kueue's API
    as a real Kueue that says no release; one that was given stays.
    """
    if "dialect" in settings.changed_options:
        return settings
    assumed = newest_serving(served)
    announce(
        f"the release of the Kueue that is judged was not found: it serves {', '.join(served)}, and is judged by dialect {assumed.name}; name another with --dialect"
    )
    others = (dialect for dialect in settings.dialects if dialect.family != assumed.family)
    return replace(settings, dialects=(assumed.with_gates(settings.gates), *others))


# A real Kueue from which an upgrade begins is known by what it says itself: no option names its release.
def with_detected_former(
    settings: Settings, release: str, gates: Mapping[str, bool], announce: Callable[[str], None]
) -> Settings:
    """Return the settings with the observed release of the Kueue from which upgrades begin.

    Raises UsageError when it has not said one.
    """
    spoken = nearest(release)
    if spoken is None:
        raise UsageError(
            f"the Kueue of --upgrade-from says no version, and an upgrade is judged by both releases: {settings.former_control_plane}",
            hint='build it with -ldflags "-X sigs.k8s.io/kueue/pkg/version.GitVersion=v0.19.2", with its version',
        )
    announce(f"upgrades begin with Kueue {release}, dialect {spoken.name}")
    return replace(settings, upgrade_from=spoken.with_gates(changed_gates(spoken.stands_on, gates)))


def check_releases(settings: Settings) -> None:
    """Check that the two Kueues of an upgrade are of different releases. Raises UsageError."""
    if settings.upgrade_from in settings.dialects:
        raise UsageError(
            f"the Kueue of --upgrade-from and that of --control-plane are judged by the same dialect, {settings.dialects[0].name}: nothing would change",
            hint="name two releases",
        )


def _state(is_on: bool) -> str:
    return "on" if is_on else "off"


LOG = "kueue.log"
"""The log file of the reference on a shared cluster."""


@dataclass(eq=False)
class SharedKueue:
    """Nothing on a backend that makes a cluster for each case,
    and in a worker, whose leading process has begun it.
    """

    components: RunComponents
    playing: RunningControlPlane | None = None
    """It, on the process that started it."""
    start_as: Callable[[frozenset[str]], RunningControlPlane] | None = None
    """Starts it with a configuration that switches on so much of `CONFIGURABLE`."""
    dialect: Dialect | None = None
    """Whose release it plays; None where this process has not started it."""
    _install: Callable[[ControlPlane, Dialect], None] | None = None
    _installed: ControlPlane | None = None
    """The control plane whose definitions and webhooks the cluster has."""
    _exit_stack: ExitStack = field(default_factory=ExitStack)

    def begin(self, *, visible: Callable[[], bool]) -> None:
        """Prepare a cluster that all workers share and start its control plane, with its visibility server
        where that is `visible` to the cluster: only one that stands knows whether it reaches this machine.
        """
        dialect = self.components.settings.dialects[0]
        cluster = self.components.lent(dialect)
        folder = self.components.settings.report_dir
        cluster.log = folder / LOG if folder else None
        # Callbacks run last in, first out: control plane, guard, cluster.
        self._exit_stack.callback(cluster.close)
        guard = self._guard(cluster)
        if guard:
            # The callback of `leave` follows only when `arrive` has not refused: else it would
            # delete from a cluster not ours.
            guard.arrive(self.components.announce)
            self._exit_stack.callback(guard.leave)
        serving = ServedApis(
            webhooks="served" if WEBHOOKS in self.components.backend.features else "none",
            # Called here and not before: only the cluster that was just made knows whether it
            # reaches this machine.
            visibility="served" if visible() else "none",
            provisioning=self.components.provisions(),
            jobs=self.components.integrates_jobs(),
        )
        self._install = partial(self._install_on, cluster, serving)
        self._exit_stack.callback(self._stop)
        self._exit_stack.callback(self._uninstall)
        self._look_at_former(dialect)
        self._install(self.components.control_plane, dialect)
        if guard:
            guard.resolve()
        assert self.start_as is not None, "it was installed"
        self.playing = self.start_as(serving.configured)
        self._detect_dialect(cluster)
        self.components.settings = with_observed_gates(
            self.components.settings, self._observed_gates(), self.components.announce
        )
        self.dialect = self.components.settings.dialects[0]
        check_releases(self.components.settings)

    def _detect_dialect(self, cluster: Cluster) -> None:
        """Choose the dialect by the release that a real Kueue has said, else by what it serves."""
        release, settings = self.components.control_plane.release(), self.components.settings
        if release or self.components.control_plane.name != "upstream":
            self.components.settings = with_detected_dialect(settings, release, self.components.announce)
            return
        served = Client(cluster.transport, agent="kueue-conformance").served_versions()
        self.components.settings = with_assumed_dialect(settings, served, self.components.announce)

    def _look_at_former(self, dialect: Dialect) -> None:
        """Start the real Kueue with which cases of an upgrade begin, until it has said its version."""
        assert self._install is not None, "it was set"
        former = self.components.former_control_plane
        if former is self.components.control_plane or former.name == "reference":
            return
        self._install(former, dialect)
        assert self.start_as is not None, "it was installed"
        self.playing = self.start_as(frozenset())
        self.components.settings = with_detected_former(
            self.components.settings, former.release(), former.feature_gates(), self.components.announce
        )
        self._stop()
        self.playing = None

    def _install_on(
        self, cluster: Cluster, serving: ServedApis, control_plane: ControlPlane, dialect: Dialect
    ) -> None:
        # A configuration follows with the case that wants one: what is installed is there for all cases.
        installed = replace(serving, configured=INSTALLED)
        if self._installed in (None, control_plane):
            control_plane.install(cluster, dialect, installed)
        else:
            # Cases of upgrades need a feature that such control planes alone have.
            replacing: Replaceable = cast("Replaceable", control_plane)
            replacing.replace(cluster, dialect, installed)
        self._installed = control_plane
        self.dialect = dialect
        self.start_as = lambda features: control_plane.start(
            cluster, dialect, replace(serving, configured=features)
        )

    def _control_plane_of(self, dialect: Dialect) -> ControlPlane:
        """Return which of the two control planes of an upgrade plays a release."""
        former = dialect == self.components.settings.upgrade_from
        return self.components.former_control_plane if former else self.components.control_plane

    def _observed_gates(self) -> Mapping[str, bool]:
        """Return the feature gates of the control plane: from its metrics, where these name them."""
        address = self.components.settings.metrics_address
        exposed = of_metrics(read_from(address, lambda: self.playing)()) if address else {}
        return exposed or self.components.control_plane.feature_gates()

    @property
    def is_of_this_process(self) -> bool:
        """Tell whether this process has installed it, and may replace it."""
        return self._install is not None

    @contextmanager
    def with_configuration(self, features: frozenset[str]) -> Iterator[None]:
        """Configure it for one case until that ends.

        A real Kueue is as its manifests have it, for all cases.
        """
        # A real Kueue is not restarted for a case: its feature gates are those of its manifests.
        ours = self.components.control_plane.name == "reference"
        if not ours or self.start_as is None or self.playing is None or not features:
            yield
            return
        self.playing.stop()
        # A restart and no change in place: Kueue reads its configuration once, when it starts.
        self.playing = self.start_as(features)
        try:
            yield
        finally:
            self.playing.stop()
            self.playing = self.start_as(frozenset())

    @contextmanager
    def replace_by(self, dialect: Dialect) -> Iterator[None]:
        """Stop it, and start that of a release afterwards, on the same cluster."""
        assert self._install is not None, "a case without it is unsupported"
        self._stop()
        self.playing = None
        self._install(self._control_plane_of(dialect), dialect)
        yield
        assert self.start_as is not None, "it was installed"
        self.playing = self.start_as(frozenset())

    def restart(self) -> None:
        """Stop it and start it again."""
        assert self.dialect is not None, "a case without it is unsupported"
        with self.replace_by(self.dialect):
            pass

    def play(self, dialect: Dialect) -> None:
        """Replace it where it is of another release, or a case has ended while none worked; where another
        process has started it, do nothing.
        """
        if self.is_of_this_process and (self.dialect != dialect or self.playing is None):
            with self.replace_by(dialect):
                pass

    def close(self) -> None:
        """End it, and leave the cluster as it was found."""
        self._exit_stack.close()

    def _stop(self) -> None:
        if self.playing is not None:
            self.playing.stop()

    def _uninstall(self) -> None:
        if self._installed is not None:
            self._installed.uninstall()

    def _guard(self, cluster: Cluster) -> SharedClusterGuard | None:
        """Return the guard of other users' objects on a cluster that existed before the run."""
        reused = bool(self.components.settings.cluster_options.reuse)
        # Fake, envtest and a fresh kind cluster are made for this run and hold nothing of others.
        if self.components.backend.name != "kubeconfig" and not reused:
            return None
        client = Client(cluster.transport, agent="kueue-conformance", run=self.components.uid)
        return SharedClusterGuard(
            client,
            self.components.uid,
            self.components.settings.control_plane,
            allowed=self.components.settings.allow_neighbours,
            cleanup=cleanup_command(
                self.components.settings.backend, self.components.settings.cluster_options.reuse
            ),
            reused=reused,
        )
