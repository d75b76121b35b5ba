"""The example controller with another outside system:
labels, ConfigMaps, files in a folder, a service of its own.

Run as `python controllers.py WAY`; FOLDER and PORT say where files and the service are.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from controller import CheckController, main
from kubernetes import client

UNDECIDED = {"state": "Pending", "message": "no verdict yet"}
TOLD = {}


def verdict(state, message=""):
    return {"state": state, "message": message or f"it is {state}"}


class ByLabel(CheckController):
    def ask(self, workload, check):
        verdict_label = workload["metadata"].get("labels", {}).get("example.com/verdict", "")
        return verdict(verdict_label.capitalize()) if verdict_label else UNDECIDED


class ByObject(CheckController):
    def ask(self, workload, check):
        metadata = workload["metadata"]
        result = client.CoreV1Api().list_namespaced_config_map(metadata["namespace"]).items
        datas = [
            result_item.data
            for result_item in result
            if result_item.metadata.name == f"verdict-{metadata['name']}"
        ]
        return verdict(datas[0]["state"], datas[0]["message"]) if datas else UNDECIDED


class ByFile(CheckController):
    def ask(self, workload, check):
        file = Path(os.environ["FOLDER"]) / workload["metadata"]["name"]
        return verdict(*file.read_bytes().decode().split(":", 1)) if file.exists() else UNDECIDED


class ByService(CheckController):
    def ask(self, workload, check):
        return TOLD.get(workload["metadata"]["name"], UNDECIDED)


class ByServiceThatDecidesAtOnce(CheckController):
    def ask(self, workload, check):
        return TOLD.get(workload["metadata"]["name"], verdict("Ready"))


class Service(BaseHTTPRequestHandler):
    def do_PUT(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        TOLD[self.path.rpartition("/")[2]] = verdict(body["state"], body["message"])
        self.answer()

    def do_DELETE(self):
        TOLD.pop(self.path.rpartition("/")[2], None)
        self.answer()

    def answer(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    ways = {
        "labels": ByLabel,
        "apply": ByObject,
        "run": ByFile,
        "python": ByFile,
        "http": ByService,
        "decides": ByServiceThatDecidesAtOnce,
    }
    way = sys.argv.pop(1)
    if way in ("http", "decides"):
        server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Service)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    main(ways[way])
