"""The session is gone on with, and the page tells it (N-04)."""

import pytest

from .mutants import mutants
from .page import page
from .session import Result, Work

SOURCE = "def late(now, end):\n    return now >= end\n\n\ndef early(now, end):\n    return now < end\n"


@pytest.fixture
def work(tmp_path):
    return begin(tmp_path)


def begin(folder, source=SOURCE, scenarios="these"):
    return Work(folder / "session.sqlite", mutants("reference_impl.kueue.checks.rules", source), scenarios)


def judge_all(work, verdict):
    for mutant in work.pending():
        work.keep(mutant, Result(verdict=verdict, by="a case", ran=3, seconds=60.0, scenarios=work.scenarios))
    return work


def functions(work):
    return sorted({mutant.function for mutant in work.pending()})


def test_a_new_session_knows_nothing(work):
    assert functions(work) == ["early", "late"]


def test_what_is_known_is_not_done_again(work, tmp_path):
    judge_all(work, "survived")

    assert begin(tmp_path).pending() == []


def test_a_run_that_was_ended_is_gone_on_with(work, tmp_path):
    first, *rest = work.pending()
    work.keep(first, Result(verdict="must"))

    assert begin(tmp_path).pending() == rest


def test_a_changed_function_is_done_again(work, tmp_path):
    judge_all(work, "must")

    assert functions(begin(tmp_path, SOURCE.replace("now < end", "now <= end"))) == ["early"]


@pytest.mark.parametrize(
    ("verdict", "pending_functions"),
    [
        ("must", []),
        ("incompetent", []),
        ("should", ["early", "late"]),
        ("unit", ["early", "late"]),
        ("survived", ["early", "late"]),
    ],
)
def test_stronger_scenarios_try_what_was_not_caught_at_must(work, tmp_path, verdict, pending_functions):
    judge_all(work, verdict)

    assert functions(begin(tmp_path, scenarios="stronger")) == pending_functions


@pytest.fixture
def arguments(tmp_path):
    file = tmp_path / "arguments.yaml"
    file.write_text("[]")
    return file


def test_page_counts_what_caught_them(work, arguments):
    first, second, third, *_ = work.pending()
    for mutant, verdict in ((first, "must"), (second, "may"), (third, "unit")):
        work.keep(mutant, Result(verdict=verdict, ran=0 if verdict == "unit" else 3, seconds=60.0))

    page_text = page(work.of(work.mutants.values()), arguments)
    assert f"3 of {len(work.mutants)} mutants are counted here, judged in 3 minutes of one core." in page_text
    assert "| checks.rules | 3 | 1 | 33 % | 67 % | 100 % |" in page_text


def test_page_names_survivors_with_place_and_change(work, arguments):
    judge_all(work, "survived")

    page_text = page(work.of(work.mutants.values()), arguments)
    assert (
        "- `reference_impl/kueue/checks/rules.py:2` late ReplaceComparisonOperator_GtE_Gt: `` return now >= end → return now > end ``"
        in page_text
    )


def test_what_is_argued_to_be_equivalent_is_not_counted(work, arguments):
    judge_all(work, "survived")
    mutant = next(mutant for mutant in work.mutants.values() if mutant.operator.endswith("GtE_Gt"))
    arguments.write_text(
        f"- {{module: {mutant.module}, function: {mutant.function}, operator: {mutant.operator}, change: '{mutant.change}', equivalent: time never stands still}}"
    )

    page_text = page(work.of(work.mutants.values()), arguments)
    counted = len(work.mutants) - 1
    assert f"| all | {counted} | 0 | 0 % | 0 % | 0 % |" in page_text
    assert "return now > end ``: time never stands still" in page_text
