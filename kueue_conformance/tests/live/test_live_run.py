"""`run --live` as a command: the page fills while cases run, and hears of the end."""

import json
import re
import subprocess
import sys
import urllib.request

import pytest

from kueue_conformance.live.page_server import PageServer
from kueue_conformance.live.run_state import RunState

from ..checkout import ROOT
from ..page.browser import find, start

ADDRESS = re.compile(r"live: (http://127\.0\.0\.1:\d+/\S+/)")
COMMAND = [sys.executable, "-m", "kueue_conformance", "run", "ADM-200", "--dialect", "v0.20"]
OPTIONS = ["--report-dir", "", "--seed", "5"]


def states_of(workers):
    """Yield the state of a run again and again, up to the one that says that it is over."""
    process = subprocess.Popen(
        [*COMMAND, *OPTIONS, "--live", "-n", workers], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    with process:
        address = next(match[1] for line in process.stdout if (match := ADDRESS.search(line)))
        seen, is_over = "", False
        while not is_over:
            with urllib.request.urlopen(f"{address}state{seen}", timeout=60) as answer:
                state = json.load(answer)
            seen, is_over = f"?version={state['version']}", state["over"]
            yield state
        process.stdout.read()
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "names"), [("0", {"main"}), ("2", {"gw0", "gw1"})])
def test_the_page_fills_while_the_cases_run_and_hears_of_the_end(workers, names):
    *_, last = states_of(workers)

    assert last["outcomes"] == {"passed": last["total"]}
    assert last["cases"].keys() <= names
    (case, *_) = last["cases"].values()
    assert case["scenario"] == "ADM-200"
    assert {"ClusterQueue", "LocalQueue", "Workload"} <= {shown["kind"] for shown in case["objects"]}
    assert any("QuotaReserved=True" in line["what"] for line in case["timeline"])


def test_nothing_of_it_is_loaded_where_it_is_not_asked_for():
    words = "import sys; from kueue_conformance.cli import main; import kueue_conformance.session.progress, kueue_conformance.plugin; print([name for name in sys.modules if name.startswith('kueue_conformance.live')])"
    shown = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert shown.stdout == "[]\n"


@pytest.mark.html
def test_chromium_draws_what_the_state_says(tmp_path):
    program = find()
    if program is None:
        pytest.skip("unsupported here: needs a Chromium")
    state = RunState()
    state.describe("a run")
    state.expect(2)
    state.count_case(
        {"id": "ADM-201", "test": "test_it", "outcome": "failed", "text": "expected <b>this</b>"}
    )
    state.show_case(
        "gw0",
        {
            "scenario": "ADM-200",
            "title": "it is admitted",
            "dialect": "v0.20",
            "awaited": {"clause": "a", "expected": "Admitted", "observed": "Pending", "within": "10 s"},
            "objects": [{"kind": "Workload", "namespace": "ns", "name": "w1", "state": "Pending"}],
            "queues": [
                {
                    "name": "q1",
                    "reserving": ["w0"],
                    "pending": [{"position": 0, "workload": "w1", "priority": 5, "since": "now"}],
                }
            ],
            "watches": [{"client": "manager", "resources": {"workloads": 2, "jobs": 1}}],
            "timeline": [
                {"at": 0.5, "revision": 7, "actor": "kueue", "object": "Workload w1", "what": "created"}
            ],
        },
    )
    # Before the browser: its time goes on only while it waits for no answer, and a page asks until the end.
    state.end()
    server = PageServer(state)
    try:
        shown, console = start(
            program, server.url, tmp_path, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        )
    finally:
        server.close()

    assert console == []
    for text in (
        "1 of 2 cases  1 failed  the run is over",
        "expected &lt;b&gt;this&lt;/b&gt;",
        "worker gw0 · v0.20",
        "waits (10 s): expected Admitted; observed Pending",
        "q1: quota is held by w0",
        "<td>w1</td><td>5</td>",
        "workloads (2), jobs",
        "<td>0.500</td><td>7</td><td>kueue</td>",
    ):
        assert text in shown
