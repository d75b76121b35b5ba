"""docs/glossary.md has the words that an author of a check controller meets in files and on pages."""

import re

import pytest

from kueue_conformance.base.resources import schema
from kueue_conformance.subject.drivers import DETAILS

from ..checkout import ROOT

PAGE = (ROOT / "docs/glossary.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
FIXED = {"apiVersion", "kind"}
RESULTS = ("success", "failure", "partial", "undetermined", "incomplete")


def words(section):
    """Return what the first column of a section's table names."""
    rows = re.findall(r"^\| ([^|]*) \|", SECTIONS[section], re.MULTILINE)
    return {word.strip().strip("`") for row in rows for word in row.split(",")}


@pytest.mark.parametrize("field", sorted(set(schema("subject")["properties"]) - FIXED))
def test_each_field_of_a_subject_file_is_a_word(field):
    assert field in words("Words of a subject file")


@pytest.mark.parametrize("field", ["state", *DETAILS])
def test_each_field_of_an_answer_is_a_word(field):
    assert f"`{field}`" in SECTIONS["Words of the verdict server"]


@pytest.mark.parametrize("result", RESULTS)
def test_each_result_of_a_profile_is_a_word(result):
    assert f"`{result}`" in SECTIONS["Words of a report"]


def test_no_word_is_there_twice():
    tables = [title for title in SECTIONS if title.startswith("Words")]
    named = [word for title in tables for word in words(title)]

    assert sorted({word for word in named if named.count(word) > 1} - {"meaning", "word"}) == []
