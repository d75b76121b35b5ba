"""The example controller behind a switch: a ConfigMap, or the alerts of a service of its own.

Run as `python switched_controllers.py WAY PORT`; the service of alerts is at PORT. `WAY-hasty` is wrong: when
the switch comes on it answers every Workload that lists its check, whatever that Workload is doing.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from controller import CheckController, is_true, main, timestamp
from kubernetes import client
from urllib3.exceptions import HTTPError

FIRING = set()
READ_SECONDS = 0.2


class Switched(CheckController):
    """Follows its switch, back to Pending as well as long as a Workload is not admitted."""

    def is_on(self):
        """Tell whether Workloads may be admitted."""
        raise NotImplementedError

    def ask(self, workload, check):
        state = "Ready" if self.is_on() else "Pending"
        return {"state": state, "message": f"the switch says {state}"}

    def judged(self, workload, entry):
        if entry["state"] != "Ready" or self.is_on() or is_true(workload, "Admitted"):
            return super().judged(workload, entry)
        since = timestamp()
        return {"name": entry["name"], "state": "Pending", "message": "wait", "lastTransitionTime": since}


class ByConfigMap(Switched):
    """Reads the ConfigMap `switch` several times a second; none leaves it as it was."""

    on = False

    def run(self):
        # It does not start without its configuration, as many controllers.
        client.CoreV1Api().read_namespaced_config_map("switch", "acme-system")
        threading.Thread(target=self.read_switch, daemon=True).start()
        super().run()

    def read_switch(self):
        core = client.CoreV1Api()
        while not self.stop.wait(READ_SECONDS):
            try:
                on = core.read_namespaced_config_map("switch", "acme-system").data["admit"] == "true"
            except (client.ApiException, HTTPError):
                continue
            # Only a change: to look again after each reading would be to try again without a pause.
            if on != self.on:
                self.on = on
                self.changed.set()

    def is_on(self):
        return self.on


class ByAlert(Switched):
    """Admits while no alert is firing."""

    def is_on(self):
        return not FIRING


class Hasty:
    """Looks at the switch alone."""

    def may_act(self, workload):
        return "deletionTimestamp" not in workload["metadata"] and "status" in workload


class Alerts(BaseHTTPRequestHandler):
    """Takes alerts that fire and are resolved, as an alert manager does."""

    def do_POST(self):
        alerts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        for alert in alerts:
            change = FIRING.add if alert["status"] == "firing" else FIRING.discard
            change(alert["labels"]["alertname"])
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    way, _, mistake = sys.argv.pop(1).partition("-")
    port = int(sys.argv.pop(1))
    controller = {"configmap": ByConfigMap, "alert": ByAlert}[way]
    if way == "alert":
        server = ThreadingHTTPServer(("127.0.0.1", port), Alerts)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    main(type("Hasty", (Hasty, controller), {}) if mistake else controller)
