"""Foreign files are data: nothing in them is run, and what cannot be used is told with exit code 4."""

import json
import struct
import zipfile

import pytest
import yaml

from kueue_conformance.base.errors import UsageError
from kueue_conformance.cli import cli, replay_command
from kueue_conformance.report.evidence import Folder, write
from kueue_conformance.report.formats.yaml_file import text

from ..reporting.results import case, report
from ..reporting.stories import ABOUT, KEPT

SAID = {
    "apiVersion": "kueue-conformance.dev/v1",
    "kind": "ReproductionBundle",
    **{key: value for key, value in ABOUT.items() if key not in ("text", "faults")},
    "outcome": "failed",
}
NODE = "check_controller/test_timing.py::test_x[v0.19]"


@pytest.fixture
def commands(monkeypatch):
    """Return the commands that would have been run."""
    commands = []
    monkeypatch.setattr(replay_command, "run_pytest", lambda command: commands.append(command) or 4)
    return commands


def zip_bundle(folder, content, name="bundle.json"):
    file = folder / "evil.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return file


def call(*words):
    return cli.main([*map(str, words)], standalone_mode=False)


def wanting(options):
    return {**SAID, "options": options}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"subject": "process:touch pwned"}, id="subject"),
        pytest.param({"subject-file": "/tmp/subject.yaml"}, id="subject file"),
        pytest.param({"backend": "kubeconfig:/tmp/kubeconfig"}, id="kubeconfig"),
        pytest.param({"control-plane": "upstream:touch pwned"}, id="control plane"),
        pytest.param({"control-plane": "upstream:manifests=/tmp/x.yaml"}, id="manifests"),
        pytest.param({"kind-config": "/tmp/kind.yaml", "kind-load": "/tmp/image.tar"}, id="kind"),
        pytest.param({"allow-neighbours": "1", "allow-fake-assets": "1", "keep": "always"}, id="switches"),
        pytest.param({"timeout-scale": "1e9", "report-dir": "/etc"}, id="others"),
    ],
)
def test_what_a_bundle_asks_for_is_not_done(tmp_path, commands, options):
    call("replay", zip_bundle(tmp_path, wanting(options)), "--subject", "process:./mine")

    ((*_,),) = [commands[0]]
    assert [
        word for word in commands[0] for key, value in options.items() if f"--kueue-{key}={value}" == word
    ] == []
    assert not [word for word in commands[0] if word in {f"--kueue-{key}" for key in options}]


def test_what_a_bundle_asks_for_is_shown(tmp_path, commands, capsys):
    call(
        "replay",
        zip_bundle(tmp_path, wanting({"backend": "kubeconfig:\x1b[2Jx y"})),
        "--subject",
        "process:./mine",
    )

    assert (
        "this bundle was made with --backend 'kubeconfig:\N{REPLACEMENT CHARACTER}[2Jx y'; pass it to use it"
        in capsys.readouterr().err
    )


def test_a_subject_is_named_by_the_reader(tmp_path, commands, capsys):
    with pytest.raises(UsageError, match="give --subject"):
        call("replay", zip_bundle(tmp_path, wanting({"subject": "process:touch pwned"})))

    assert commands == []
    assert (
        "this bundle was made with --subject 'process:touch pwned'; pass it to use it"
        in capsys.readouterr().err
    )


def test_how_a_case_was_judged_is_taken_over(tmp_path, commands):
    call(
        "replay",
        zip_bundle(tmp_path, wanting({"strict": "1", "control-plane": "scripted"})),
        "--subject",
        "process:./mine",
    )

    assert {"--kueue-strict", "--kueue-control-plane=scripted", "--kueue-seed=5"} < set(commands[0])


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"node": "/tmp/evil.py::test_x"}, id="absolute path"),
        pytest.param({"node": "../../../tmp/evil.py::test_x"}, id="path that leads out"),
        pytest.param(
            {"node": "check_controller/../check_controller/test_timing.py::test_x"}, id="another way"
        ),
        pytest.param({"node": "check_controller/test_basics.py::test_x"}, id="another module"),
        pytest.param({"test": "../../evil.py::test_x"}, id="test"),
        pytest.param({"test": "test_x -p evil"}, id="words"),
        pytest.param({"scenario": "CHK-999"}, id="scenario"),
        pytest.param({"dialect": "all"}, id="several dialects"),
        pytest.param({"dialect": "--kueue-subject=process:x"}, id="dialect"),
        pytest.param({"options": {"strict": {"a": [[]]}}}, id="shape of options"),
        pytest.param({"more": 1}, id="unknown field"),
    ],
)
def test_cases_are_those_of_the_installed_suite(tmp_path, commands, fields):
    with pytest.raises(UsageError):
        call("replay", zip_bundle(tmp_path, {**SAID, "node": NODE, **fields}), "--subject", "process:./mine")

    assert commands == []


