"""The field `drivers` of a subject file:
every mistake is told with what was meant, all of them at once (H-06, H-11).
"""

import pytest

from kueue_conformance.subject.drivers.decision import Decision, fill_template
from kueue_conformance.subject.drivers.declared_drivers import drivers, problems
from kueue_conformance.subject.placeholders import placeholders_in

GOOD = {"workloadLabels": {"acme.io/verdict": "ready"}}
WRONG = {
    "no mapping": ({"ready": "labels"}, "drivers.ready is 'labels', expected a mapping, or the word asks"),
    "state": ({"ready": GOOD, "rejekted": GOOD}, "unknown state of drivers 'rejekted'\n  hint: did you mean 'rejected'?"),
    "no verdict": ({"pending": GOOD}, "drivers has no entry for ready, retry or rejected, expected at least one verdict"),
    "always and more": ({"retry": "always", "ready": GOOD}, "drivers.retry is always and drivers has ready as well, expected no other state"),
    "always pending": ({"ready": GOOD, "pending": "always"}, "drivers.pending is 'always', expected a mapping"),
    "asks and trouble": ({"ready": "asks", "trouble": GOOD}, "drivers.ready asks and another state does not"),
    "trouble in a word": ({"ready": GOOD, "trouble": "asks"}, "drivers.trouble is 'asks', expected a driver"),
    "trouble without an end": ({"ready": GOOD, "trouble": {"python": "json:dumps"}}, "drivers.trouble begins an outage that nothing ends, expected recovery beside it\n  hint: for example `trouble:"),
    "trouble that stays": ({"ready": GOOD, "trouble": {**GOOD, "undo": False}}, "drivers.trouble begins an outage that nothing ends"),
    "two ends": ({"ready": GOOD, "trouble": {**GOOD, "undo": GOOD}, "recovery": GOOD}, "drivers.trouble.undo and drivers.recovery both end the outage, expected one of them"),
    "recovery alone": ({"ready": GOOD, "recovery": GOOD}, "drivers has recovery without trouble, expected an outage that it ends"),
    "mistake in recovery": ({"ready": GOOD, "trouble": GOOD, "recovery": {"http": {"url": "x"}}}, "drivers.recovery.http.url is 'x', expected an http address"),
    "undo of recovery": ({"ready": GOOD, "trouble": GOOD, "recovery": {**GOOD, "undo": False}}, "unknown driver in drivers.recovery 'undo'"),
    "file": ({"ready": {"file": "x"}}, "drivers.ready.file is 'x', expected a mapping with path and content"),
    "content of a file": ({"ready": {"file": {"path": "x", "content": {}}}}, "drivers.ready.file.content is {}, expected a text"),
    "driver": ({"ready": {"workloadLabel": {}}}, "unknown driver in drivers.ready 'workloadLabel'\n  hint: did you mean 'workloadLabels'?"),
    "two": ({"ready": {**GOOD, "run": ["x"]}}, "drivers.ready has workloadLabels and run, expected one of asks, workloadLabels, apply, run, http, python"),
    "timeout": ({"ready": {**GOOD, "timeout": "10s"}}, "drivers.ready.timeout is '10s', expected seconds above 0"),
    "undo": ({"ready": {**GOOD, "undo": "yes"}}, "drivers.ready.undo is 'yes', expected true, false or a driver"),
    "undo's driver": ({"ready": {**GOOD, "undo": {"runn": ["x"]}}}, "unknown driver in drivers.ready.undo 'runn'\n  hint: did you mean 'run'?"),
    "labels": ({"ready": {"workloadLabels": {"a": True}}}, "drivers.ready.workloadLabels is {'a': True}, expected a mapping from label to text"),
    "place": ({"ready": {"workloadLabels": {"a": "${nmespace}"}}}, "unknown place ${…} in drivers.ready 'nmespace'\n  hint: did you mean 'namespace'?"),
    "no file": ({"ready": {"apply": "none.yaml"}}, "none.yaml' cannot be read: No such file or directory"),
    "no manifest": ({"ready": {"apply": "broken.yaml"}}, "broken.yaml' has something that is no object"),
    "place in a file": ({"ready": {"apply": "place.yaml"}}, "unknown place ${…} in place.yaml 'wrkload'\n  hint: did you mean 'workload'?"),
    "command": ({"ready": {"run": "./decide ready"}}, "drivers.ready.run is './decide ready', expected a list of words"),
    "scope": ({"ready": {**GOOD, "scope": "all"}}, "unknown scope in drivers.ready 'all'\n  hint: did you mean 'global'?"),
    "scope of a script": ({"ready": {"run": ["sh", "by-name.sh"]}}, "drivers.ready.run mentions no Workload, so that it decides about all of them, and 'by-name.sh' reads KUEUE_CONFORMANCE_WORKLOAD\n  hint: say `scope: workload` beside run"),
    "url": ({"ready": {"http": {"url": "localhost:80"}}}, "drivers.ready.http.url is 'localhost:80', expected an http address"),
    "method": ({"ready": {"http": {"url": "http://x", "method": "PSOT"}}}, "unknown method in drivers.ready.http 'PSOT'\n  hint: did you mean 'POST'?"),
    "field of http": ({"ready": {"http": {"url": "http://x", "boddy": "x"}}}, "unknown field of drivers.ready.http 'boddy'\n  hint: did you mean 'body'?"),
    "callable": ({"ready": {"python": "decisions"}}, "drivers.ready.python is 'decisions', expected MODULE:CALLABLE"),
    "no state": ({"ready": GOOD, "retry": False}, "drivers.retry is False, expected a mapping, or the word asks"),
    "half asking": ({"ready": "asks", "retry": GOOD}, "drivers.ready asks and another state does not, expected that all ask or none does"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "by-name.sh").write_text("echo $KUEUE_CONFORMANCE_WORKLOAD")
    (tmp_path / "broken.yaml").write_text("kind: ConfigMap\n")
    (tmp_path / "place.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '${wrkload}'}\n")
    return tmp_path


@pytest.mark.parametrize(("declaration", "text"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_with_what_was_meant(folder, declaration, text):
    assert any(text in str(problem) for problem in problems(declaration, folder))


def test_all_problems_are_told_at_once(folder):
    text = {"ready": {"run": "x", "timeout": 0}, "rejekted": GOOD}

    assert len(list(problems(text, folder))) == 3


@pytest.mark.parametrize(
    "declaration",
    [
        {},
        {"ready": GOOD, "pending": False},
        {"retry": "always"},
        {"rejected": GOOD},
        {"ready": GOOD, "trouble": GOOD},
        {
            "ready": GOOD,
            "trouble": {"python": "json:dumps"},
            "recovery": {"python": "json:dumps", "timeout": 3},
        },
        {"ready": {"file": {"path": "verdicts/${workload}", "content": "${state}"}}},
        {"ready": "asks"},
        {"ready": {"asks": True}},
        {"ready": GOOD, "retry": {**GOOD, "undo": False}},
        {"ready": {"run": ["sh", "by-name.sh"], "scope": "global"}},
        {"ready": {"run": ["sh", "by-name.sh", "${workload}"]}},
    ],
    ids=str,
)
def test_a_good_field_has_no_problem(folder, declaration):
    assert list(problems(declaration, folder)) == []


def test_a_subject_that_asks_in_so_many_words_asks(folder):
    assert drivers({"ready": "asks", "retry": {"asks": True}}, folder).asks


DECISION = Decision(
    namespace="team-a",
    workload="w",
    state="Retry",
    message="no licence",
    check="budget",
    controller="acme.io/budget",
    details={"requeueAfterSeconds": 60},
)


def test_places_are_filled_wherever_they_are():
    template = {
        "a/${check}": ["${namespace}/${workload}", {"state": "${state}"}],
        "after": "${requeueAfterSeconds}",
        "set": "${podSetUpdates}",
        "n": 1,
    }

    assert fill_template(template, DECISION) == {
        "a/budget": ["team-a/w", {"state": "Retry"}],
        "after": "60",
        "set": "",
        "n": 1,
    }
    assert placeholders_in(template) == {
        "check",
        "namespace",
        "workload",
        "state",
        "requeueAfterSeconds",
        "podSetUpdates",
    }


def test_what_is_filled_in_is_not_read_again():
    assert (
        fill_template("${message}", Decision(namespace="n", workload="w", state="Ready", message="${state}"))
        == "${state}"
    )
