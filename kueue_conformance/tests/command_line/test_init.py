"""`init`: its files work without a change, and no file of the user is overwritten (H-04)."""

import shlex
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from kueue_conformance.base import resources
from kueue_conformance.cli import cli
from kueue_conformance.cli.commented_fields import OF_INTEGRATIONS, WRITTEN, inner_fields
from kueue_conformance.cli.languages import LANGUAGES, files_of_example
from kueue_conformance.cli.new_integration import EXAMPLES
from kueue_conformance.scenarios.capability import JOB_INTEGRATION
from kueue_conformance.subject.declaration import declare

from .processes import run as run_process

FILES = ["subject.yaml", ".github/workflows/conformance.yml", "test_conformance.py"]
FIXED = ("apiVersion", "kind")
"""The fields of a subject file that have one value."""


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


def test_told_how_many_the_workflow_judges_in_shards_and_merges_them(init):
    init("--package", "kueue-conformance", "--shards", "3")

    job, whole = (workflow()["jobs"][name] for name in ("conformance", "whole-report"))
    assert job["strategy"] == {"fail-fast": False, "matrix": {"shard": [1, 2, 3]}}
    assert "kueue-conformance run --subject-file subject.yaml --shard ${{ matrix.shard }}/3" in steps()
    assert job["steps"][-1]["with"]["name"] == "conformance-report-${{ matrix.shard }}"
    assert whole["needs"] == "conformance"
    assert [step["run"] for step in whole["steps"] if "run" in step] == [
        "python -m pip install kueue-conformance",
        "kueue-conformance report merge shards/*/report.yaml --out whole-report.yaml",
    ]


def test_one_shard_is_no_matrix(init):
    assert "1 is not in the range" in str(init("--shards", "1").exception)


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
@pytest.mark.parametrize("words", [("--example",), ("--integration", "--example")], ids=" ".join)
def test_the_generated_project_works(init, tmp_path, words):
    init(*words)
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


def test_a_job_integration_has_a_kind_and_a_job_of_it(init):
    init("--integration")
    subject = declare("", "subject.yaml", "")

    assert (subject.connect, subject.role) == ("process:./my-integration", JOB_INTEGRATION)
    assert (
        subject.job_kind.new_job(name="a", namespace="b", queue="c", parallelism=2, cpu="1")["spec"][
            "parallelism"
        ]
        == 2
    )


def test_a_language_without_an_example_of_an_integration_is_told_those_that_have_one(init):
    done = init("--integration", "--language", "bash")

    assert "there is no example of a job integration in bash, only in python" in str(done.exception)
    assert list(Path().iterdir()) == []


def test_an_integration_of_ones_own_needs_no_example_in_its_language(init):
    init("--integration", "--language", "rust", "--connect", "process:./target/release/jobs")

    assert "cargo build --release" in steps()
    assert declare("", "subject.yaml", "").connect == "process:./target/release/jobs"
    assert Path("job.yaml").exists()


@pytest.mark.parametrize("language", EXAMPLES)
def test_an_integration_in_a_language_has_its_example_its_build_and_its_workflow(init, language):
    init("--integration", "--language", language, "--package", "kueue-conformance")
    chosen, folder = EXAMPLES[language], resources.example_integration(language)
    shipped = declare("", str(folder / "subject.yaml"), "")
    written = declare("", "subject.yaml", "")

    assert (written.connect, written.job_kind) == (shipped.connect, shipped.job_kind)
    assert written.connect == chosen.connect
    assert (chosen.build_of(chosen.connect) in steps()) is bool(chosen.build)
    for path, text in chosen.files_in(folder).items():
        assert path.read_text("utf-8") == text
    assert len(chosen.files_in(folder)) >= len(chosen.files)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_its_example_its_build_and_its_workflow(init, language):
    init("--language", language, "--package", "kueue-conformance")
    chosen, claims = LANGUAGES[language], declare("", "subject.yaml", "").capabilities
    shipped = yaml.safe_load((resources.example(language) / "subject.yaml").read_text("utf-8"))
    actions = [step["uses"] for step in workflow()["jobs"]["conformance"]["steps"] if "uses" in step]

    assert declare("", "subject.yaml", "").connect == chosen.connect
    assert sorted(map(str, claims)) == sorted(shipped["capabilities"])
    assert (chosen.build_of(chosen.connect) in steps()) is bool(chosen.build)
    assert not chosen.action or chosen.action in actions
    for path, text in files_of_example(language).items():
        assert path.read_text("utf-8") == text
    assert len(files_of_example(language)) >= len(chosen.files)


def test_a_controller_of_ones_own_in_a_language_needs_no_example(init):
    init("--language", "java", "--connect", "process:java -jar app.jar", "--build", "gradle -q jar")

    assert not Path("pom.xml").exists()
    assert "gradle -q jar" in steps()
    assert "actions/setup-java@v4" in Path(FILES[1]).read_text("utf-8")


