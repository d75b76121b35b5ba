"""`init`: writes a subject file, a workflow and a test to start from (harness/H-04)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import yaml

from ..base import resources
from ..base.errors import UsageError
from ..options.shard import MOST_SHARDS
from ..programs.installation import is_here_only, requirements
from ..scenarios.capability import Capability
from ..subject import ConnectorContext, connector
from .commented_fields import comment, comment_fields, comment_inner_fields
from .languages import DEFAULT_PROGRAM, LANGUAGES, Language, files_of_example
from .new_integration import CONNECT, EXAMPLES, check_language, field_of_job, files_of_jobs
from .repository import ProjectPlace

TEMPLATES = resources.PACKAGE / "data" / "project"
SUBJECT, TEST = Path("subject.yaml"), Path("test_conformance.py")
TEMPLATES_OF_CONTROLLER = "subject.yaml.jinja", "test_conformance.py.jinja"
TEMPLATES_OF_INTEGRATION = "integration.yaml.jinja", "test_integration.py.jinja"


@click.command(short_help="write a subject file, a workflow and a test to begin from")
@click.argument("folder", default=".", type=click.Path(path_type=Path))
@click.option(
    "--connect",
    default="",
    help="how to reach your controller [default: the example of --language, or process:./my-controller]",
)
@click.option(
    "--controller-name",
    default="example.com/budget",
    show_default=True,
    help="the spec.controllerName that it acts for",
)
@click.option(
    "--package",
    "packages",
    multiple=True,
    help="what the workflow installs: a requirement, a wheel, a URL; more than once for the wheel of fakecluster as well"
    " [default: this version, as it was installed here]",
)
@click.option("--build", default="", help="the command by which the workflow builds the controller")
@click.option(
    "--language",
    type=click.Choice(sorted(LANGUAGES)),
    help="prepare the workflow for this language, and write an example controller in it unless --connect names yours",
)
@click.option(
    "--shards",
    type=click.IntRange(2, MOST_SHARDS),
    help="judge on so many machines: the workflow has a matrix, and puts the reports together",
)
@click.option("--example", is_flag=True, help="write an example controller; the same as --language python")
@click.option("--integration", is_flag=True, help="for a job integration in place of a check controller")
def init(
    folder: Path,
    connect: str,
    controller_name: str,
    packages: Sequence[str],
    build: str,
    language: str | None,
    *,
    shards: int | None,
    example: bool,
    integration: bool,
) -> None:
    """Write subject.yaml, a workflow of GitHub and test_conformance.py into FOLDER; nothing is overwritten.

    In a folder of a repository the workflow goes to .github/workflows at the top of the repository, where
    GitHub reads it. With --integration the subject file describes a kind of jobs, and one job of it is
    written too.

    Exit code: 0 written, 4 usage.
    """
    language = language or ("python" if example else "")
    if integration and not connect:
        check_language(language)
    chosen = (EXAMPLES if integration else LANGUAGES).get(language) or LANGUAGES.get(language)
    example_language = "" if connect else language
    connect = connect or _default_connect(chosen, integration=integration)
    connector(connect, ConnectorContext(folder=folder))
    build = build or (chosen.build_of(connect) if chosen else "")
    place = ProjectPlace.of(folder)
    packages = [place.package(package) for package in packages or requirements()]
    words = {
        **_words_of_subject(connect, controller_name, example_language, integration=integration),
        **_words_of_workflow(place, packages, shards),
        "build": build,
        "language": chosen,
    }
    subject, test = TEMPLATES_OF_INTEGRATION if integration else TEMPLATES_OF_CONTROLLER
    texts = {
        folder / SUBJECT: render(subject, words),
        place.workflow: render("conformance.yml.jinja", words),
        folder / TEST: render(test, words),
    }
    files = _files(example_language, integration=integration)
    texts |= {folder / path: text for path, text in files.items()}
    _write(folder, texts)
    if only_here := [package for package in packages if is_here_only(package)]:
        click.echo(
            f"\n{place.workflow} installs {' and '.join(only_here)}, on this machine alone:"
            " copy what is named into the repository, and write its path there into that line"
        )
    click.echo(f"\nnext: {_next_command(folder, build)}")


def _words_of_subject(
    connect: str, controller_name: str, example_language: str, *, integration: bool
) -> Mapping[str, object]:
    """Return the values that the templates of a subject file and its test have."""
    organization, _, project = controller_name.rpartition("/")
    return {
        "connect": connect,
        "controller": controller_name,
        "organization": organization or "unknown",
        "project": "my-integration" if integration else project,
        "comment": comment,
        "comment_inner_fields": comment_inner_fields,
        "further_fields": comment_fields(),
        "capabilities": f"[{', '.join(() if integration else _claims(example_language))}]",
        "job": field_of_job(example_language if integration else ""),
    }


def _words_of_workflow(
    place: ProjectPlace, packages: Sequence[str], shards: int | None
) -> Mapping[str, object]:
    """Return the values that the template of a workflow has."""
    return {
        "packages": shlex.join(packages),
        "shards": range(1, shards + 1) if shards else (),
        "inside": place.inside,
        "title": f"Kueue conformance of {place.inside}" if place.inside else "Kueue conformance",
    }


def _files(language: str, *, integration: bool) -> Mapping[Path, str]:
    """Return what is written beside subject file, workflow and test: the example in a language, if any, and
    jobs of a kind.
    """
    if integration:
        return files_of_jobs(language)
    return files_of_example(language) if language else {}


def _next_command(folder: Path, build: str) -> str:
    """Return the command that builds the program, where it is built, and looks at the wiring."""
    change_folder = "" if folder == Path() else f"cd {shlex.quote(str(folder))} && "
    first_build = f"{build} && " if build else ""
    return f"{change_folder}{first_build}kueue-conformance smoke --subject-file subject.yaml"


def _default_connect(language: Language | None, *, integration: bool) -> str:
    """Return how the example in a language is started, or a program that is to be named."""
    if language:
        return language.connect
    return CONNECT if integration else f"process:{DEFAULT_PROGRAM}"


def _claims(language: str) -> Sequence[str]:
    """Return the capabilities that the new subject file declares: those of the example in a language, or of
    most controllers.
    """
    if not language:
        return [Capability.READY, Capability.RETRY, Capability.REJECTED]
    declared = yaml.safe_load((resources.example(language) / "subject.yaml").read_text("utf-8"))
    return list(declared["capabilities"])


def render(template: str, words: Mapping[str, object]) -> str:
    """Return a file of a project, rendered with these values."""
    from jinja2 import Environment, FileSystemLoader

    # A workflow uses `{{ }}` itself, so the templates have other delimiters.
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        variable_start_string="[[",
        variable_end_string="]]",
        block_start_string="[%",
        block_end_string="%]",
        trim_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - no HTML
    )
    return templates.get_template(template).render(words)


def _write(folder: Path, texts: Mapping[Path, str]) -> None:
    there = [str(path) for path in texts if path.exists()]
    if there:
        raise UsageError(
            f"{', '.join(there)} in {str(folder)!r} would be overwritten",
            hint="name another folder, or move them away",
        )
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        except OSError as problem:
            raise UsageError(
                f"{str(path)!r} cannot be written: {problem.strerror}", hint="name another folder"
            ) from problem
        click.echo(f"wrote {path}")