def encrypt(folder):
    file = zip_bundle(folder, SAID)
    content = bytearray(file.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    file.write_bytes(content)
    return file


def with_compression(number):
    def make_bundle(folder):
        file = zip_bundle(folder, SAID)
        content = bytearray(file.read_bytes())
        for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            struct.pack_into("<H", content, content.index(mark) + offset, number)
        file.write_bytes(content)
        return file

    return make_bundle


def spoil(folder):
    file = zip_bundle(folder, SAID)
    content = bytearray(file.read_bytes())
    content[60:90] = b"\xff" * 30
    file.write_bytes(content)
    return file


BUNDLES = {
    "a bomb": lambda folder: zip_bundle(folder, b" " * 40_000_000),
    "a manifest that is too long": lambda folder: zip_bundle(
        folder, json.dumps(SAID).encode() + b" " * 2**20
    ),
    "deep JSON": lambda folder: zip_bundle(folder, b"[" * 500_000),
    "deep values": lambda folder: zip_bundle(
        folder, {**SAID, "parameters": json.loads("[" * 500 + "]" * 500)}
    ),
    "a list": lambda folder: zip_bundle(folder, [SAID]),
    "no manifest": lambda folder: zip_bundle(folder, SAID, "../bundle.json"),
    "no text": lambda folder: zip_bundle(folder, b"\xff\xfe"),
    "encrypted": encrypt,
    "unknown compression": with_compression(99),
    "spoiled": spoil,
    "no zip": lambda folder: _file(folder, b"PK\x05\x06"),
    "empty": lambda folder: _file(folder, b""),
    "a folder": lambda folder: folder,
    "not there": lambda folder: folder / "none.zip",
}


def _file(folder, content, name="f"):
    file = folder / name
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("make_bundle", BUNDLES.values(), ids=BUNDLES)
def test_a_bundle_that_is_none_is_told(tmp_path, commands, make_bundle):
    with pytest.raises(UsageError) as problem:
        call("replay", make_bundle(tmp_path), "--subject", "process:./mine")

    assert (problem.value.exit_code, commands, len(str(problem.value)) < 600) == (4, [], True)


COMMANDS = {
    "verify": ("verify",),
    "diff": ("report", "diff", "-"),
    "merge": ("report", "merge"),
    "matrix": ("report", "matrix"),
    "rejudge": ("report", "rejudge"),
    "badge": ("report", "badge"),
    "expectations update": ("expectations", "update", "--file", "new.yaml"),
    "expectations check": ("expectations", "check"),
    "provenance record": ("provenance", "record", "--file", "provenance.yaml"),
}
HEAD = "kind: ConformanceReport\n"
REPORTS = {
    "deep": HEAD + "a: " + "[" * 5000 + "]" * 5000,
    "a bomb": HEAD + "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(f"{n}: &{n} [{','.join([f'*{o}'] * 9)}]\n" for o, n in zip("abcdefgh", "bcdefghi", strict=True)),
    "keys that are no texts": HEAD + "1: 2\n? [a]\n: 3\n",
    "a number": HEAD + "seed: " + "9" * 5000,
    "no day": HEAD + "date: 2026-99-99",
    "a tag": HEAD + "a: !!python/object/apply:os.system [touch pwned]",
    "no YAML": "\x00\x01",
    "a list": "[]",
    "nothing": "",
}  # fmt: skip


@pytest.mark.parametrize("content", REPORTS.values(), ids=REPORTS)
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_report_that_is_none_is_told(tmp_path, monkeypatch, words, content):
    monkeypatch.chdir(tmp_path)
    file = _file(tmp_path, content.encode(), "report.yaml")

    with pytest.raises(UsageError) as problem:
        call(*(file if word == "-" else word for word in words), file)

    assert (problem.value.exit_code, (tmp_path / "pwned").exists()) == (4, False)


@pytest.mark.parametrize(
    "words",
    [COMMANDS[name] for name in ("diff", "merge", "matrix", "rejudge", "badge", "expectations update")],
    ids=str,
)
def test_a_report_of_another_shape_is_told(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    file = _file(tmp_path, text({**make_report(), "scenarios": {"id": 5}}).encode(), "report.yaml")

    with pytest.raises(UsageError, match="is wrong at scenarios"):
        call(*(file if word == "-" else word for word in words), file)


def make_report(**fields):
    return report([case("CHK-010", judged=True, **fields)]).to_dict()


def with_evidence(folder, name):
    """Write a report that names a file as evidence, and return it."""
    document = make_report(evidence="evidence/story.ndjson")
    document["scenarios"][0]["cases"][0]["evidence"] = [name]
    return _file(folder, text(document).encode(), "report.yaml")


REACHES_HOST = (
    "../story.ndjson",
    "evidence/../../story.ndjson",
    "/etc/passwd",
    "story.ndjson",
    "evidence/link.ndjson",
)


@pytest.mark.parametrize("name", REACHES_HOST)
@pytest.mark.parametrize("words", [COMMANDS["rejudge"], COMMANDS["diff"]], ids=["rejudge", "diff"])
def test_evidence_is_beside_the_report(tmp_path, words, name):
    folder = tmp_path / "report"
    (folder / "evidence").mkdir(parents=True)
    for folder_of_story in (tmp_path, folder):
        _file(folder_of_story, write(KEPT), "story.ndjson")
    (folder / "evidence/link.ndjson").symlink_to(tmp_path / "story.ndjson")
    file = with_evidence(folder, name)

    with pytest.raises(UsageError, match=r"is wrong at scenarios|which is not in the folder 'evidence'"):
        call(*(file if word == "-" else word for word in words), file)


FIRST = json.dumps({"evidence": 1, **ABOUT})
STORIES = {
    "no object": f"{FIRST}\n" + json.dumps({"change": {"revision": 1}}),
    "a change that is a number": f"{FIRST}\n" + json.dumps({"change": 5}),
    "a question with more": f"{FIRST}\n" + json.dumps({"question": {"x": 1}}),
    "a body that is no base64": f"{FIRST}\n"
    + json.dumps({"request": {"at": 1, "verb": "get", "code": 200, "base64": True, "body": "é"}}),
    "objects that none are": f"{FIRST}\n"
    + json.dumps(
        {"change": {"revision": 1, "at": 1.0, "actor": "subject", "verb": "patch", "kind": "Workload", "name": "w", "before": None, "after": {"status": 5}}}
    )
    + "\n"
    + json.dumps(
        {"change": {"revision": 2, "at": 1.0, "actor": "subject", "verb": "patch", "kind": "Workload", "name": "w", "before": {"status": 5}, "after": {"status": {"admissionChecks": 7}}}}
    ),
    "another dialect": json.dumps({"evidence": 1, **ABOUT, "dialect": "v99"}),
    "a dialect that is no word": json.dumps({"evidence": 1, **ABOUT, "dialect": 5}),
    "deep": f"{FIRST}\n" + "[" * 300 + "]" * 300,
    "nothing": "",
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_evidence_that_is_none_is_told(tmp_path, story):
    Folder(tmp_path).write("story.ndjson", story.encode())
    file = with_evidence(tmp_path, "evidence/story.ndjson")

    with pytest.raises(UsageError) as problem:
        call("report", "rejudge", file)

    assert problem.value.exit_code == 4


@pytest.mark.parametrize(
    "index",
    ["[" * 2000, "[]", '{"files": [{"file": "../x", "sha256": 5}]}', "\x00"],
    ids=["deep", "list", "path", "none"],
)
def test_an_index_that_is_none_is_told(tmp_path, index):
    file = with_evidence(tmp_path, Folder(tmp_path).write("story.ndjson", write(KEPT)))
    _file(tmp_path / "evidence", index.encode(), "index.json")

    with pytest.raises(UsageError, match="is no index"):
        call("verify", file)


def test_a_linked_report_is_replaced_and_not_followed(tmp_path):
    file = with_evidence(tmp_path, Folder(tmp_path).write("story.ndjson", write(KEPT)))
    theirs, link = _file(tmp_path, b"theirs", "theirs"), tmp_path / "now.yaml"
    link.symlink_to(theirs)

    call("report", "rejudge", file, "--out", link)

    assert (theirs.read_text(), yaml.safe_load(link.read_text())["kind"]) == ("theirs", "ConformanceReport")
