"""A failing position scenario shows who was where,
at which revision (issue: the report shows the queue as a table).
"""

import re

from kueue_conformance.history.pending_lists import ListAnswer, PendingLists
from kueue_conformance.report.page import html
from kueue_conformance.report.story.lists import tables
from kueue_conformance.scenarios.outcome import Outcome

from .results import case, report

PATH = "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/main/pendingworkloads"
FIRST = ListAnswer(7, PATH, (("a/one", "0/0"), ("b/two", "1/0")), "")
LATER = ListAnswer(9, PATH, (("b/two", "0/0"),), "")
REFUSED = ListAnswer(12, PATH, (), "404 NotFound")


def test_table_has_a_row_for_each_workload_and_a_column_for_each_answer():
    assert tables([FIRST, LATER, REFUSED]) == [
        {
            "asked": PATH,
            "revisions": [7, 9, 12],
            "refusals": ["", "", "404 NotFound"],
            "rows": [
                {"workload": "b/two", "places": ["1/0", "0/0", ""]},
                {"workload": "a/one", "places": ["0/0", "", ""]},
            ],
        }
    ]


def test_the_newest_answers_are_shown():
    assert tables([FIRST, LATER, REFUSED], 2)[0]["revisions"] == [9, 12]


def test_each_question_has_a_table():
    other = LATER._replace(request=f"{PATH}?limit=1")

    assert [table["asked"] for table in tables([FIRST, other, LATER])] == [PATH, other.request]


def test_an_answer_that_is_the_same_as_the_last_is_kept_once():
    looks = PendingLists()
    for pending_list in (FIRST, FIRST._replace(revision=8), LATER, FIRST._replace(revision=10)):
        looks.note(pending_list)

    assert [pending_list.revision for pending_list in looks] == [7, 9, 10]


def test_page_of_a_failure_has_the_table():
    lists = tuple(tables([FIRST, LATER, REFUSED]))
    page = html.render(report([case("ADM-204", outcome=Outcome.FAILED, lists=lists)]))

    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', page)
    assert ("b/two", "<td>1/0</td><td>0/0</td><td>–</td>") in rows
    assert ("no list", "<td>–</td><td>–</td><td>404 NotFound</td>") in rows


def test_page_of_a_success_has_none():
    lists = tuple(tables([FIRST]))

    assert "b/two" not in html.render(report([case("ADM-204", outcome=Outcome.PASSED, lists=lists)]))
