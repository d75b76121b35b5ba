"""`init`: writes a subject file, a workflow and a test to start from (harness/H-04)."""

from __future__ import annotations

import os
import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
import yaml

from ..base import resources
from ..base.errors import UsageError
from ..base.json_types import Json
from ..programs.installation import is_here_only, requirement
from ..scenarios.capability import Capability
from ..subject import ConnectorContext, connector
from .languages import LANGUAGES, files_of_example

TEMPLATES = resources.PACKAGE / "data" / "project"
SUBJECT, TEST = Path("subject.yaml"), Path("test_conformance.py")
WORKFLOWS = Path(".github/workflows")
WRITTEN = ("apiVersion", "kind", "connect", "controllerName", "implementation", "capabilities")
"""The fields that every subject file of `init` has."""
_COLUMNS = 118


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
    default="",
    help="what the workflow installs: a requirement, a wheel, a URL [default: this version, as it was installed here]",
)
@click.option("--build", default="", help="the command by which the workflow builds the controller")
@click.option(
    "--language",
    type=click.Choice(sorted(LANGUAGES)),
    help="prepare the workflow for this language, and write an example controller in it unless --connect names yours",
)
@click.option("--example", is_flag=True, help="write an example controller; the same as --language python")
def init(
    folder: Path,
    connect: str,
    controller_name: str,
    package: str,
    build: str,
    language: str | None,
    *,
    example: bool,
) -> None:
    """Write subject.yaml, a workflow of GitHub and test_conformance.py into FOLDER; nothing is overwritten.

    In a folder of a repository the workflow goes to .github/workflows at the top of the repository, where
    GitHub reads it.

    Exit code: 0 written, 4 usage.
    """
    language = language or ("python" if example else "")
    chosen = LANGUAGES.get(language)
    begins_with_example = chosen is not None and not connect
    if chosen is not None and begins_with_example:
        connect, build = chosen.connect, build or chosen.build
    connect = connect or "process:./my-controller"
    connector(connect, ConnectorContext(folder=folder))
    package = package or requirement()
    organization, _, project = controller_name.rpartition("/")
    workflow, inside = workflow_place(folder)
    words = {
        "connect": connect,
        "controller": controller_name,
        "organization": organization or "unknown",
        "project": project,
        "package": shlex.quote(package),
        "build": build,
        "language": chosen,
        "inside": inside,
        "fields": comment_fields(),
        "capabilities": f"[{', '.join(_claims(language if begins_with_example else ''))}]",
    }
    texts = {
        folder / SUBJECT: render("subject.yaml.jinja", words),
        workflow: render("conformance.yml.jinja", words),
        folder / TEST: render("test_conformance.py.jinja", words),
    }
    if begins_with_example:
        texts |= {folder / path: text for path, text in files_of_example(language).items()}
    _write(folder, texts)
    change_folder = "" if folder == Path() else f"cd {shlex.quote(str(folder))} && "
    if is_here_only(package):
        click.echo(
            f"\nthe workflow installs {package}, which is on this machine: put it into the repository and say --package"
        )
    first_build = f"{build} && " if begins_with_example and build else ""
    click.echo(f"\nnext: {change_folder}{first_build}kueue-conformance smoke --subject-file subject.yaml")


def workflow_place(folder: Path) -> tuple[Path, str]:
    """Return the file in which GitHub reads a workflow, and the path of the folder in its repository."""
    absolute = folder.absolute()
    top = next((path for path in (absolute, *absolute.parents) if (path / ".git").exists()), absolute)
    inside = "" if top == absolute else absolute.relative_to(top).as_posix()
    name = f"conformance-{inside.replace('/', '-')}.yml" if inside else "conformance.yml"
    beginning = Path(os.path.relpath(top)) if inside else folder
    return beginning / WORKFLOWS / name, inside


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


def comment_fields() -> str:
    """Return a block of comments for each field that a new subject file may be given."""
    fields = resources.schema("subject")["properties"]
    return "\n".join("".join(_block(name, field)) for name, field in fields.items() if name not in WRITTEN)


def _block(name: str, field: Json) -> Iterator[str]:
    yield from _comments(field["description"], "")
    yield from _lines(name, field, "")
    if any("$ref" in inner for inner in field.get("properties", {}).values()):
        yield from _ways()


def _lines(name: str, field: Json, indent: str) -> Iterator[str]:
    if "examples" in field or "properties" not in field:
        yield f"# {indent}{name}: {_flow(field['examples'][0])}\n"
        return
    yield f"# {indent}{name}:\n"
    for inner_name, inner in field["properties"].items():
        yield from _comments(inner["description"], f"{indent}  ## ")
        yield from _lines(inner_name, inner, f"{indent}  ")


def _ways() -> Iterator[str]:
    """Yield what a driver can be."""
    yield "#   ## A driver is one of these, with timeout, scope and undo beside it:\n"
    for name, field in resources.schema("subject")["$defs"]["driver"]["oneOf"][1]["properties"].items():
        yield from _comments(f"{name}: {field['description']}", "  ## - ")


def _comments(text: str, indent: str) -> Iterator[str]:
    """Yield the lines of a text; a double mark stays a comment when the field is put to use."""
    for line in textwrap.wrap(text, _COLUMNS - len(indent)):
        yield f"# {indent}{line}\n"


def _flow(value: Json) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, width=1_000_000, sort_keys=False)
    return text.removesuffix("...\n").strip()


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
