"""A lint over the suites: every clause is asserted, and in every scenario something has to happen (N-04)."""

import ast
import re

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.stage.queues.usage import Usage

from .suites import OF_A_CONTROLLER, _name, scenarios

EVERY = scenarios()
ONLY_ANSWERS = {
    "ADM-160": "refusals of a schema: a good AdmissionCheck is taken in ADM-161",
    "ADM-161": "parameters that are taken, and a name that is not",
    "ADM-164": "what discovery says",
    "ADM-171": "refusals of a schema: a good reference is taken in ADM-180",
    "ADM-175": "one case is taken",
    "ADM-180": "some cases are taken",
    "ADM-455": "what the server fills in: it is there",
    "ADM-456": "what the server fills in: it is there, and a count of none is kept",
    "ADM-458": "each word is taken beside one that is not",
    "ADM-459": "the limit is taken beside what is beyond",
    "ADM-460": "the limit is taken beside what is beyond",
    "ADM-461": "a right spec is taken beside each wrong one",
    "ADM-562": "a change of nothing is taken beside each that is not",
    "ADM-784": "the same change is taken where there is no topology",
    "ADM-785": "labels that change are taken beside labels that go",
    "ADM-786": "a change above the host is taken beside two that are not",
    "ADM-787": "the least value is taken beside the one below it",
    "ADM-462": "a change that fits is taken beside one that does not",
    "ADM-463": "a nominated cluster is taken",
    "ADM-533": "each policy is taken beside one that is not",
    "ADM-534": "a field is written that no release keeps",
    "ADM-464": "refusals of a webhook: policies are taken at creation",
    "ADM-466": "what discovery says",
    "ADM-467": "what a definition says",
    "ADM-468": "what the registrations of webhooks say",
    "ADM-469": "what is read in two versions: the rest is there",
    "ADM-472": "what is read in two versions: it is there",
    "ADM-476": "what the server keeps: the object is taken",
    "ADM-799": "which versions are served: the object is there in the newest",
    "ADM-820": "what discovery says",
    "ADM-821": "a right object of each kind is taken",
    "ADM-822": "other flavors are taken",
    "ADM-823": "a status with all fields is taken",
    "ADM-812": "the least and the longest time are taken beside others",
    "PRC-020": "what the server fills in: it is there",
    "PRC-021": "each is refused; such that can be meant are taken in PRC-022",
    "PRC-022": "each is taken; such that cannot be meant are refused in PRC-021",
    "PRQ-230": "each limit is taken beside what is beyond",
    "PRQ-231": "a label may change beside each field that may not",
    "VSB-061": "refusals for want of rights: with them the same lists are answered in VSB-050",
    "VSB-068": "the same at the server's own port, as VSB-061",
    "VSB-072": "texts of refusals: the lists are answered in VSB-071",
    "VSB-087": "which of two refusals is told: each alone is in VSB-083",
    "VSB-096": "what discovery says",
    "VSB-097": "what OpenAPI documents say",
}
"""Scenarios of which nothing but answers of the API server is asserted, and why a server that refuses
everything is detected.
"""

CIRCLING = re.compile(
    r"\b(told|anew|let in|given up|goes on|in vain|what waits|nor|whoever|nobody|somebody)\b"
)
"""Words without an object of the API; Kueue says reported, again, admitted, deactivated, continues."""
AFTER_AN_ATTEMPT = frozenset(
    {"always", "never", "settle", "hold", "contested", "submit_until"}
    | {"is_prechecked", "has_flavor", "was_ever", "shows_reserved"}
)
"""Words that wait for rest, for a reservation, or keep a Workload from being tried."""


def test_titles_and_clauses_use_the_words_of_the_api():
    texts = {
        f"{record.id} {key}": text
        for record in inventory().values()
        for key, text in {"title": record.title, **record.clauses}.items()
        if CIRCLING.search(text)
    }

    assert texts == {}


def test_every_declared_clause_is_asserted():
    silent = {function.id: function.declared - function.letters_asserted for function in EVERY}

    assert {name: letters for name, letters in silent.items() if letters} == {}


def test_every_asserted_clause_is_declared():
    letters = {
        function.id: {letter for letter in function.letters_asserted if len(letter) == 1} - function.declared
        for function in EVERY
    }

    assert {name: undeclared for name, undeclared in letters.items() if undeclared} == {}


def test_a_scenario_says_what_it_asserts():
    of_a_controller = (function for function in EVERY if not function.declared)

    assert [
        function.id for function in of_a_controller if not OF_A_CONTROLLER & set(map(_name, function.calls))
    ] == []


def test_something_has_to_happen():
    declared = [function for function in EVERY if function.declared]

    assert {function.id for function in declared if not function.waits} <= ONLY_ANSWERS.keys()
    assert {function.id for function in declared if function.waits} & ONLY_ANSWERS.keys() == set()
    assert [function.id for function in declared if not function.waits and not function.takes] == []


def test_exceptions_are_scenarios():
    assert ONLY_ANSWERS.keys() <= {scenario_function.id for scenario_function in EVERY}


def test_counters_are_waited_for_before_they_have_to_stay():
    hasty = {
        scenario.id: calls
        for scenario in EVERY
        if (calls := _counters(scenario, {"always"}) - _counters(scenario, {"within", "either"}))
    }

    assert hasty == {}, "Kueue writes counters in batches: wait for them by `within` first"


def _counters(scenario, words):
    """Return the statements about counters other than 0 within calls of these names."""
    statements = {
        f"{call.func.attr}({', '.join(ast.unparse(value) for value in [*call.args, *call.keywords])})"
        for wait in scenario.calls
        if _name(wait) in words
        for call in ast.walk(wait)
        if isinstance(call, ast.Call) and hasattr(Usage, _name(call))
    }
    return {statement for statement in statements if re.search(r"[1-9a-z]['\"]?[,)]", statement)}


def test_workloads_are_answered_after_the_first_attempt():
    hasty = [
        scenario.id
        for scenario in EVERY
        if not scenario.judges_a_subject and any(map(_answers_what_was_just_listed, scenario.functions))
    ]

    assert hasty == [], (
        "Kueue's first attempt may put the answer back (AC-372): wait for its end, or for rest"
    )


def _answers_what_was_just_listed(function):
    """Tell whether nothing but the list of checks is waited for before the first verdict."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    words = [_name(call) for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset))]
    before = set(words[: words.index("answer")]) if "answer" in words else set()
    return "lists_checks" in before and not before & AFTER_AN_ATTEMPT
