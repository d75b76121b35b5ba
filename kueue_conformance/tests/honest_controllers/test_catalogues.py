"""Each catalogue names for every mistake a scenario and its level, and its program is there."""

import pytest
import yaml

from kueue_conformance.catalogue.inventory import inventory

from .catalogue import FOLDER, languages, load
from .judging import Verdict, _causes, is_caught
from .seeds import FILE, SEEDS, PassedSeeds


@pytest.mark.parametrize("language", languages())
def test_each_mistake_names_a_scenario_and_its_level(language):
    catalogue = load(language)

    levels = {name: inventory()[mistake.scenario].level for name, mistake in catalogue.wrong.items()}

    assert levels == {name: mistake.level for name, mistake in catalogue.wrong.items()}
    assert {mistake.design for mistake in catalogue.wrong.values()} <= {"", *catalogue.right}


def test_nearly_every_mistake_breaks_a_rule_that_binds():
    mistakes = [mistake for language in languages() for mistake in load(language).wrong.values()]

    assert sum(mistake.level == "must" for mistake in mistakes) >= 0.95 * len(mistakes)


@pytest.mark.parametrize("language", languages())
def test_each_subject_file_is_there(language):
    catalogue = load(language)
    subjects = {design.subject for design in catalogue.right.values()}

    assert [name for name in subjects if not (FOLDER / language / name).is_file()] == []


@pytest.mark.parametrize("language", languages())
def test_the_program_knows_each_mistake_and_design(language):
    catalogue = load(language)
    sources = [path for path in (FOLDER / language).rglob("*") if path.suffix in SOURCES]
    program = "".join(path.read_text("utf-8") for path in sources)

    unknown = [name for name in (*catalogue.wrong, *catalogue.right) if f'"{name}"' not in program]

    assert unknown == []


def test_a_failure_at_should_catches_nothing():
    mistake = next(iter(load(languages()[0]).wrong.values()))

    assert is_caught(mistake, Verdict(1, {mistake.scenario: "must"}, "", ""))
    assert not is_caught(mistake, Verdict(0, {mistake.scenario: "should"}, "", ""))
    assert not is_caught(mistake, Verdict(0, {}, "", ""))


def test_the_first_cause_is_the_headline_of_the_first_card():
    output = "1/1  failed\nCHK-010.a  nothing is done  [must]\n  rule       kep-993#x: y\n  expected   z\n"

    assert list(_causes(output)) == ["CHK-010.a  nothing is done  [must]"]


def test_seeds_that_are_left_are_those_that_no_run_has_recorded(tmp_path):
    passed = PassedSeeds(tmp_path / "seeds.yaml")
    everything = passed.left(["go/queue", "java/queue"])

    passed.record("go/queue", 2)
    passed.record("go/queue", 1)
    PassedSeeds(tmp_path / "seeds.yaml").record("java/queue", 1)

    assert len(everything) == 2 * len(SEEDS)
    assert everything[:2] == [("go/queue", 1), ("java/queue", 1)]
    assert passed.left(["go/queue", "java/queue"]) == [
        item for item in everything if item not in (("go/queue", 1), ("go/queue", 2), ("java/queue", 1))
    ]


def test_recorded_seeds_are_of_right_controllers():
    names = {f"{language}/{name}" for language in languages() for name in load(language).right}

    assert set(yaml.safe_load(FILE.read_text("utf-8"))) <= names


SOURCES = {".py", ".go", ".java", ".ts"}
