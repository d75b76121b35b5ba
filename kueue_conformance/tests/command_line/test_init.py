"""`init`: its files work without a change, and no file of the user is overwritten (H-04)."""

import shlex
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from kueue_conformance.base import resources
from kueue_conformance.cli import cli
from kueue_conformance.cli.languages import LANGUAGES, files_of_example
from kueue_conformance.subject.declaration import declare

from .processes import run as run_process

FILES = ["subject.yaml", ".github/workflows/conformance.yml", "test_conformance.py"]


@pytest.fixture
def init(tmp_path, monkeypatch):
    """Run `init` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(cli, ["init", *map(str, words)], standalone_mode=False)


def workflow():
    return yaml.safe_load(Path(FILES[1]).read_text("utf-8"))


def steps():
    return [step["run"] for step in workflow()["jobs"]["conformance"]["steps"] if "run" in step]


def test_it_writes_three_files_and_says_how_to_go_on(init):
    done = init("--package", "kueue-conformance")

    assert done.output.splitlines() == [
        *(f"wrote {name}" for name in FILES),
        "",
        "next: kueue-conformance smoke --subject-file subject.yaml",
    ]


def test_the_subject_file_says_what_was_asked_for(init):
    init("--connect", "process:./my controller --flag='a b'", "--controller-name", "acme.io/budget")

    declaration = declare("", "subject.yaml", "")
    assert (declaration.connect, declaration.controller_name) == (
        "process:./my controller --flag='a b'",
        "acme.io/budget",
    )
    assert (declaration.implementation["organization"], declaration.implementation["project"]) == (
        "acme.io",
        "budget",
    )


def test_the_example_claims_what_it_does(init):
    init("--example")
    ours, shipped = (
        yaml.safe_load(path.read_text("utf-8"))
        for path in (Path("subject.yaml"), resources.example() / "subject.yaml")
    )

    assert ours["capabilities"] == shipped["capabilities"]


def test_the_workflow_installs_builds_and_judges(init):
    init("--package", "dist/my wheel.whl", "--build", "go build -o my-controller .")

    assert steps() == [
        "python -m pip install 'dist/my wheel.whl'",
        "go build -o my-controller .",
        "kueue-conformance smoke --subject-file subject.yaml",
        "kueue-conformance run --subject-file subject.yaml",
        "python -m pytest test_conformance.py --kueue-subject-file subject.yaml",
        'kueue-conformance report annotations conformance-report/report.yaml\ncat conformance-report/summary.md >> "$GITHUB_STEP_SUMMARY"\n',
    ]


@pytest.mark.parametrize("line", ["kueue-conformance smoke", "kueue-conformance run"])
def test_the_commands_of_the_workflow_exist(init, line):
    init()
    (command,) = (step for step in steps() if step.startswith(line))
    _, name, *words = shlex.split(command)

    assert cli.commands[name].make_context(name, words)


def test_nothing_is_overwritten(init):
    Path("subject.yaml").write_text("mine")

    done = init()

    assert str(done.exception).startswith("subject.yaml in '.' would be overwritten")
    assert [path.name for path in Path().iterdir()] == ["subject.yaml"]


def test_a_folder_that_cannot_be_written_is_told(init):
    done = init("/proc/nowhere")

    assert "'/proc/nowhere/subject.yaml' cannot be written" in str(done.exception)


def test_a_wrong_connector_is_told_before_anything_is_written(init):
    done = init("--connect", "docker:image")

    assert str(done.exception).startswith("unknown connector 'docker'")
    assert list(Path().iterdir()) == []


@pytest.mark.slow
def test_the_generated_project_works(init, tmp_path):
    init("--example")
    own = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "test_conformance.py",
        "--kueue-subject-file",
        "subject.yaml",
    ]

    smoke = run_process("smoke", "--subject-file", "subject.yaml", cwd=tmp_path)
    tested = run_process(cwd=tmp_path, program=own)

    assert (smoke.code, tested.code) == (0, 0), smoke.whole + tested.whole
    assert "2 passed" in tested.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_its_example_its_build_and_its_workflow(init, language):
    init("--language", language, "--package", "kueue-conformance")
    chosen, claims = LANGUAGES[language], declare("", "subject.yaml", "").capabilities
    shipped = yaml.safe_load((resources.example(language) / "subject.yaml").read_text("utf-8"))
    actions = [step["uses"] for step in workflow()["jobs"]["conformance"]["steps"] if "uses" in step]

    assert declare("", "subject.yaml", "").connect == chosen.connect
    assert sorted(map(str, claims)) == sorted(shipped["capabilities"])
    assert (chosen.build in steps()) is bool(chosen.build)
    assert not chosen.action or chosen.action in actions
    for path, text in files_of_example(language).items():
        assert path.read_text("utf-8") == text
    assert len(files_of_example(language)) >= len(chosen.files)


def test_a_controller_of_ones_own_in_a_language_needs_no_example(init):
    init("--language", "java", "--connect", "process:java -jar app.jar", "--build", "gradle -q jar")

    assert not Path("pom.xml").exists()
    assert "gradle -q jar" in steps()
    assert "actions/setup-java@v4" in Path(FILES[1]).read_text("utf-8")


def test_without_a_build_the_workflow_has_a_place_for_one(init):
    init()

    text = Path(FILES[1]).read_text("utf-8")
    assert all(f"#   {language} " in text for language in ("Java", "Go  ", "Rust", "Node"))


def test_in_a_repository_the_workflow_is_where_github_reads_it(init, tmp_path):
    (tmp_path / ".git").mkdir()
    init("services/acme", "--package", "kueue-conformance")

    document = yaml.safe_load(Path(".github/workflows/conformance-services-acme.yml").read_text("utf-8"))
    job = document["jobs"]["conformance"]
    assert job["defaults"] == {"run": {"working-directory": "services/acme"}}
    assert job["steps"][-1]["with"]["path"] == "services/acme/conformance-report"
    assert "hashFiles('services/acme/conformance-report/report.yaml')" in job["steps"][-2]["if"]
    assert Path("services/acme/subject.yaml").exists()
    assert not Path("services/acme/.github").exists()


def test_every_field_of_the_schema_is_in_a_comment_with_an_example(init):
    init()
    text = Path("subject.yaml").read_text("utf-8")
    live = yaml.safe_load(text)

    for name, field in resources.schema("subject")["properties"].items():
        assert name in live or f"# {name}:" in text
        assert name in live or " ".join(field["description"].split()[:5]) in text


def test_a_commented_field_can_be_put_to_use(init, tmp_path):
    init()
    lines = Path("subject.yaml").read_text("utf-8").splitlines()
    begin = lines.index("# start:")
    end = lines.index("", begin)
    used = [line.removeprefix("# ") for line in lines[begin:end]]
    Path("subject.yaml").write_text(
        "\n".join([*lines[:begin], *used, *lines[end:]]).replace("process:./my-controller", "process:")
    )

    assert declare("", "subject.yaml", "").start.ready_log == "Starting workers"
