"""Every server of ours, started as a user starts it, with a URL of each."""

import asyncio
import contextlib
import json
import ssl
import sys
import threading
import time
import urllib.request

import yaml

from kueue_conformance.subject.outside_work.claims import Claims
from kueue_conformance.subject.verdict_server import VerdictServer
from kueue_conformance.subject.verdicts import Verdicts
from kueue_conformance.tests.attack.targets import Program
from kueue_conformance.wire.ports import free_ports

TOKENS = 'admin-token,admin,1,"system:masters"\n'
GROUPS = "groups:\n- {id: small, max: 1, cpu: 4, memory: 16Gi, boot_seconds: 5}\n"


class LoopCluster:
    """A cluster that is nothing but its loop, on a thread of its own."""

    host_address = "127.0.0.1"

    def __init__(self):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def now(self):
        """Return the time of day."""
        return time.time()

    def run(self, work):
        """Run a coroutine on the loop and return its result."""
        return asyncio.run_coroutine_threadsafe(work(None), self._loop).result(10)

    def close(self):
        """End the loop."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextlib.contextmanager
def verdict_server():
    """Lend the URL of a question for a verdict."""
    cluster, server = LoopCluster(), VerdictServer(Verdicts(), Claims())
    server.start(cluster)
    try:
        yield f"{server.url}?namespace=n&workload=w&check=c"
    finally:
        server.stop()
        cluster.close()


class Servers:
    """The programs that serve; use in a `with` block. `urls` names one URL of each server."""

    def __init__(self, folder):
        self._folder = folder
        self._programs = contextlib.ExitStack()
        self.urls = {}

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self._programs = stack
            self._start()
            self._programs = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._programs.close()

    def _start(self):
        kubeconfig, front, record = (self._folder / f"{name}.yaml" for name in ("serve", "front", "record"))
        tokens, groups = self._folder / "tokens.csv", self._folder / "groups.yaml"
        tokens.write_text(TOKENS)
        groups.write_text(GROUPS)
        of_cluster = ("--kubeconfig", kubeconfig)
        self._run("fakecluster", "serve", "--token-file", tokens, "--anonymous", *of_cluster)
        self._run("fakecluster", "front", *of_cluster, "--front-kubeconfig", front)
        transcript = ("--transcript", self._folder / "transcript.jsonl")
        self._run("fakecluster", "record", *of_cluster, "--proxy-kubeconfig", record, *transcript)
        metrics, health, grpc, cloud = (f"127.0.0.1:{port}" for port in free_ports(4))
        served = ("--webhook-port", "0", "--metrics-bind-address", metrics, "--health-bind-address", health)
        ready = self._run("reference_impl", *of_cluster, "--install", *served)
        self._run(
            "reference_impl.cloud",
            *of_cluster,
            "--groups",
            groups,
            "--address",
            grpc,
            "--control-address",
            cloud,
        )
        self.urls = {
            "api-server": f"{_address(kubeconfig)}/version",
            "front": f"{_address(front)}/version",
            "recording-proxy": f"{_address(record)}/version",
            "metrics": f"http://{metrics}/metrics",
            "health": f"http://{health}/healthz",
            "visibility": f"{ready.split()[-1]}/healthz",
            "webhooks": _webhook(_address(kubeconfig)),
            "cloud": f"http://{cloud}/",
            "verdicts": self._programs.enter_context(verdict_server()),
        }

    def _run(self, module, *arguments):
        number = len(list(self._folder.glob("*.log")))
        command = (sys.executable, "-m", module, *map(str, arguments))
        program = Program.start(f"{module}-{number}", self._folder, *command)
        self._programs.callback(program.stop)
        return program.ready


def _address(kubeconfig):
    return yaml.safe_load(kubeconfig.read_text())["clusters"][0]["cluster"]["server"]


def _webhook(server):
    """Return the URL of a webhook of the reference."""
    request = urllib.request.Request(
        f"{server}/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        headers={"Authorization": "Bearer admin-token"},
    )
    with urllib.request.urlopen(request, context=ssl._create_unverified_context()) as answer:
        (configuration, *_) = json.load(answer)["items"]
    return configuration["webhooks"][0]["clientConfig"]["url"]
