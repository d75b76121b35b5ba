"""Wrong check controllers are caught: each by the scenario named for it,
on virtual time and some of them as programs (N-04).
"""

import gc
from itertools import groupby

import pytest

from kueue_conformance.catalogue.inventory import inventory, module_of
from kueue_conformance.tests.checkout import ROOT
from kueue_conformance.tests.killing.judging import CLASSES, RIGHT, judge
from kueue_conformance.tests.killing.mutants import mutants

# Connections of a controller that is ended with its case close one iteration of the loop later, when the loop
# has stopped.
pytestmark = [
    pytest.mark.zoo,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"),
]
EVERYBODY = mutants()
OFFICIAL = {
    "answers_before_reservation": "CHK-010",
    "answers_finished_workloads": "CHK-013",
    "answers_while_evicted": "CHK-014",
    "moves_the_time_with_every_message": "CHK-024",
    "overwrites_the_whole_list": "CHK-023",
    "passes_any_word_on": "CHK-021",
    "serves_every_check": "CHK-002",
}
OF_THE_ZOO = {
    "scale:BelievesItsOwnClock": "CHK-170",
    "verdicts:RevivesRejected": "CHK-033",
    "verdicts:DropsTheRetryCount": "CHK-025",
    "timing:DeniesWhileEvicted": "CHK-018",
}
OF_LICENSES = {
    "adds_what_a_list_has": "CHK-191",
    "claims_at_each_turn": "CHK-087",
    "forgets_deletions": "CHK-091",
    "never_releases": "CHK-088",
    "releases_after_a_deletion_alone": "CHK-090",
    "releases_before_it_has_listed": "CHK-187",
}
LICENSES = ROOT / "examples/check_controllers/python/subject-licenses.yaml"
PROGRAMS = {
    **{f"kueue_conformance/tests/mutants/{name}.py": scenario for name, scenario in OFFICIAL.items()},
    **{f"-m kueue_conformance.tests.zoo {name}": scenario for name, scenario in OF_THE_ZOO.items()},
}
"""What follows `python`, and the scenario that must fail."""


NAMED = sorted({mutant.named for mutant in EVERYBODY}, key=lambda name: (module_of(inventory()[name]), name))
BY_MODULE = {
    module.stem: [*names] for module, names in groupby(NAMED, key=lambda name: module_of(inventory()[name]))
}


@pytest.fixture(scope="module", autouse=True)
def _collect_garbage():
    """Free what wrong controllers hold on to while the warnings about that are still ignored."""
    yield
    gc.collect()


# Those that wait in real time come first, so that parallel workers finish together.
@pytest.mark.parametrize(("program", "scenario"), PROGRAMS.items(), ids=PROGRAMS)
def test_wrong_program_is_caught(monkeypatch, program, scenario):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(ROOT)
    file = {} if program.startswith("-m") else {"subject-file": ""}
    failed_and_ran = judge(f"process:python {program}", [scenario], **{**file, "timeout-scale": 0.5})
    assert failed_and_ran == ([scenario], [scenario])


@pytest.mark.parametrize(("program", "scenario"), OF_LICENSES.items(), ids=OF_LICENSES)
def test_program_that_leaks_licenses_is_caught(monkeypatch, program, scenario):
    monkeypatch.chdir(ROOT)
    mutant = f"process:python kueue_conformance/tests/mutants/licenses/{program}.py"
    assert judge(mutant, [scenario], **{"subject-file": str(LICENSES), "timeout-scale": 0.2}) == (
        [scenario],
        [scenario],
    )


def test_right_holder_of_licenses_passes_what_catches_the_wrong_ones(monkeypatch):
    monkeypatch.chdir(ROOT)
    scenarios = sorted(OF_LICENSES.values())
    assert judge("", scenarios, **{"subject-file": str(LICENSES)}) == ([], scenarios)


@pytest.mark.parametrize("name", ["Applies", "ForcesAfterAConflict"])
def test_verdict_that_is_forced_passes_what_catches_those_that_give_up(name):
    assert judge(f"{CLASSES}economy:{name}.serve", ["CHK-196"]) == ([], ["CHK-196"])


@pytest.mark.parametrize("module", BY_MODULE)
def test_right_controller_passes_what_catches_the_wrong_ones(module):
    assert judge(RIGHT, BY_MODULE[module]) == ([], BY_MODULE[module])


@pytest.mark.parametrize("mutant", EVERYBODY, ids=[mutant.name for mutant in EVERYBODY])
def test_wrong_controller_is_caught_by_the_scenario_named_for_it(mutant):
    assert judge(mutant.subject, [mutant.named]) == ([mutant.named], [mutant.named])
