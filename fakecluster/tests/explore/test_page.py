"""The page about perturbations, and the example in Python that it speaks of."""

import re
import sys
from functools import partial
from pathlib import Path

import pytest

from fakecluster import FakeCluster
from fakecluster.explore import Finding, perturb, perturbing
from fakecluster.explore.perturbations import Kind

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/laboratory/perturbing.md").read_text("utf-8")
EXAMPLE = ROOT / "examples/operators/python"


def test_the_test_of_the_page_is_that_of_the_example():
    (block,) = re.findall(
        r"^<!-- file: test_websites.py -->\n```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE
    )

    assert block == (EXAMPLE / "test_websites.py").read_text("utf-8")


def test_the_page_explains_every_perturbation():
    (table,) = re.findall(r"^\| perturbation \|.*?\n\n", PAGE, re.DOTALL | re.MULTILINE)

    assert set(re.findall(r"`([a-z-]+)-N`", table)) == set(Kind)


@pytest.mark.slow
def test_the_example_has_the_bug_that_the_page_shows(monkeypatch):
    # Its marker is known only where the plugin is loaded.
    source = (EXAMPLE / "test_websites.py").read_text("utf-8").replace("@pytest.mark.fakecluster", "# ")
    example = {}
    exec(source, example)
    monkeypatch.setattr(perturbing, "REPETITIONS", 0)
    command = [sys.executable, "websites.py", "--generate-names"]
    (first_line, advice) = (
        re.search(pattern, PAGE, re.MULTILINE)[1]
        for pattern in (r"^(late-events-after-write-1: .*?)  \(3 of 3", r"^(  look for .*)$")
    )

    with FakeCluster(clock="wall") as cluster:
        cluster.apply_files([EXAMPLE / "website.yaml"])
        play = partial(perturb, cluster, command, example["drive"], example["check"], folder=EXAMPLE)
        with pytest.raises(Finding) as finding:
            play(only="late-events-after-write-1")

    lines = str(finding.value).splitlines()
    assert lines[0] == f"{first_line}  (1 of 1 runs)"
    assert advice in lines
