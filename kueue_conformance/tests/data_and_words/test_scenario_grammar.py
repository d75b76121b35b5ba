"""The grammar of scenarios: an act is an imperative, a fact a predicate; and the page of the nouns."""

import re

import pytest

from kueue_conformance.session.nouns import PREDICATES, fixture_rows, lines, nouns, words
from kueue_conformance.tests.checkout import ROOT, block

pytest_plugins = ["pytester"]
NOUNS = pytest.mark.parametrize(
    ("noun", "owner"),
    [pytest.param(*noun_and_owner, id=noun_and_owner[0]) for noun_and_owner in nouns().items()],
)
RAW = {"RequestSender.send"}
"""Any request as it is, with its answer: its name is the word of HTTP clients."""
HOMONYMS = {"hold", "request"}
"""Nouns as well as verbs: the time `clock.hold`, and a Workload's ProvisioningRequest."""
CONTAINERS = frozenset(
    {"Sequence", "list", "tuple", "Iterator", "Callable", "AbstractContextManager", "Mapping"}
)
MADE = CONTAINERS | nouns().keys() | {"None", "str", "Json", "object", "Replica", "Item", "RequestWindow"}
"""What an act may return: nothing, a noun, the name or the object of what it made."""


def test_the_page_lists_the_nouns_that_there_are():
    page = (ROOT / "docs/scenarios.md").read_text("utf-8")

    assert page.splitlines() == [*lines()], "python -m kueue_conformance.session.nouns > docs/scenarios.md"


@pytest.mark.parametrize(
    "fixture", ["subject", "kueue", "queue", "clock", "fakecluster", "provisioning", "autoscaler"]
)
def test_fixture_is_listed(fixture):
    assert fixture in {name for name, _, _ in fixture_rows()}


@NOUNS
def test_a_predicate_is_a_fact_and_a_fact_is_a_predicate(noun, owner):
    wrong = [
        word
        for word in words(owner)
        if (word.name.partition("_")[0] in PREDICATES) != (word.returns == "Fact")
    ]

    assert wrong == []


@NOUNS
def test_what_returns_the_answer_of_a_server_tries(noun, owner):
    assert [
        word for word in words(owner) if word.name.startswith("try_to_") != (word.returns == "Answer")
    ] == []


@NOUNS
def test_an_act_is_an_imperative_that_returns_what_it_made(noun, owner):
    acts = [word for word in words(owner) if word.kind == "Acts" and f"{noun}.{word.name}" not in RAW]

    assert [
        word for word in acts if not re.match(r"(?!(The|An?|Its?|This)\b)[A-Z][a-z]*[^s\W]\b", word.summary)
    ] == []
    assert [word for word in acts if not set(re.findall(r"\w+", word.returns)) <= MADE] == []


def test_no_value_begins_with_the_verb_of_an_act():
    first = {
        kind: {
            word.name.partition("_")[0]
            for owner in nouns().values()
            for word in words(owner)
            if word.kind == kind
        }
        for kind in ("Acts", "Values")
    }

    assert first["Acts"] & first["Values"] == HOMONYMS


@NOUNS
def test_every_word_is_explained(noun, owner):
    assert [word for word in words(owner) if not word.summary] == []


def test_the_example_of_the_page_passes(pytester):
    pytester.makepyfile(test_words=block("docs/scenarios.md", "test: test_words.py"))

    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
