"""Results of cases and the reports they make, for the tests of the writers."""

from kueue_conformance import run as runs
from kueue_conformance.options import read
from kueue_conformance.report.results.case import CaseResult
from kueue_conformance.report.writing import build
from kueue_conformance.scenarios.outcome import Outcome

TEXT = """\
ADM-204.b  one Retry verdict returns a Prechecked Workload to Suspended  [must]  [v0.19]
  rule       kep-993#prechecked-to-suspended-retry: After Retry the Workload is Suspended.
  expected   reserved quota was given back (within 10 s, budget 'evict')
  observed   now QuotaReserved=True & <nothing> else
  story      rv 3     kueue                    created
  run again  kueue-conformance run ADM-204 --dialect=v0.19 --seed=5"""
TIMELINE = (
    {"revision": 3, "at": 0.0, "actor": "user", "kind": "Workload", "name": "w", "what": "created"},
    {
        "revision": 4,
        "at": 1.5,
        "actor": "kueue",
        "kind": "Workload",
        "name": "w",
        "what": "QuotaReserved=True (QuotaReserved)",
    },
    {
        "revision": 6,
        "at": 4.0,
        "actor": "check-player",
        "kind": "Workload",
        "name": "w",
        "what": "check a: Pending → Retry",
    },
)


def case(scenario="ADM-200", test="test_x[v0.19]", outcome=Outcome.PASSED, **fields):
    """Return what came of a case."""
    default_fields = {
        "dialect": "v0.19",
        "parameters": {"checks": "1"},
        "seconds": 0.5,
        "waits": {"reserve": [0.25]},
    }
    return CaseResult(id=scenario, test=test, outcome=outcome, **{**default_fields, **fields})


PASSED = (
    case(timeline=TIMELINE),
    case(test="test_x[v0.19-2]"),
    case("ADM-226", observed_behaviours={"a": "kept out"}),
    case("ADM-234", outcome=Outcome.UNSUPPORTED, code="v1beta1"),
)
FAILED = (
    *PASSED,
    case("ADM-204", outcome=Outcome.FAILED, code="assertion", text=TEXT, timeline=TIMELINE),
    case("ADM-012", outcome=Outcome.ERROR, code="ApiError", text="ApiError: no"),
)


def report(results=PASSED, *, complete=True, **options):
    """Return the report of a run with these results."""
    run = runs.Run(read({"seed": "5", **options}, seed=1))
    return build(run, results, complete=complete, started=0.0)
