"""`defects` lists the known defects of a release, and writes each with its reproduction."""

import pytest

from kueue_conformance.base.resources import load_yaml
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.control_planes.reference.known_defects import known_defects

from ..checkout import ROOT
from .processes import run


def test_the_open_ones_are_listed_first(tmp_path):
    done = run("defects", "--dialect", "0.19.2", cwd=tmp_path)

    states = [line.split()[1] for line in done.out.splitlines() if line.startswith("  state")]
    opened = states.count("open")
    assert done.code == 0
    assert 0 < opened < len(states)
    assert states == ["open"] * opened + ["fixed"] * (len(states) - opened)
    assert (
        done.out.splitlines()[-1]
        == f"{len(states)} defect(s) of v0.19, {opened} of them open in every release"
    )


def test_a_later_release_has_fewer(tmp_path):
    older, newer = (run("defects", "--dialect", name, cwd=tmp_path).out for name in ("0.19.2", "0.20.7"))

    assert "BUG-157  " in older
    assert "BUG-157  " not in newer
    assert "C-03  " in newer


@pytest.mark.parametrize(
    ("words", "problem", "hint"),
    [
        (["--dialect", "0.99.1"], "unknown dialect '0.99.1'", "did you mean"),
        (["--dialect", "all"], "--dialect 'all' is not one dialect of Kueue", "name one of"),
        (["--dialect", "ca-1.36"], "--dialect 'ca-1.36' is not one dialect of Kueue", "name one of"),
        (["BUG-1570"], "unknown defect of", "did you mean"),
        (
            ["BUG-157", "--dialect", "0.20.7"],
            "v0.20 does not have the defect BUG-157",
            "defects --dialect v0.20",
        ),
    ],
)
def test_what_is_not_known_is_refused(tmp_path, words, problem, hint):
    done = run("defects", *words, cwd=tmp_path)

    assert done.code == 4
    assert done.err.startswith(f"error: {problem}")
    assert hint in done.err


def test_a_real_kueue_is_played_for_pages_alone(tmp_path):
    listed = run("defects", "--control-plane", "upstream:./kueue", cwd=tmp_path)
    played = run("defects", "--control-plane", "reference", "--out", "dossier", cwd=tmp_path)

    assert (listed.code, played.code) == (4, 4)
    assert "is for the pages of --out, and no folder is named" in listed.err
    assert "--control-plane 'reference' is no real Kueue" in played.err


@pytest.mark.slow
def test_a_defect_is_written_with_its_reproduction(tmp_path):
    done = run("defects", "BUG-157", "--dialect", "0.19.2", "--out", "dossier", "-n", "0", cwd=tmp_path)

    folder = tmp_path / "dossier"
    assert done.code == 0, done.whole
    assert "| [BUG-157](BUG-157.md) | a Rejected that comes during an eviction is dropped |" in (
        folder / "README.md"
    ).read_text("utf-8")
    draft = (folder / "BUG-157-report.md").read_text("utf-8")
    assert (folder / "BUG-157.sh").read_text("utf-8") in draft
    assert "**What you expected to happen**:" in draft
    replayed = run("replay", folder / "BUG-157.zip", cwd=tmp_path)
    assert (
        replayed.out.splitlines()[-1] == "ADM-645 [v0.19]: passes, as in the bundle; ADM-645.a: it is dropped"
    )


def test_every_defect_has_a_story_or_a_place_to_look():
    defects = known_defects("v0.19")

    assert {defect.id for defect in defects} == load_yaml("defects.yaml").keys()
    assert [defect.id for defect in defects if bool(defect.scenario) == bool(defect.look)] == []
    assert [
        defect.id
        for defect in defects
        if defect.scenario and not defect.seen.keys() <= inventory()[defect.scenario].clauses.keys()
    ] == []
    assert [defect.id for defect in defects if defect.scenario and defect.seen == defect.corrected] == []


def test_the_page_says_of_each_defect_whether_a_real_kueue_showed_it():
    page = (ROOT / "docs/defects.md").read_text("utf-8")
    rows = [line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line.count(" | ") == 2]

    assert {defect.id for defect in known_defects("v0.19")} <= set(rows)


def test_a_defect_that_another_hides_is_not_listed_without_it():
    with_it, without_it = ({defect.id for defect in known_defects(name)} for name in ("0.19.13", "0.19.14"))

    assert {"D-07", "C-24"} <= with_it
    assert not {"D-07", "C-24"} & without_it
