"""A Secret that the subject makes: what it holds is in nothing
that the run leaves, and stories are their owner's alone.
"""

import io
import stat
import subprocess
import zipfile

import pytest

from ..checkout import ROOT
from ..command_line.processes import COMMAND, environment
from .secretive import CODED, WORD

ZOO = ROOT / "kueue_conformance/tests/zoo"
SUBJECT = (ZOO / "wrong.yaml").read_text().replace(
    "zoo.right:CheckController", "running.secretive:Secretive"
) + ('- {apiGroups: [""], resources: [secrets], verbs: [create]}\n')


@pytest.fixture(scope="module")
def remains(tmp_path_factory):
    """Return a run that fails, and the files that it leaves, those in bundles too, by their names."""
    folder = tmp_path_factory.mktemp("run")
    for file in ZOO.glob("*.yaml"):
        (folder / file.name).write_text(file.read_text())
    (folder / "subject.yaml").write_text(SUBJECT)
    command = [*COMMAND, "run", "CHK-010", "--subject-file", "subject.yaml", "-n0", "--evidence", "all"]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    reports = folder / "conformance-report"
    files = {
        str(file.relative_to(reports)): file.read_bytes() for file in reports.rglob("*") if file.is_file()
    }
    packed = {
        f"{name}/{member}": zipfile.ZipFile(io.BytesIO(content)).read(member)
        for name, content in files.items()
        if name.endswith(".zip")
        for member in zipfile.ZipFile(io.BytesIO(content)).namelist()
    }
    return done, reports, files | packed


def test_what_a_secret_holds_is_in_nothing_that_is_left(remains):
    done, _, files = remains

    assert done.returncode in (1, 7), done.stdout
    assert [
        name for name, content in files.items() if WORD.encode() in content or CODED.encode() in content
    ] == []
    shown = (WORD in done.stdout, CODED in done.stdout, "REDACTED" in done.stdout)
    assert shown == (False, False, True), done.stdout
    assert any(b"REDACTED" in content for name, content in files.items() if name.endswith("story.ndjson"))


def test_stories_are_their_owners_alone(remains):
    _, reports, _ = remains
    files = [*reports.glob("evidence/*.ndjson"), *reports.glob("bundles/*.zip")]

    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
