"""What runs between a start and a stop of a cluster: its listener, what asks other servers, and its
controllers (FK-007, B-01).
"""

from __future__ import annotations

import socket
import ssl
from functools import partial
from random import Random
from typing import cast

from .. import controllers as own_controllers
from ..api.steps import Pending, Steps, take_without_turns
from ..auth.certificates import Certificates, KeyPair
from ..controllers import Engine
from ..controllers.pods import PodSimulator, scripts
from ..fairness import Fairness
from ..faults import Faults
from ..server.gate import Gate
from ..server.listener import Listener
from ..server.outgoing.calls import Caller
from ..server.outgoing.extension_servers import ExtensionServers
from ..server.outgoing.local_functions import LocalFunctions
from ..server.outgoing.prober import Prober
from ..server.outgoing.relay import Relay, trusting
from ..server.priority_and_fairness import PriorityAndFairness
from .composition import Composition
from .pod_control import PodControl


class RunningCluster:
    """The network and the controllers of one cluster, on the loop that the clusters of a process share."""

    def __init__(
        self,
        composition: Composition,
        faults: Faults,
        extension_servers: ExtensionServers,
        webhooks: LocalFunctions,
    ) -> None:
        core, options, authority = composition.core, composition.options, composition.authority
        self._composition = composition
        self._fairness = Fairness(core.store, options.seats, core.clock)
        gate = Gate(
            core.api.handle,
            core.api.refuse,
            lambda ago: core.fork_of_earlier(ago).api.handle,
            core.security,
            PriorityAndFairness(self._fairness, core.clock),
            Random(f"requests {options.seed}"),  # noqa: S311 - reproducible, and no uids of objects
        )
        relay = Relay(
            trusting(partial(_front_proxy, authority)), reach=options.reach, servers=extension_servers
        )
        hosts = options.known_hosts.with_certificate(authority.names if authority else ())
        caller = Caller(webhooks, options.reach)
        self.thread = composition.loops.share()
        self.listener = Listener(gate, core.store, core.clock, faults, relay, caller, hosts)
        self.prober = Prober(core.api, core.extensions, core.learned, relay, self.listener.complete)
        self._engine: Engine | None = None

    def listen(self, port: int | socket.socket) -> str:
        """Answer on a port and start the controllers; return the URL.

        Raises OSError when the port is taken.
        """
        authority = self._composition.authority
        number = self.thread.run(self.listener.start(port, authority.server_context if authority else None))
        self.thread.call(self.run_controllers)
        return f"{'https' if authority else 'http'}://127.0.0.1:{number}"

    def run_controllers(self) -> None:
        """Start the chosen controllers afresh, on the loop; they find their work in the store."""
        composition, api = self._composition, self._composition.core.api
        self._stop_controllers()
        paced = api.with_clock(composition.pace) if composition.pace else api
        self._engine = own_controllers.engine(
            paced,
            composition.controllers,
            self.listener.waits.answers,
            composition.keys,
            scripts.parse(composition.options.pod_script),
        )
        self._engine.start()
        # A restart of the controllers probes everything anew: what was known may be of another state.
        self.prober.stop()
        self.prober.start()

    @property
    def pods(self) -> PodControl | None:
        """What the controller that plays scheduler and kubelet
        can be told, None when the cluster has none (FK-481).
        """
        running = self._engine.controllers if self._engine else {}
        simulator = cast("PodSimulator | None", running.get("pods") or running.get("kubelets"))
        return PodControl(simulator, self._finish) if simulator else None

    def _finish(self, steps: Steps[None]) -> None:
        """Take steps to their end, in whatever thread that is asked for.

        Raises RuntimeError on the loop's own where they have to wait.
        """
        # On the loop itself the wait would never end.
        if not self.thread.inside:
            self.thread.run(self.listener.waits.finish(steps))
        elif isinstance(take_without_turns(steps), Pending):
            raise RuntimeError(
                "a webhook has to be asked first, which the cluster's own event loop cannot wait for"
            )

    def stop(self) -> None:
        """Close the port, cut every connection and stop the controllers; subscribers of the store stay."""
        self.thread.call(self._stop_on_loop)
        # The listener and its desk refer to each other: cut, so that a stopped cluster is freed without
        # a search for cycles.
        desk, self.listener.laboratory = self.listener.laboratory, None
        if desk is not None:
            desk.stop()
        self._fairness.stop()
        # Last: the loop may end with its last cluster.
        self.thread.release()

    def _stop_on_loop(self) -> None:
        self._stop_controllers()
        self.prober.stop()
        self.listener.stop()

    def _stop_controllers(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.stop()


def extension_certificate(authority: Certificates | None) -> bytes:
    """Return the certificate by which extension servers know this cluster, as DER;
    empty when there is none.
    """
    pair = _front_proxy(authority)
    return ssl.PEM_cert_to_DER_cert(pair.certificate.decode()) if pair else b""


def _front_proxy(authority: Certificates | None) -> KeyPair | None:
    return authority.front_proxy if authority else None
