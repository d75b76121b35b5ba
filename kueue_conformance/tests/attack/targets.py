"""The programs under attack, started as a user starts them, and what can be seen of them from outside."""

import contextlib
import os
import resource
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from .client import Client, Refused
from .conversation import Site
from .hostile_hooks import HOSTILE, registrations
from .hostile_server import HostileServer
from .queue import ACCESS, OBJECTS, workloads
from .requests import CONFIG_MAPS, DEFINITIONS, NAMESPACE, WIDGETS, config_map, widget

START_SECONDS = 60.0
LIMIT_BYTES = 6 << 30
"""Where a program that takes all the memory is stopped, so that the machine is not."""
TOKENS = """admin-token,admin,1,"system:masters"
attacker,attacker,2,attackers
bystander,bystander,3,
masked,masked,4,maskers
updater,updater,5,updaters
"""
LARGE_OBJECTS, LARGE_BYTES = 12, 800_000
"""The ConfigMaps that make a list of some 10 MB."""
SCHEMA = {
    "type": "object",
    "x-kubernetes-preserve-unknown-fields": True,
    "properties": {
        "spec": {
            "type": "object",
            "x-kubernetes-preserve-unknown-fields": True,
            "properties": {
                "number": {"type": "integer"},
                "text": {"type": "string", "pattern": "^.{0,1000}.{0,1000}.{0,1000}x$"},
                "list": {"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": True}},
                "choices": {
                    "type": "array",
                    "items": {
                        "type": "string",
                        "anyOf": [{"minLength": 2 + number} for number in range(500)],
                    },
                },
            },
        }
    },
}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.attack.example.com"},
    "spec": {
        "group": "attack.example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "kind": "Widget"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": SCHEMA}}],
    },
}
ROLE = {
    "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "attacker"},
    "rules": [{
        "apiGroups": ["", "attack.example.com", "apiextensions.k8s.io", "kueue.x-k8s.io", "batch", "apps", "authorization.k8s.io"],
        "resources": ["configmaps", "pods", "pods/log", "secrets", "resourcequotas", "widgets", "customresourcedefinitions", "workloads", "jobs", "deployments", "replicasets", "statefulsets", "subjectaccessreviews"],
        "verbs": ["*"],
    }, {
        "apiGroups": ["hostile.example.com"], "resources": ["*"], "verbs": ["*"],
    }, {
        "apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles", "rolebindings"], "verbs": ["get", "create"],
    }, {
        "apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "resourceNames": ["view"], "verbs": ["bind"],
    }, {
        "apiGroups": ["authorization.k8s.io"], "resources": ["localsubjectaccessreviews"], "verbs": ["create"],
    }, {
        "apiGroups": ["", "authentication.k8s.io"], "resources": ["users", "groups", "userextras/k"], "verbs": ["impersonate"],
        "resourceNames": ["target", *(f"{letter}{number}" for letter in "gv" for number in range(20_000))],
    }],
}  # fmt: skip
BINDING = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRoleBinding",
    "metadata": {"name": "attacker"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "attacker"},
    # By its token at the server, by its name alone behind the front.
    "subjects": [
        {"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": "attackers"},
        {"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "attacker"},
    ],
}
UPDATER = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRole",
    "metadata": {"name": "updater"},
    "rules": [{"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["update", "patch"]}],
}
UPDATERS = {
    **BINDING,
    "metadata": {"name": "updater"},
    "roleRef": {**BINDING["roleRef"], "name": "updater"},
    "subjects": [{**BINDING["subjects"][0], "name": "updaters"}],
}
RBAC = "/apis/rbac.authorization.k8s.io/v1"


@dataclass
class Program:
    """A process and its log."""

    name: str
    process: subprocess.Popen
    log: Path
    ready: str = ""
    """What its line `ready` says."""

    @classmethod
    def start(cls, name, folder, *command):
        """Start a program and wait for its line `ready`."""
        log = folder / f"{name}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, text=True)
        resource.prlimit(process.pid, resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
        ready = []
        reader = threading.Thread(target=lambda: ready.append(process.stdout.readline()), daemon=True)
        reader.start()
        reader.join(START_SECONDS)
        if not ready or not ready[0].startswith("ready"):
            process.kill()
            raise RuntimeError(f"{name} did not start: {log.read_text()[-2000:]}")
        # A pipe that is not read fills up and blocks its writer.
        threading.Thread(target=_read_out, args=(process.stdout,), daemon=True).start()
        return cls(name, process, log, ready[0])

    @property
    def peak_bytes(self):
        """The most memory that the process has had; 0 when it is gone."""
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        return 0

    def findings(self):
        """Yield what a program must not have done."""
        if self.process.poll() is not None:
            yield f"{self.name} ended with exit code {self.process.returncode}: {self.log.read_text('utf-8', 'replace')[-2000:]}"
        text = self.log.read_text("utf-8", "replace")
        if (at := text.find("Traceback (most recent call last)")) >= 0:
            yield f"{self.name} logged a traceback: {text[max(0, at - 300) : at + 3000]}"

    def stop(self):
        """End the process."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def _read_out(pipe):
    with pipe:
        pipe.read()


class Targets:
    """`fakecluster serve`, a front before it, and the reference beside it; use in a `with` block."""

    def __init__(self, folder):
        self._folder = folder
        self.programs = []
        self.sites = {}
        self.anonymous = {}
        """The same sites without credentials."""
        self._hostile = contextlib.ExitStack()

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for program in reversed(self.programs):
            program.stop()
        self._hostile.close()

    def _start(self):
        tokens, kubeconfig, front, pki = (
            self._folder / name for name in ("tokens.csv", "kubeconfig", "front.kubeconfig", "pki")
        )
        tokens.write_text(TOKENS)
        self._run(
            "serve",
            "fakecluster",
            "serve",
            "--authorization",
            "rbac",
            "--token-file",
            tokens,
            "--kubeconfig",
            kubeconfig,
            "--pki",
            pki,
        )
        self.admin = Site(name="serve", port=_server(kubeconfig)[0], token="admin-token")
        self._furnish()
        self._run(
            "front",
            "fakecluster",
            "front",
            "--kubeconfig",
            kubeconfig,
            "--front-kubeconfig",
            front,
            "--user",
            "attacker",
            "--as",
            "attacker",
        )
        metrics = _free_port()
        self._run(
            "reference",
            "reference_impl",
            "--kubeconfig",
            kubeconfig,
            "--install",
            "--webhook-port",
            "0",
            "--metrics-bind-address",
            f"127.0.0.1:{metrics}",
            "--log-level",
            "error",
        )
        self._fill_queue()
        self._name_sites(_server(front), metrics, pki)

    def _name_sites(self, front, metrics, pki):
        """Say where the programs are attacked,
        and where the client that behaves asks for pending Workloads.
        """
        queues = urlsplit(self.programs[-1].ready.split()[-1]).port
        proxy = self._folder / "front-proxy.pem"
        proxy.write_bytes(
            b"".join((pki / f"front-proxy-client.{end}").read_bytes() for end in ("crt", "key"))
        )
        self.bystanders = (
            Site(name="visibility", port=queues, token="bystander"),
            Site(name="aggregated", port=self.admin.port, token="bystander"),
        )
        for site in (
            Site(name="serve", port=self.admin.port, token="attacker"),
            Site(name="laboratory", port=self.admin.port, token="admin-token"),
            Site(name="updater", port=self.admin.port, token="updater"),
            Site(name="front", port=front[0], token=front[1]),
            Site(name="metrics", port=metrics, tls=False),
            Site(name="webhooks", port=self._webhooks()),
            Site(name="visibility", port=queues, token="masked"),
            Site(name="front-proxy", port=queues, certificate=proxy),
            Site(name="aggregated", port=self.admin.port, token="masked"),
            Site(name="certificates", port=self.admin.port, pki=pki),
        ):
            self.sites[site.name] = site
            self.anonymous[site.name] = Site(name=site.name, port=site.port, tls=site.tls)

    def _run(self, name, module, *arguments):
        self.programs.append(
            Program.start(name, self._folder, sys.executable, "-m", module, *map(str, arguments))
        )

    def _furnish(self):
        with contextlib.closing(Client(self.admin)) as client:
            client.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
            client.create("/api/v1/namespaces", {"metadata": {"name": "bystander"}})
            client.create(DEFINITIONS, DEFINITION)
            for role, binding in ((ROLE, BINDING), (UPDATER, UPDATERS)):
                client.create(f"{RBAC}/clusterroles", role)
                client.create(f"{RBAC}/clusterrolebindings", binding)
            client.create(CONFIG_MAPS, config_map("target", a="b", c="d" * 100))
            for target, registration in registrations(self._hostile.enter_context(HostileServer())):
                client.create(target, registration)
            for number in range(LARGE_OBJECTS):
                client.create(CONFIG_MAPS, config_map(f"large-{number}", a="a" * LARGE_BYTES))
            for _ in range(100):  # a kind is served a moment after its definition was made
                with contextlib.suppress(Refused):
                    client.create(WIDGETS, widget("target", any={}, list=[]))
                    return
                threading.Event().wait(0.05)

    def _fill_queue(self):
        """Make a queue in which Workloads wait for ever, and let users read it."""
        with contextlib.closing(Client(self.admin)) as client:
            for path, item in (*ACCESS, *OBJECTS, *workloads()):
                client.create(path, item)

    def _webhooks(self):
        """Return the port on which the reference answers reviews."""
        with contextlib.closing(Client(self.admin)) as client:
            configurations = client.get(
                "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
            )["items"]
        (port, *_) = {
            urlsplit(hook["clientConfig"]["url"]).port
            for configuration in configurations
            # The hostile server is asked by the API server alone: what is sent to it says nothing of ours.
            if configuration["metadata"]["name"] != HOSTILE
            for hook in configuration["webhooks"]
            if "url" in hook["clientConfig"]
        }
        return port


def _server(kubeconfig):
    """Return the port and the token of a kubeconfig."""
    safe_load = yaml.safe_load(kubeconfig.read_text())
    return urlsplit(safe_load["clusters"][0]["cluster"]["server"]).port, safe_load["users"][0]["user"].get(
        "token", ""
    )


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as create_server:
        return create_server.getsockname()[1]


def politely():
    """Let the programs under attack and the bystander go first: the machine's cores are few."""
    os.nice(10)
