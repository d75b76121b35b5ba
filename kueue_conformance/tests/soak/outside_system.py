"""The outside system of the check controllers: it decides by the name of the Workload, after a while."""

import json
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

READY_PERCENT, RETRY_PERCENT = 85, 10
"""The rest is rejected."""
LONGEST_THOUGHT_SECONDS = 3.0


class OutsideSystem:
    """Answers over HTTP; while `is_down` it fails. Use in a `with` block."""

    def __init__(self):
        self.is_down = threading.Event()
        self.questions = 0
        self._first_asked = {}
        outside_system = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outside_system.answer(self)

            def log_message(self, *_):
                """Say nothing about requests."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request):
        """Answer one question."""
        self.questions += 1
        query = parse_qs(urlsplit(request.path).query)
        workload, check = (query.get(name, [""])[0] for name in ("workload", "check"))
        body = json.dumps(self._decision(workload, check, time.monotonic())).encode()
        request.send_response(503 if self.is_down.is_set() else 200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def _decision(self, workload, check, instant):
        lot = zlib.crc32(f"{workload} {check}".encode())
        first = self._first_asked.setdefault((workload, check), instant)
        if instant - first < LONGEST_THOUGHT_SECONDS * (lot % 97) / 97:
            return {"state": "Pending", "message": "it is being looked at"}
        if lot % 100 < READY_PERCENT or instant - first > 10 * LONGEST_THOUGHT_SECONDS:
            return {"state": "Ready", "message": "fine"}
        if lot % 100 < READY_PERCENT + RETRY_PERCENT:
            return {"state": "Retry", "message": "not now", "requeueAfterSeconds": 1}
        return {"state": "Rejected", "message": "never"}
