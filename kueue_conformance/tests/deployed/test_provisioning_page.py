"""docs/provisioning.md: every command that it shows is run by
the real kubectl, and prints what the page says (PA-055…087).
"""

import re

import pytest

from .pages import Page

PAGE = Page(
    "provisioning.md",
    ("queues.yaml", "job.yaml", "soon.yaml", "provided.yaml"),
    re.compile(r"(?<=job-train-)[0-9a-f]{5}"),
)


JUDGED = Page("provisioning.md", ("subject.yaml", "config.yaml"), PAGE.drawn, label="judge")


@pytest.mark.slow
@pytest.mark.parametrize("page", [PAGE, JUDGED], ids=["as a user", "as an author"])
def test_every_command_of_the_page_prints_what_it_shows(tmp_path, page):
    shown = page.walk()
    commands = [command for command, _ in shown]

    assert list(zip(commands, page.print_blocks(tmp_path), strict=True)) == shown
