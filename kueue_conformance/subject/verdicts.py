"""The outside system that a subject asks for its verdicts, hosted by the harness on loopback (harness/H-11).

`GET <url>?namespace=&workload=&check=` answers `{"state": "Pending|Ready|Retry|Rejected", "message": …}` and, where a scenario
says so, `requeueAfterSeconds` and `podSetUpdates`. While the answer is Pending a subject is expected to ask again.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Planned:
    """An answer, and what happens in the cluster between the question and it."""

    answer: Answer
    meanwhile: Callable[[], object] | None = None
    exact: bool = False
    """The scenario looks for the message."""
    code: int = 200
    """The HTTP status of the answer: anything else is the trouble of a system that cannot answer."""


UNDECIDED = Planned({"state": "Pending", "message": "no verdict yet"})


@dataclass(frozen=True, slots=True)
class Question:
    """What a subject wanted to know, and when."""

    at: float
    namespace: str
    workload: str
    check: str


class Verdicts:
    """Answers by namespace and, where they are named, by Workload and check; remembers every question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: dict[tuple[str, str, str], list[Planned]] = {}
        self._questions: list[Question] = []

    def set(self, answers: Sequence[Planned], namespace: str, workload: str = "", check: str = "") -> None:
        """Answer so from now on, one after another; the last one stays."""
        with self._lock:
            self._answers[namespace, workload, check] = list(answers)

    def ask(self, namespace: str, workload: str, check: str) -> Planned:
        """Return the verdict on a Workload and remember that it was asked for."""
        with self._lock:
            self._questions.append(Question(time.time(), namespace, workload, check))
            known = ((namespace, workload, check), (namespace, workload, ""), (namespace, "", ""))
            found = next((self._answers[key] for key in known if self._answers.get(key)), [UNDECIDED])
            planned = found.pop(0) if len(found) > 1 else found[0]
        if planned.meanwhile is not None:
            planned.meanwhile()
        return planned

    def forget(self) -> None:
        """Begin anew, for a case that shares nothing with those before."""
        with self._lock:
            self._answers.clear()
            self._questions.clear()

    def questions(self, namespace: str, workload: str = "") -> list[Question]:
        """Return the questions about a namespace or a Workload so far."""
        with self._lock:
            return [
                one
                for one in self._questions
                if one.namespace == namespace and workload in ("", one.workload)
            ]


class VerdictServer:
    """Serves verdicts over HTTP in a thread."""

    def __init__(self, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, verdicts))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/verdict"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True, name="verdicts"
        )
        self._thread.start()

    def stop(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, verdicts: Verdicts, *args: Any) -> None:
        self._verdicts = verdicts
        super().__init__(*args)

    def do_GET(self) -> None:
        asked = dict(parse_qsl(urlsplit(self.path).query))
        missing = [name for name in ("namespace", "workload", "check") if not asked.get(name)]
        if missing:
            self._send(400, {"error": f"the query lacks {', '.join(missing)}"})
        else:
            planned = self._verdicts.ask(asked["namespace"], asked["workload"], asked["check"])
            self._send(planned.code, planned.answer)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that http.server uses
        """Print nothing."""

    def _send(self, code: int, answer: Answer) -> None:
        body = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
