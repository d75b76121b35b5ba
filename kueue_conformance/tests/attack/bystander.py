"""A well-behaved client in a process of its own: writes,
reads back, watches, and says how long it had to wait.

Beside each request to the server it asks a server that nothing attacks: what that one needs longer is the
machine's doing and not counted.
"""

import contextlib
import http.server
import math
import multiprocessing
import threading
import time
from dataclasses import dataclass
from functools import partial

from .client import Client, Refused
from .conversation import Site
from .requests import CLUSTER_QUEUE

PATH = "/api/v1/namespaces/bystander/configmaps"
LONGEST_WAIT_SECONDS = 0.5
"""CPU seconds that the programs may use before an answer: on a busy machine a short computation lasts long,
and another one has nothing to do with it.
"""
PAUSE_SECONDS = 0.1
CATCH_UP_SECONDS = 30.0


@dataclass(frozen=True)
class Wait:
    """A request that took long: when it began, what it was,
    how long it took, and how long the quiet server took meanwhile.
    """

    at: float
    what: str
    seconds: float
    machine: float
    work: float = math.inf
    """CPU seconds of the programs under attack meanwhile."""

    @property
    def seconds_charged(self):
        """The seconds that the programs under attack are answerable for."""
        return min(self.seconds - self.machine, self.work)


class Bystander:
    """Starts and ends the process; use in a `with` block."""

    def __init__(self, site, queues=(), processes=()):
        """`queues` are the ways in which it asks for pending Workloads,
        `processes` the ids of the programs under attack.
        """
        context = multiprocessing.get_context("spawn")
        self._told, text = context.Pipe(duplex=False)
        self._end = context.Event()
        self._process = context.Process(
            target=_behave, args=(site, queues, processes, text, self._end), daemon=True
        )
        self.waits = []
        self.requests = 0
        self.findings = []

    def __enter__(self):
        self._process.start()
        self._told.recv()
        return self

    def __exit__(self, *_):
        self._end.set()
        if self._told.poll(120):
            self.requests, self.waits, self.findings = self._told.recv()
        else:
            self.findings = ["the bystander was not answered any more"]
        self._process.join(10)

    def too_long(self):
        """Return the waits that are over the budget, the longest first."""
        waits = [wait for wait in self.waits if wait.seconds_charged > LONGEST_WAIT_SECONDS]
        return sorted(waits, key=lambda item: -item.seconds_charged)


def _behave(site, queues, processes, connection, end):
    """Write and read back until told to end, then say what was met."""
    with _quiet_server() as quiet:
        watcher = _Watcher(site)
        client, other = Client(site), Client(quiet)
        readers = [(f"look at the queue ({queue.name})", Client(queue)) for queue in queues]
        connection.send("ready")
        waits, requests, written, findings = [], 0, 0, []
        while not end.wait(PAUSE_SECONDS):
            name = f"b-{written % 50}"
            steps = (
                ("create", partial(_create, client, name, written)),
                ("read", partial(client.get, f"{PATH}/{name}")),
                ("delete", partial(client.ask, "DELETE", f"{PATH}/{name}")),
                *((subject_name, partial(reader.get, CLUSTER_QUEUE)) for subject_name, reader in readers),
            )
            for subject_name, step in steps:
                requests += 1
                try:
                    waits.append(_time(subject_name, step, other, processes))
                except (OSError, Refused) as error:
                    findings.append(f"the bystander's {subject_name} failed: {error!r}")
                    for item in (client, *(reader for _, reader in readers)):
                        item.close()
            written += 1
        findings += watcher.findings(written)
        connection.send(
            (requests, [wait for wait in waits if wait.seconds > LONGEST_WAIT_SECONDS / 2], findings)
        )


def _create(client, name, number):
    return client.create(PATH, {"metadata": {"name": name}, "data": {"number": str(number)}})


def _time(step_name, step, other, processes=()):
    """Return how long a step takes, the longest that the quiet server takes while it lasts, and what CPU time
    the programs use meanwhile.
    """
    slowest, done = [0.0], threading.Event()

    def ask_the_other():
        while not done.wait(0.02):
            began = time.monotonic()
            other.get("/")
            slowest[0] = max(slowest[0], time.monotonic() - began)

    beside = threading.Thread(target=ask_the_other)
    before = _cpu_seconds(processes)
    began = time.monotonic()
    beside.start()
    try:
        step()
    finally:
        seconds = time.monotonic() - began
        done.set()
        beside.join()
    return Wait(began, step_name, seconds, slowest[0], _cpu_seconds(processes) - before)


def _cpu_seconds(processes):
    """Return the CPU time that processes have used; a clock of another process is named by its id, as
    clock_getcpuclockid(3) names it.
    """
    used = 0.0
    for process in processes:
        with contextlib.suppress(OSError):  # it has ended, which is a finding of its own
            used += time.clock_gettime((~process << 3) | 2)
    return used


class _Watcher:
    """Follows what is written, and lists again when its watch ends, as clients do."""

    def __init__(self, site):
        self._site = site
        self._seen = set()
        self._relisted = 0
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self):
        while True:
            with contextlib.suppress(OSError, Refused, ValueError):
                client = Client(self._site, seconds=600)
                revision = client.get(PATH)["metadata"]["resourceVersion"]
                for event in client.lines(f"{PATH}?watch=1&resourceVersion={revision}&timeoutSeconds=600"):
                    if event["type"] == "ADDED":
                        self._seen.add(int(event["object"]["data"]["number"]))
            self._relisted += 1
            threading.Event().wait(0.2)

    def findings(self, written):
        """Return what a watcher that was never cut off did not see."""
        deadline = time.monotonic() + CATCH_UP_SECONDS
        while len(self._seen) < written and time.monotonic() < deadline and not self._relisted:
            threading.Event().wait(0.1)
        missing = sorted(set(range(written)) - self._seen)
        if self._relisted:
            return [f"the bystander's watch was ended {self._relisted} times"]
        return (
            [f"the bystander's watch was not told of {len(missing)} of {written} objects: {missing[:10]}"]
            if missing
            else []
        )


class _Quiet(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def _quiet_server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Site(name="quiet", port=server.server_address[1], tls=False)
    finally:
        server.shutdown()
        server.server_close()
