"""Mutants are judged in children of a process that has everything ready (N-04)."""

import pytest

from .executing import Case, Place, in_turn
from .mutants import mutants, path_of
from .planting import dependents
from .pool import judge, workers
from .worker import serve
from .worlds import WITHOUT

MODULE = "reference_impl.kueue.workload.verdicts"
REJECTED = "admission/verdicts/test_rejected.py::test_rejected_deactivates_prechecked[v0.19-workload]"
SAID = '    """Evict'


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    folder = tmp_path_factory.mktemp("worker")
    with workers(1, folder, serve, "v0.19") as lent:
        yield lambda source, **options: answer(lent, folder, source, **options)


def answer(lent, folder, source, cases=(REJECTED,), units=(), silence=40.0, at_import=False, module=MODULE):
    job = {
        "at_import": at_import,
        "id": "one",
        "module": module,
        "source": source,
        "cases": [(node, "must") for node in cases],
        "units": units,
        "silence": silence,
    }
    [judgement] = judge(lent, [job], lambda: None, folder)
    return judgement["verdict"], judgement["by"]


@pytest.fixture
def right():
    return path_of(MODULE).read_text("utf-8")


def within_rejected(right, statement):
    head, _, rest = right.partition("def mark_rejected(")
    signature, _, body = rest.partition(":\n")
    return f"{head}def mark_rejected({signature}:\n    {statement}\n{body}"


def test_the_right_reference_survives(worker, right):
    assert worker(right) == ("survived", "")


@pytest.mark.parametrize("at_import", [False, True], ids=["in place", "imported again"])
def test_a_known_bad_mutant_is_caught(worker, right, at_import):
    wrong = within_rejected(right, "return None")

    assert worker(wrong, at_import=at_import) == ("must", REJECTED)


def test_a_mutant_that_hangs_is_caught(worker, right):
    assert worker(within_rejected(right, "while True: pass"), silence=5.0) == ("must", f"{REJECTED} hangs")


def test_a_mutant_that_ends_the_process_is_caught(worker, right):
    judgement = worker(within_rejected(right, "__import__('os')._exit(3)"))

    assert judgement == ("must", f"{REJECTED} ends the process")


def test_what_cannot_be_imported_is_told_apart(worker, right):
    assert worker(f"{right}\nlate = not_there\n")[0] == "incompetent"


def test_unit_tests_catch_what_no_case_does(worker, right):
    wrong = within_rejected(right, "return None")

    verdict, by = worker(wrong, cases=[], units=["reference_impl/tests/workload/test_verdicts.py"])
    assert (verdict, by.partition("::")[0]) == ("unit", "reference_impl/tests/workload/test_verdicts.py")


REACTIVATED = "admission/verdicts/test_rejected.py::test_reactivation_by_a_user[v0.19-workload]"


@pytest.mark.parametrize(
    ("case", "verdict"),
    [(REACTIVATED, "survived"), (f"{REACTIVATED}{WITHOUT}", "must")],
    ids=["as the release is", "without its defects"],
)
def test_what_replaces_a_defect_is_judged_without_the_defects(worker, case, verdict):
    activity = "reference_impl.kueue.workload.activity"
    right = path_of(activity).read_text("utf-8")
    wrong = right.replace('reason.startswith("Deactivated")', "False")

    assert worker(right, cases=[case], module=activity)[0] == "survived"
    assert wrong != right
    assert worker(wrong, cases=[case], module=activity)[0] == verdict


def test_what_imports_a_module_is_imported_again():
    dependent_modules = dependents(MODULE)

    assert {
        MODULE,
        "reference_impl.kueue.workload.transitions",
        "reference_impl.kueue.composition",
    } <= dependent_modules
    assert "reference_impl.api.quantity" not in dependent_modules


def case(node, scenario, dialect="v0.19", lines=10):
    return Case(node=node, scenario=scenario, level="must", dialect=dialect, seconds=0.1, lines=lines)


def test_one_case_of_each_way_and_of_each_file_comes_first_and_those_that_execute_most_of_the_module():
    cases = [
        case("a.py::old", "ADM-001", dialect="v0.16"),
        case("a.py::one", "ADM-002"),
        case("a.py::two", "ADM-001"),
        case("a.py::same", "ADM-004"),
        case("b.py::one", "ADM-003"),
        case("b.py::two", "ADM-003", lines=5),
    ]
    ways = {
        "a.py::old": range(7),
        "a.py::one": range(3),
        "a.py::two": range(7),
        "a.py::same": range(7),
        "b.py::one": range(8),
        "b.py::two": range(8),
    }

    nodes = [
        case_in_turn.node
        for case_in_turn in in_turn(cases, {node: frozenset(lines) for node, lines in ways.items()})
    ]
    assert nodes == ["b.py::two", "a.py::old", "a.py::same", "a.py::one", "b.py::one", "a.py::two"]


def test_a_place_is_its_statement_and_its_function():
    module = "reference_impl.kueue.checks.entries"
    mutant = next(
        candidate
        for candidate in mutants(module, path_of(module).read_text("utf-8"))
        if candidate.function == "Checks.are_all_ready"
    )

    position = Place.of(mutant)
    assert mutant.start[0] in position.statement
    assert set(position.statement) <= set(position.function)
