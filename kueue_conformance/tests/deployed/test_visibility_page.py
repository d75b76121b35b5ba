"""docs/visibility.md: every command that it shows is run by the real kubectl, and prints what the page says
(VIS-440, VIS-460, VIS-520).
"""

import re

import pytest

from .pages import Page

PAGE = Page(
    "visibility.md",
    ("tokens.csv", "queues.yaml", "alice.yaml", "bob.yaml"),
    re.compile(
        r'\d{4}-\d\d-\d\dT[\d:]+Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=-)[0-9a-f]{5}(?=[" ])'
    ),  # times, uids and the ends of generated names
)


@pytest.mark.slow
def test_every_command_of_the_page_prints_what_it_shows(tmp_path):
    shown = PAGE.walk()
    commands = [command for command, _ in shown]

    assert list(zip(commands, PAGE.print_blocks(tmp_path), strict=True)) == shown
