"""No clause only observes what the harness itself has written: some write of Kueue turns its condition true,
in some case at least (N-04).
"""

import contextlib
import io

import pytest

from kueue_conformance.case.context import CaseContext
from kueue_conformance.history.fact import Fact
from kueue_conformance.tests.checkout import ROOT
from kueue_conformance.tests.running.stub import change, context, workload

from .turning import Turning, find_turning_actor

GIVEN_BACK = "the eviction, which is Kueue's, before the stand-in of a job gives the quota back"
FAULT = "a fault that Kueue met, which no moment of the story holds"
MEASURED = "a metric, which no moment of the story holds"
ALSO = {
    "ADM-352.b": "the time of an entry that Kueue has reset; it was new by the verdict before (AC-119)",
    **dict.fromkeys(
        (
            "ADM-367.b",
            "ADM-368.a",
            "ADM-377.b",
            "ADM-418.a",
            "ADM-453.c",
            "ADM-558.c",
            "ADM-631.b",
            "ADM-764.b",
        ),
        GIVEN_BACK,
    ),
    **dict.fromkeys(("ADM-591.a", "ADM-738.a"), FAULT),
    "ADM-621.b": "a reservation that Kueue may have made for a moment before it gave the Workload up",
    **dict.fromkeys(("ADM-438.a", "ADM-438.e", "ADM-438.g", "ADM-448.e", "ADM-570.a"), MEASURED),
}
"""Clauses whose condition turns true by a write of the harness,
and what of Kueue's they observe all the same.
"""
RESERVED = workload(QuotaReserved=("True", "QuotaReserved"))
STORY = (
    change(1, "kueue-conformance", None, workload()),
    change(2, "kueue", workload(), RESERVED),
    change(3, "job-stand-in", RESERVED, workload()),
    change(4, "kueue", workload(), RESERVED),
)


def reserves(case: CaseContext) -> Fact:
    afters = [change_.after for change_ in case.history]
    return Fact(bool(afters) and bool(afters[-1]["status"]["conditions"]), "reserved", "no")


@pytest.mark.parametrize(
    ("length", "author"),
    [
        pytest.param(1, "", id="never"),
        pytest.param(2, "kueue", id="at last"),
        pytest.param(3, "kueue", id="no longer"),
        pytest.param(4, "kueue", id="again"),
    ],
)
def test_who_made_it_true(length, author):
    case = context(changes=STORY[:length])

    assert find_turning_actor(case, lambda: reserves(case)) == author


def test_who_made_it_untrue():
    case = context(changes=STORY[:3])

    assert find_turning_actor(case, lambda: reserves(case).negate()) == "job-stand-in"


@pytest.mark.timeout(600)
@pytest.mark.zoo
def test_every_clause_observes_something_of_kueue():
    turning = Turning()
    options = ("profile=ADMISSION", "dialect=v0.19", "seed=7")
    arguments = [
        "-c",
        str(ROOT / "kueue_conformance/data/pytest.ini"),
        "--rootdir",
        str(ROOT / "suites"),
        str(ROOT / "suites/admission"),
        "--assert=plain",
        "--tb=no",
        "-q",
        "-p",
        "no:faulthandler",
        "-p",
        "no:unraisableexception",
        "-p",
        "no:threadexception",
        "-n",
        "0",
        *(f"--kueue-{option}" for option in options),
    ]

    with contextlib.redirect_stdout(io.StringIO()) as output:
        code = pytest.main(arguments, plugins=[turning])

    assert code is pytest.ExitCode.OK, output.getvalue()
    assert sorted(turning.by_the_harness_alone()) == sorted(ALSO)
