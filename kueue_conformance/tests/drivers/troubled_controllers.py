"""The example controller with an outside system that has outages: a service, or a ConfigMap switch.

Run as `python troubled_controllers.py WAY PORT`; the service is at PORT. `WAY-MISTAKE` is wrong.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import urllib3
from controller import CheckController, main
from kubernetes import client

PENDING, OK, OUT_OF_ORDER = "Pending", 200, 503
STATES, OUTAGES = {}, set()
PORT = sys.argv[2] if len(sys.argv) > 2 else "0"


class ByService(CheckController):
    """Asks a service about each Workload."""

    at_first = PENDING

    def ask(self, workload, check):
        answer = self.asked_about(workload["metadata"]["name"])
        if answer.status != OK:
            raise ValueError(f"the service answered {answer.status}")
        return self.verdict(answer)

    def asked_about(self, name):
        return urllib3.request("GET", f"http://127.0.0.1:{PORT}/{name}", retries=False, timeout=5)

    def verdict(self, answer):
        state = json.loads(answer.data or "null")["state"] or self.at_first
        return {"state": state, "message": f"the service says {state}"}


class ThatDecidesAtOnce(ByService):
    """The service admits what it was told nothing about."""

    at_first = "Ready"


class WithoutLookAtStatus(ByService):
    """Breaks CC-053: takes what an error has for an answer, and ends; CHK-117 must catch it."""

    def ask(self, workload, check):
        return self.verdict(self.asked_about(workload["metadata"]["name"]))


class ThatRejectsInTrouble(ByService):
    """Breaks CC-053: makes a verdict of an error; CHK-057 must catch it."""

    def ask(self, workload, check):
        try:
            return super().ask(workload, check)
        except ValueError as problem:
            return {"state": "Rejected", "message": str(problem)}


class ByConfigMap(CheckController):
    """Reads the ConfigMap `switch`, which decides about every Workload."""

    def ask(self, workload, check):
        try:
            return self.switch()
        except KeyError as missing:
            raise ValueError(f"the switch has no {missing}") from missing

    def switch(self):
        switch = client.CoreV1Api().read_namespaced_config_map("switch", "acme-system")
        state = "Ready" if switch.data["admit"] == "true" else PENDING
        return {"state": state, "message": f"the switch says {state}"}


class ThatPanics(ByConfigMap):
    """Breaks CC-053: ends at the first switch that it cannot read; CHK-117 must catch it."""

    def ask(self, workload, check):
        return self.switch()


class Service(BaseHTTPRequestHandler):
    """Answers by what it was told: `PUT /NAME` with a state, `PUT /outage/NAME` for an outage."""

    def do_GET(self):
        name = self.path[1:]
        if OUTAGES & {name, "all"}:
            self.answer(OUT_OF_ORDER, b"")
        else:
            self.answer(OK, json.dumps({"state": STATES.get(name, "")}).encode())

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        _, *outage, name = self.path.split("/")
        if outage:
            OUTAGES.add(name)
        else:
            STATES[name] = body
        self.answer(OK, b"")

    def do_DELETE(self):
        _, *outage, name = self.path.split("/")
        OUTAGES.discard(name) if outage else STATES.pop(name, None)
        self.answer(OK, b"")

    def answer(self, code, body):
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


CONTROLLERS = {
    "service": ByService,
    "service-at-once": ThatDecidesAtOnce,
    "service-nil": WithoutLookAtStatus,
    "service-rejects": ThatRejectsInTrouble,
    "configmap": ByConfigMap,
    "configmap-panics": ThatPanics,
}

if __name__ == "__main__":
    way = sys.argv.pop(1)
    port = int(sys.argv.pop(1))
    server = ThreadingHTTPServer(("127.0.0.1", port), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    main(CONTROLLERS[way])
