"""The soak judges what it should: quota, leaders, growth, programs that end; and a small one is clean."""

import subprocess
import sys
from itertools import islice

import orjson
import pytest

from .disturbances import AGENTS, FAULTS, disturb, draw
from .figures import Row, growth, percentile
from .observer import Leaders, Quota
from .page import render
from .programs import Program, Resources

RESERVED = {"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved"}
FINISHED = {"type": "Finished", "status": "True", "reason": "Succeeded"}
MEGABYTE = 1 << 20


def workload(uid, cpus, *conditions, revision="7", returned=0):
    """Return a Workload of four pods that holds so many CPUs in all."""
    assignment = {"name": "main", "count": 4, "resourceUsage": {"cpu": cpus}}
    reclaimable = [{"name": "main", "count": returned}] if returned else []
    return {
        "metadata": {"uid": uid, "name": uid, "resourceVersion": revision},
        "status": {
            "admission": {"clusterQueue": "plain", "podSetAssignments": [assignment]},
            "conditions": list(conditions),
            "reclaimablePods": reclaimable,
        },
    }


def take_all(*events):
    """Return the quota after events of a watch."""
    quota = Quota()
    for kind, content in events:
        quota.take(kind, content)
    return quota


def test_more_than_the_quota_is_a_finding_that_names_the_write():
    quota = take_all(
        ("ADDED", workload("a", "15", RESERVED)),
        ("MODIFIED", workload("b", "5500m", RESERVED, revision="8")),
    )

    assert quota.findings == ["ClusterQueue plain holds 20.5 of 20 CPUs at revision 8, written to b"]
    assert (quota.highest, quota.reservations) == (20.5, 2)


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(("DELETED", workload("a", "15", RESERVED)), id="deleted"),
        pytest.param(("MODIFIED", workload("a", "15", RESERVED, FINISHED)), id="finished"),
        pytest.param(("MODIFIED", workload("a", "15")), id="taken back"),
        pytest.param(
            ("MODIFIED", workload("a", "15", RESERVED) | {"spec": {"active": False}}), id="deactivated T-01"
        ),
        pytest.param(
            ("MODIFIED", workload("a", "16", RESERVED, returned=3)), id="three of four pods are done"
        ),
        pytest.param(
            ("LISTED", {"metadata": {"resourceVersion": "9"}, "items": []}),
            id="gone while the watch was away",
        ),
    ],
)
def test_what_was_given_back_counts_no_more(end):
    quota = take_all(("ADDED", workload("a", "15", RESERVED)), end, ("ADDED", workload("b", "16", RESERVED)))

    assert quota.findings == []


def test_a_change_of_the_leader_is_counted_and_a_renewal_is_not():
    leaders = Leaders()
    for holder in ("one", "one", "", "two"):
        leaders.take("MODIFIED", {"metadata": {"name": "kueue"}, "spec": {"holderIdentity": holder}})

    assert leaders.changes == 1


def rows_of(*megabytes, descriptors=10):
    """Return rows of a program with so much memory."""
    return [
        Row(
            second=place,
            resources={"serve": Resources(bytes=size * MEGABYTE, descriptors=descriptors, threads=5)},
        )
        for place, size in enumerate(megabytes)
    ]


@pytest.mark.parametrize(
    ("megabytes", "is_found"),
    [
        pytest.param([50, 90, 200, 200, 200, 200, 201, 202], False, id="flat after the warm-up"),
        pytest.param([200, 200, 200, 200, 200, 210, 240, 260], True, id="grows to the end"),
        pytest.param([10, 10, 10, 10, 10, 10, 20, 20], False, id="small, and by little"),
        pytest.param([10, 200], False, id="too short to tell"),
    ],
)
def test_what_a_program_holds_must_not_grow(megabytes, is_found):
    assert bool(list(growth(rows_of(*megabytes)))) is is_found


@pytest.mark.parametrize(("percent", "value"), [(50, 2), (99, 4), (100, 4)])
def test_a_percentile_is_a_value_that_came(percent, value):
    assert (percentile([4, 1, 3, 2], percent), percentile([], percent)) == (value, 0.0)


def test_each_disturbance_comes_once_before_any_comes_again():
    names = ["kueue-1", "budget"]
    number = len(names) + len(FAULTS) * len(AGENTS) + 8
    drawn = list(islice(draw(1, names), 2 * number))

    assert drawn == list(islice(draw(1, names), 2 * number))
    assert sorted(map(str, drawn[:number])) == sorted(map(str, drawn[number:]))


def test_nothing_is_killed_in_the_second_half():
    class Recorder:
        def __init__(self):
            self.kinds = []

        def bring_about(self, disturbance):
            self.kinds.append(disturbance.kind)

    recorder = Recorder()
    disturb(
        recorder,
        islice(draw(1, ["budget"]), 60),
        may_kill=lambda: False,
        is_over=lambda: False,
        pause_seconds=0,
        wait=lambda _: None,
    )

    assert recorder.kinds
    assert "killed" not in recorder.kinds


def test_a_program_that_ends_by_itself_is_a_finding_and_one_that_was_stopped_is_none(tmp_path):
    script = "print('ready', flush=True); import time; time.sleep(60)"
    lasting = Program("lasting", [sys.executable, "-c", script], tmp_path)
    lasting.start()
    held = lasting.resources()
    lasting.kill()
    killed = list(lasting.findings())
    lasting.start()
    lasting.stop()

    assert (held.threads, held.bytes > 0, len(killed), list(lasting.findings())) == (1, True, 1, [])
    assert lasting.starts == 2


def test_a_program_that_does_not_start_says_why(tmp_path):
    broken = Program("broken", [sys.executable, "-c", "raise SystemExit('no such flag')"], tmp_path)

    with pytest.raises(RuntimeError, match="no such flag"):
        broken.start()


def test_the_page_shows_findings_as_text():
    page = render(rows_of(1, 2), {"seed": 1}, {"Complete": 3}, {"killed": 1}, ["<script>"])

    assert "1 finding(s)" in page
    assert "&lt;script&gt;" in page
    assert "<script>" not in page


@pytest.mark.acceptance
@pytest.mark.timeout(600)
def test_a_small_one_is_clean_and_leaves_its_page(tmp_path):
    command = [sys.executable, "-m", "kueue_conformance.tests.soak", "--for", "10s", "--users", "4"]
    done = subprocess.run(
        [*command, "--out", tmp_path / "soak"], capture_output=True, text=True, check=False, timeout=540
    )
    figures = orjson.loads((tmp_path / "soak" / "figures.json").read_bytes())

    assert (done.returncode, figures["findings"]) == (0, []), done.stdout + done.stderr
    assert figures["facts"]["reservations"] > 0
    assert "Nothing was found." in (tmp_path / "soak" / "index.html").read_text("utf-8")
