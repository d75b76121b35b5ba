"""The schema of subject files says what the reader of subject files takes (harness/H-29)."""

import pytest
import yaml
from jsonschema import Draft202012Validator

from kueue_conformance.base.resources import schema
from kueue_conformance.cli.commented_fields import inner_fields
from kueue_conformance.scenarios.capability import Capability
from kueue_conformance.subject import effects, parameters, start, workload_template
from kueue_conformance.subject.declaration import _IMPLEMENTATION, FIELDS
from kueue_conformance.subject.drivers.driver_kinds import KINDS

from ..checkout import ROOT, path_as_id

SCHEMA = schema("subject")
SAID = SCHEMA["properties"]
FILES = sorted((ROOT / "examples").rglob("subject*.yaml"))


@pytest.mark.parametrize(
    ("schema_words", "reader_words"),
    [
        pytest.param(FIELDS, SAID, id="fields"),
        pytest.param(_IMPLEMENTATION, SAID["implementation"]["properties"], id="implementation"),
        pytest.param(map(str, Capability), SAID["capabilities"]["items"]["enum"], id="capabilities"),
        pytest.param(start._FIELDS, SAID["start"]["properties"], id="start"),
        pytest.param(start._READY, SAID["start"]["properties"]["ready"]["properties"], id="ready"),
        pytest.param(start._STOP, SAID["start"]["properties"]["stop"]["properties"], id="stop"),
        pytest.param(parameters._FIELDS, SAID["parameters"]["properties"], id="parameters"),
        pytest.param(workload_template.FIELDS, SAID["workload"]["properties"], id="workload"),
        pytest.param(effects.FIELDS, SAID["effects"]["properties"], id="effects"),
        pytest.param(
            [*KINDS, "scope", "timeout", "undo"],
            SCHEMA["$defs"]["driver"]["oneOf"][1]["properties"],
            id="drivers",
        ),
    ],
)
def test_schema_and_reader_know_the_same_words(schema_words, reader_words):
    assert set(reader_words) == set(schema_words)


@pytest.mark.parametrize("file", FILES, ids=path_as_id)
def test_the_files_of_the_examples_keep_to_it(file):
    assert list(Draft202012Validator(SCHEMA).iter_errors(yaml.safe_load(file.read_text("utf-8")))) == []


def fields(node, path=""):
    """Return every field of the schema by its path."""
    by_path = {}
    for name, field in inner_fields(node).items():
        by_path |= {f"{path}{name}": field, **fields(field, f"{path}{name}.")}
    return by_path


ALL = fields(SCHEMA) | fields(SCHEMA["$defs"]["driver"]["oneOf"][1], "driver.")


@pytest.mark.parametrize("path", ALL)
def test_every_field_has_a_description(path):
    assert len(ALL[path]["description"]) > 5


@pytest.mark.parametrize("path", [path for path, field in ALL.items() if "examples" in field])
def test_the_example_of_a_field_is_a_right_one(path):
    schema = {**ALL[path], "$defs": SCHEMA["$defs"]}

    for example in ALL[path]["examples"]:
        assert list(Draft202012Validator(schema).iter_errors(example)) == []