@pytest.mark.parametrize(
    ("language", "connect", "build"),
    [
        ("go", "process:./bin/budget --flag", "go build -o ./bin/budget ."),
        ("go", "process:go run .", "go build -o ./my-controller ."),
        ("java", "process:java -jar target/budget.jar", "mvn -B -q package"),
        ("rust", "process:target/release/budget", "cargo build --release"),
        ("typescript", "process:node dist/main.js", "npm ci && npm run build"),
    ],
)
def test_a_controller_of_ones_own_is_built_as_its_language_is(init, language, connect, build):
    done = init("--language", language, "--connect", connect)

    assert build in steps()
    assert done.output.splitlines()[-1].startswith(f"next: {build} && kueue-conformance smoke")


def test_a_controller_that_is_not_started_here_is_not_built(init):
    init("--language", "go", "--connect", "external:")

    assert not [step for step in steps() if step.startswith("go build")]


def test_without_a_build_the_workflow_has_a_place_for_one(init):
    init()

    text = Path(FILES[1]).read_text("utf-8")
    assert all(f"#   {language} " in text for language in ("Java", "Go", "Rust", "Node", "Python"))


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


@pytest.mark.parametrize("typed", ["../acme", "linked"])
def test_a_folder_beside_the_repository_is_no_part_of_it(init, tmp_path, monkeypatch, typed):
    (tmp_path / "repository/.git").mkdir(parents=True)
    (tmp_path / "acme").mkdir()
    (tmp_path / "repository/linked").symlink_to(tmp_path / "acme")
    monkeypatch.chdir(tmp_path / "repository")

    init(typed)

    assert (tmp_path / "acme/.github/workflows/conformance.yml").exists()
    assert not (tmp_path / "repository/.github").exists()


def test_a_workflow_of_the_repository_is_not_overwritten(init, tmp_path, monkeypatch):
    (tmp_path / ".git").write_text("gitdir: elsewhere")  # as in a worktree
    theirs = tmp_path / ".github/workflows/conformance-acme.yml"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    (tmp_path / "acme").mkdir()
    monkeypatch.chdir(tmp_path / "acme")

    done = init()

    assert str(done.exception).startswith("../.github/workflows/conformance-acme.yml in '.' would be")
    assert (theirs.read_text("utf-8"), list(Path().iterdir())) == ("theirs", [])


def test_a_package_of_the_repository_is_named_by_its_path_there(init, tmp_path):
    (tmp_path / ".git").mkdir()
    wheel = tmp_path / "wheels/suite.whl"
    wheel.parent.mkdir()
    wheel.touch()

    done = init("services/acme", "--package", wheel)

    text = Path(".github/workflows/conformance-services-acme.yml").read_text("utf-8")
    assert "pip install ./../../wheels/suite.whl" in text
    assert "on this machine alone" not in done.output


def test_a_package_of_this_machine_alone_is_pointed_out(init, tmp_path, monkeypatch):
    (tmp_path / "suite.whl").touch()
    (tmp_path / "repository/.git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repository")

    done = init("--package", "../suite.whl")

    assert f".github/workflows/conformance.yml installs {tmp_path / 'suite.whl'}" in done.output


def described(node):
    """Yield the descriptions of all fields of the schema, at every depth."""
    for field in inner_fields(node).values():
        yield field["description"]
        yield from described(field)


def test_every_description_of_the_schema_is_in_a_comment(init):
    init()
    words = " ".join(Path("subject.yaml").read_text("utf-8").replace("#", " ").split())
    schema = resources.schema("subject")
    fields = {
        name: field for name, field in schema["properties"].items() if name not in (*FIXED, *OF_INTEGRATIONS)
    }
    drivers = schema["$defs"]["driver"]["oneOf"][1]

    descriptions = [*described({"properties": fields}), *described(drivers)]
    assert [text for text in descriptions if text not in words] == []


COMMENTED = [
    name for name in resources.schema("subject")["properties"] if name not in (*WRITTEN, *OF_INTEGRATIONS)
]


@pytest.mark.parametrize("name", COMMENTED)
def test_a_commented_field_keeps_to_the_schema_when_it_is_put_to_use(init, name):
    init()
    lines = Path("subject.yaml").read_text("utf-8").splitlines()
    begin = next(at for at, line in enumerate(lines) if line.startswith(f"# {name}:"))
    end = next((at for at in range(begin, len(lines)) if not lines[at]), len(lines))
    used = [line.removeprefix("# ") for line in lines[begin:end]]
    document = yaml.safe_load("\n".join([*lines[:begin], *used, *lines[end:]]))

    assert name in document
    assert list(Draft202012Validator(resources.schema("subject")).iter_errors(document)) == []


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
