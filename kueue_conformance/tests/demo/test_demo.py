"""The demonstration: every chapter happens, by the programs
that are named for it, and what is drawn is what was written.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.demo.page import drawing, page
from kueue_conformance.demo.picture import picture
from kueue_conformance.demo.story import CHAPTERS, divide_into_chapters, play
from kueue_conformance.demo.terminal import clock, lines

ROOT = Path(__file__).parents[3]
HASH = re.compile(r"-[0-9a-f]{5}\b")
"""What Kueue makes of a Job's uid, which is another where the cluster has other objects."""
DRAWN = ROOT / "docs/demo.svg"


@pytest.fixture(scope="module")
def story():
    return play()


def test_each_chapter_is_begun_by_the_program_whose_part_it_is(story):
    first_actors = [chapter.happenings[0].actor for chapter in story]

    assert [chapter.chapter for chapter in story] == list(CHAPTERS)
    assert first_actors == [
        "kubectl",
        "kueue",
        "cluster-autoscaler",
        "kueue",
        "cloud",
        "kubelet",
        "kueue",
        "cloud",
    ]


def test_rows_are_those_of_kubectl(story):
    rows = {
        (happening.kind, happening.state): happening.cells
        for chapter in story
        for happening in chapter.happenings
    }

    assert rows["Workload", "Admitted"] == ("main", "shared", "True")
    assert rows["Node", "NotReady"] == ("NotReady", "<none>")
    assert rows["Pod", "Succeeded"] == ("0/1", "Completed", "0")
    assert rows["Job", "Complete"] == ("Complete", "4/4")


def test_pods_run_on_the_nodes_that_were_asked_for(story):
    times = {
        (happening.kind, happening.state): happening.at
        for chapter in story
        for happening in chapter.happenings
    }

    assert times["Node", "Ready"] < times["Pod", "Running"] < times["Workload", "Finished"]
    assert times["Node", ""] - times["Workload", "Finished"] >= 600


def test_a_chapter_that_does_not_come_is_told(story):
    every = [happening for chapter in story for happening in chapter.happenings]
    without = [happening for happening in every if (happening.kind, happening.state) != ("Node", "")]

    with pytest.raises(EnvironmentProblem, match=r"Nodes that nothing has used.*no Node became gone"):
        divide_into_chapters(without)


def test_chapters_in_another_order_are_told(story):
    every = [happening for chapter in story for happening in chapter.happenings]

    with pytest.raises(EnvironmentProblem, match="another order"):
        divide_into_chapters(every[::-1])


def test_bars_are_the_states_one_after_another(story):
    drawn = picture(story)
    lanes = dict(drawn.lanes)
    states = [bar.state for bar in drawn.bars if "Pod" in bar.tip]

    assert states == ["Pending", "Running", "Succeeded"]
    assert len(lanes) == len({bar.y for bar in drawn.bars}) == 5
    assert all(bar.x + bar.width <= drawn.width for bar in drawn.bars)


def test_page_and_terminal_tell_all_of_it(story):
    shown, printed = page(story), list(lines(story))

    for chapter in story:
        assert chapter.chapter.title in printed
        assert chapter.chapter.title in shown
        for happening in chapter.happenings:
            assert f"{happening.kind.lower()}/{happening.name}" in shown
    assert "http://" not in re.sub(r'xmlns="[^"]*"', "", shown)


def test_picture_of_the_documents_is_the_one_that_is_drawn(story):
    assert DRAWN.read_text("utf-8") == drawing(story)


def test_the_readme_shows_how_it_begins(story):
    shown = (ROOT / "README.md").read_text("utf-8").partition("kueue-conformance demo\n")[2].partition("…")[0]

    printed = "\n".join(list(lines(story))[: len(shown.splitlines())])
    assert HASH.sub("-#", shown) == HASH.sub("-#", printed) + "\n"


def test_two_runs_are_the_same(story):
    assert play() == story


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "+0s"), (59.6, "+1m00s"), (75, "+1m15s"), (820, "+13m40s")]
)
def test_times(seconds, text):
    assert clock(seconds) == text


def test_what_contains_markup_is_shown_as_it_is(story):
    first = story[0]
    odd = replace(first.happenings[0], name="<b>job</b>")

    assert "<b>job</b>" not in page([replace(first, happenings=[odd])])
