"""Small operators in threads: every ConfigMap gets two Secrets of its own. One is right, the others are wrong
in a way that shows only when something happens at the wrong moment.
"""

import http.client
import json
import threading
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import yaml

MAPS, SECRETS = "/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/secrets"
CONFLICT = 409
RETRY_SECONDS = 0.05


class RefusedError(Exception):
    """An answer that is a failure."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Client:
    """Requests over a plain connection."""

    def __init__(self, kubeconfig):
        config = yaml.safe_load(Path(kubeconfig).read_text("utf-8"))
        self.address = urlsplit(config["clusters"][0]["cluster"]["server"]).netloc
        self.headers = {"Authorization": f"Bearer {config['users'][0]['user']['token']}"}

    @contextmanager
    def open(self, method, path, body=None):
        with closing(http.client.HTTPConnection(self.address, timeout=30)) as connection:
            connection.request(method, path, json.dumps(body) if body else None, self.headers)
            with connection.getresponse() as answer:
                if answer.status >= 400:
                    raise RefusedError(answer.status)
                yield answer

    def ask(self, method, path, body=None):
        with self.open(method, path, body) as answer:
            return json.load(answer)


class SmallOperator:
    """Follows both kinds, and reconciles every ConfigMap after each change."""

    def __init__(self, kubeconfig, stop):
        self.client, self.stop, self.changed = Client(kubeconfig), stop, threading.Event()
        self.maps, self.secrets = {}, {}

    def run(self):
        for path, cache in ((SECRETS, self.secrets), (MAPS, self.maps)):
            revision = self.fill(path, cache)
            threading.Thread(target=self.follow, args=(path, cache, revision), daemon=True).start()
        while not self.stop.is_set():
            self.changed.wait(RETRY_SECONDS)
            if self.changed.is_set():
                self.changed.clear()
                self.reconcile_all()

    def fill(self, path, cache):
        listed = self.client.ask("GET", f"{path}?resourceVersion=0")
        cache.clear()
        cache.update({item["metadata"]["name"]: item for item in listed["items"]})
        self.changed.set()
        return listed["metadata"]["resourceVersion"]

    def follow(self, path, cache, revision):
        while not self.stop.is_set():
            try:
                revision = self.watch(path, cache, revision) or self.fill(path, cache)
            except (OSError, ValueError, http.client.HTTPException, RefusedError):
                self.stop.wait(RETRY_SECONDS)

    def watch(self, path, cache, revision):
        """Watch until the stream ends; return from where to go on, None when a list is needed."""
        query = urlencode({"watch": 1, "resourceVersion": revision})
        with self.client.open("GET", f"{path}?{query}") as events:
            for line in events:
                event = json.loads(line)
                if event["type"] == "ERROR":
                    return None
                metadata = event["object"]["metadata"]
                revision = metadata["resourceVersion"]
                if event["type"] == "DELETED":
                    cache.pop(metadata["name"], None)
                else:
                    cache[metadata["name"]] = event["object"]
                self.notify(path)
        return revision

    def notify(self, path):
        del path
        self.changed.set()

    def reconcile_all(self):
        for item in tuple(self.maps.values()):
            if item["metadata"]["name"].startswith("parent"):
                try:
                    self.reconcile(item)
                except (OSError, http.client.HTTPException, RefusedError):
                    self.stop.wait(RETRY_SECONDS)
                    self.changed.set()

    def reconcile(self, parent):
        for name in ("first", "second"):
            self.ensure(parent, f"{name}-{parent['metadata']['name']}")

    def ensure(self, parent, name):
        if name not in self.secrets:
            self.create(parent, {"name": name})

    def create(self, parent, own_name):
        owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": parent["metadata"]["name"]}
        owner["uid"] = parent["metadata"]["uid"]
        try:
            self.client.ask("POST", SECRETS, {"metadata": {**own_name, "ownerReferences": [owner]}})
        except RefusedError as refusal:
            if refusal.code != CONFLICT:
                raise


class ForgetsAfterCrash(SmallOperator):
    """Makes the second Secret only together with the first."""

    def reconcile(self, parent):
        if f"first-{parent['metadata']['name']}" not in self.secrets:
            super().reconcile(parent)


class TrustsCache(SmallOperator):
    """Lets the server name a Secret, and makes it when the cache has none; looks at ConfigMaps that change
    only.
    """

    def notify(self, path):
        if path == MAPS:
            # Time for the events of the Secrets, which come by another watch.
            self.stop.wait(RETRY_SECONDS)
            super().notify(path)

    def ensure(self, parent, name):
        if not any(secret.startswith(name) for secret in tuple(self.secrets)):
            self.create(parent, {"generateName": f"{name}-"})


class IgnoresRefusals(SmallOperator):
    """Writes once for each event, and gives up when that is refused."""

    def create(self, parent, own_name):
        try:
            super().create(parent, own_name)
        except RefusedError:
            self.secrets[own_name["name"]] = None


def function_of(operator):
    """Return the function that `perturb` starts."""
    return lambda kubeconfig, stop: operator(kubeconfig, stop).run()
