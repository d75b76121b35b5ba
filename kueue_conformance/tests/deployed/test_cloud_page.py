"""docs/cloud.md: every command that it shows is run,
and prints what the page says; its tables name every field.
"""

import re
from dataclasses import fields

import pytest

from reference_impl.cloud.actions import METHODS
from reference_impl.cloud.failures import FailureRule
from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.parsing import ACTIONS

from ..checkout import ROOT
from .pages import Page

PAGE = Page("cloud.md", ("groups.yaml", "pod.yaml"), re.compile(r"(?!)"))


@pytest.mark.slow
def test_every_command_of_the_page_prints_what_it_shows(tmp_path):
    shown = PAGE.walk()
    commands = [command for command, _ in shown]

    assert list(zip(commands, PAGE.print_blocks(tmp_path), strict=True)) == shown


def test_the_page_names_every_field_and_action():
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "cloud.md").read_text("utf-8")))
    known_words = {
        field.name for kind in (NodeGroupSpec, FailureRule, *ACTIONS.values()) for field in fields(kind)
    }

    assert (known_words | set(ACTIONS) | METHODS) - named == {"action"}
