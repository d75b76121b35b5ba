"""Only what must be (`run --level must`), and CC-035, which is a must with a tolerance that it names."""

import pytest

from kueue_conformance import options
from kueue_conformance.base.errors import UsageError
from kueue_conformance.cli import cli
from kueue_conformance.history.story import SUBJECT, Request
from kueue_conformance.rules import RULES
from kueue_conformance.scenarios.outcome import Level

from ..command_line.processes import run as run_process
from ..data_and_words.stories import AT, NOW, broken_rules, change, entry, workload


def test_levels_are_words_of_a_list():
    def read(text):
        return options.read({"level": text}, seed=1).levels

    assert (read("must"), read("Must, should"), read("")) == (
        {Level.MUST},
        {Level.MUST, Level.SHOULD},
        set(Level),
    )
    with pytest.raises(UsageError, match="unknown level 'musst'\n  hint: did you mean 'must'"):
        read("musst")


@pytest.mark.slow
def test_a_run_of_a_level_judges_nothing_else(tmp_path):
    done = run_process(
        "run", "--level", "must", "CHK-001", "CHK-005", "--subject", "reference", "-n", "0", cwd=tmp_path
    )

    assert (done.code, "2 cases: 2 passed  (1 scenario: 1 passed)" in done.out) == (0, True), done.whole


def test_the_level_is_an_option_of_run():
    assert "level" in {option.name for option in cli.commands["run"].params}


PENDING, READY = entry("a", "Pending"), entry("a", "Ready", NOW)
BODY = b'{"metadata": {"resourceVersion": "1"}, "status": {}}'


def attempt_at(seconds, code, body=BODY):
    return Request(
        at=AT + seconds,
        verb="update",
        kind="Workload",
        namespace="",
        name="work",
        subresource="status",
        resource="workloads",
        code=code,
        changed=code == 200,
        body=body,
        user=SUBJECT,
    )


TRIES = {
    "at once": (0.0, [], []),
    "within the tolerance": (4.9, [], []),
    "too late": (8.0, [attempt_at(8.0, 200)], ["CC-035"]),
    "sent again by the client after a 503": (8.0, [attempt_at(0.0, 503), attempt_at(8.0, 200)], []),
    "sent again after a 429": (8.0, [attempt_at(0.0, 429), attempt_at(8.0, 200)], []),
    "another body before": (8.0, [attempt_at(0.0, 503, b"{}"), attempt_at(8.0, 200)], ["CC-035"]),
    "refused for good before": (8.0, [attempt_at(0.0, 409), attempt_at(8.0, 200)], ["CC-035"]),
    "an old time, turned away": (20.0, [attempt_at(8.0, 503), attempt_at(20.0, 200)], ["CC-035"]),
}  # fmt: skip


@pytest.mark.parametrize(("seconds", "tried", "rules"), TRIES.values(), ids=TRIES)
def test_the_time_of_a_verdict_is_that_of_the_write_or_of_a_try_that_was_turned_away(seconds, tried, rules):
    rules_broken = broken_rules(
        [change(workload(PENDING), workload(READY), after_seconds=seconds)], attempts=tried
    )

    assert [rule_id for rule_id in rules_broken if rule_id == "CC-035"] == rules


@pytest.mark.parametrize(
    ("read", "scale", "rules"),
    [
        pytest.param(0.0, 1.0, [], id="read before it was stamped, and held up"),
        pytest.param(7.9, 1.0, ["CC-035"], id="read long after the time that it writes"),
        pytest.param(7.9, 2.0, [], id="on a machine for which every wait is twice as long"),
    ],
)
def test_a_verdict_may_be_as_old_as_the_read_that_led_to_it(read, scale, rules):
    list_request = Request(
        at=change(workload(PENDING), workload(READY)).at + read,
        verb="list",
        kind="Workload",
        resource="workloads",
        group="kueue.x-k8s.io",
        code=200,
        user=SUBJECT,
    )
    written = change(workload(PENDING), workload(READY), after_seconds=8.0)

    rules_broken = broken_rules([written], requests=[list_request], timeout_scale=scale)

    assert [rule_id for rule_id in rules_broken if rule_id == "CC-035"] == rules


def test_the_rule_is_a_must_and_names_its_tolerance():
    (rule,) = [rule_row for rule_row in RULES if rule_row.id == "CC-035"]

    assert (rule.level, "to within 5 s of the stretch" in rule.text) == (Level.MUST, True)
