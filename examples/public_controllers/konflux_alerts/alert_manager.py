"""The alerts of an AlertManager that scenarios let fire, and the controller that reads them.

    python alert_manager.py --port PORT firing|resolved     # a driver: sets the one alert
    python alert_manager.py --port PORT broken|repaired     # another one: every request is answered by 503
    python alert_manager.py --port PORT -- PROGRAM ...      # serves GET /api/v2/alerts, and runs the program

The state of the alert is a file of the port, so it outlives the program, as an AlertManager does.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BEGIN, END = "2026-01-01T00:00:00.000Z", "2036-01-01T00:00:00.000Z"
ALERT = {
    "labels": {"alertname": "BudgetExhausted"},
    "annotations": {},
    "fingerprint": "0000000000000000",
    "receivers": [{"name": "default"}],
    "status": {"state": "active", "inhibitedBy": [], "silencedBy": [], "mutedBy": []},
    "startsAt": BEGIN,
    "updatedAt": BEGIN,
    "endsAt": END,
}


def alerts_file(port: int) -> Path:
    """Return the file with the alerts that fire."""
    return Path(tempfile.gettempdir()) / f"public-controllers-alerts-{port}.json"


def outage_file(port: int) -> Path:
    """Return the file that is there during an outage."""
    return alerts_file(port).with_suffix(".outage")


def set_outage(port: int, word: str) -> int:
    """Begin or end an outage; return the exit code."""
    if word == "broken":
        outage_file(port).touch()
    else:
        outage_file(port).unlink(missing_ok=True)
    return 0


class AlertsHandler(BaseHTTPRequestHandler):
    """Answers GET /api/v2/alerts with the alerts that fire."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send the alerts that fire."""
        file, outage = alerts_file(self.server.server_port), outage_file(self.server.server_port)
        body = file.read_bytes() if file.exists() else b"[]"
        self.send_response(503 if outage.exists() else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        try:
            self.end_headers()
            self.wfile.write(body)
        except BrokenPipeError:
            pass  # the program ended meanwhile

    def log_message(self, *arguments: object) -> None:
        """Print nothing: what the program prints is read."""


class AlertsServer(ThreadingHTTPServer):
    """Serves the alerts, and prints nothing: a program that ends cuts its requests."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing."""


def run_program(port: int, command: list[str]) -> int:
    """Serve the alerts while the program runs; return its exit code."""
    server = AlertsServer(("127.0.0.1", port), AlertsHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = subprocess.Popen(command)
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, lambda number, _: program.send_signal(number))
    return program.wait()


def main() -> int:
    """Set the alert, or serve it beside a program; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument(
        "words", nargs="+", metavar="WORD", help="firing, resolved, broken, repaired, or -- and a program"
    )
    options = parser.parse_args()
    if options.words[0] in ("broken", "repaired"):
        return set_outage(options.port, options.words[0])
    if options.words[0] not in ("firing", "resolved"):
        return run_program(options.port, options.words)
    firing = [ALERT] if options.words[0] == "firing" else []
    written = alerts_file(options.port).with_suffix(".new")
    written.write_text(json.dumps(firing))
    written.replace(alerts_file(options.port))  # in one step: the program may read at this moment
    return 0


if __name__ == "__main__":
    sys.exit(main())
