"""Four bugs that newcomers write: each is one cause, on one terminal screen and at the top of the page."""

import re

import pytest

from kueue_conformance.report.story.traffic import LANES, QUESTIONS, READS

from .controllers import EARLY, judge_program

HEAD = "from controller import CONFLICT, GROUP, VERSION, ApiException, CheckController, main, where\n"
DROPPED_CONFLICT = f"""{HEAD}
class Dropping(CheckController):
    given_up = set()

    def judge(self, workload):
        if workload["metadata"]["uid"] not in self.given_up:
            super().judge(workload)

    def write(self, workload, entries):
        try:
            super().write(workload, entries)
        except ApiException as error:
            if error.status != CONFLICT:
                raise
            self.given_up.add(workload["metadata"]["uid"])

main(Dropping)
"""
WHOLE_LIST = f"""{HEAD}
class Merging(CheckController):
    def write(self, workload, entries):
        ours = [one for one in entries if self.owns(one["name"])]
        self.api.patch_namespaced_custom_object_status(*where(workload), {{"status": {{"admissionChecks": ours}}}})

main(Merging)
"""
IGNORED_RESET = f"""{HEAD}
class Remembering(CheckController):
    decided = set()

    def judge(self, workload):
        if workload["metadata"]["uid"] not in self.decided:
            super().judge(workload)

    def write(self, workload, entries):
        super().write(workload, entries)
        if any(one["state"] != "Pending" for one in entries):
            self.decided.add(workload["metadata"]["uid"])

main(Remembering)
"""
ASKING = (READS, QUESTIONS)
BUGS = {
    "answers before quota": (EARLY, ["CHK-010", "CHK-012", "CHK-013"], "CC-020", ASKING),
    "a dropped 409": (DROPPED_CONFLICT, ["CHK-100"], "controllers#", LANES),
    "merge patch of the whole list": (WHOLE_LIST, ["CHK-040"], "CC-040", ASKING),
    "an ignored reset": (
        IGNORED_RESET,
        ["CHK-025", "CHK-030", "CHK-031", "CHK-036"],
        "kep-993#",
        (QUESTIONS,),
    ),
}
SLOW = ("a dropped 409", "an ignored reset")
"""They wait for what never comes, more than a minute; `make interruptions` runs them."""
CASES = [
    pytest.param(*values, id=name, marks=pytest.mark.exhaustive if name in SLOW else ())
    for name, values in BUGS.items()
]
SCREEN = 40


@pytest.mark.slow
@pytest.mark.parametrize(("program", "scenarios", "rule", "lanes"), CASES)
def test_it_is_one_cause_on_one_screen_and_at_the_top_of_the_page(tmp_path, program, scenarios, rule, lanes):
    done = judge_program(tmp_path, program, *scenarios)
    card = re.search(r"^1/1  failed (\S+) \[must\].*?\n\n", done.out, re.MULTILINE | re.DOTALL)

    assert (done.code, card is not None) == (1, True), done.out
    assert (card[1].startswith(rule), len(card[0].splitlines()) <= SCREEN) == (True, True), done.out
    assert [word for word in ("expected", "observed", "story", "run again") if word not in card[0]] == []
    top = done.text("report.html").partition('<h2 id="profile-')[0]
    assert card[1] in top
    assert {*lanes} <= {*re.findall(r'class="lane"[^>]*>([^<]+)', top)}
