"""`init`: writes a subject file, a workflow and a test to start from (harness/H-04)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import yaml

from ..base import resources
from ..base.errors import UsageError
from ..programs.installation import is_here_only, requirement
from ..scenarios.capability import Capability
from ..subject import ConnectorContext, connector

TEMPLATES = resources.PACKAGE / "data" / "project"
PLACES = {
    "subject.yaml.jinja": Path("subject.yaml"),
    "conformance.yml.jinja": Path(".github/workflows/conformance.yml"),
    "test_conformance.py.jinja": Path("test_conformance.py"),
}
EXAMPLE = Path("controller.py")


@click.command(short_help="write a subject file, a workflow and a test to begin from")
@click.argument("folder", default=".", type=click.Path(path_type=Path))
@click.option("--connect", default="", help="how to reach the controller [default: process:./my-controller]")
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
@click.option("--example", is_flag=True, help="write an example controller in Python as well")
def init(
    folder: Path, connect: str, controller_name: str, package: str, build: str, *, example: bool
) -> None:
    """Write subject.yaml, .github/workflows/conformance.yml and
    test_conformance.py into FOLDER; nothing is overwritten.

    Exit code: 0 written, 4 usage.
    """
    connect = connect or ("process:python controller.py" if example else "process:./my-controller")
    connector(connect, ConnectorContext(folder=folder))
    package = package or requirement()
    organization, _, project = controller_name.rpartition("/")
    texts = render(
        {
            "connect": connect,
            "controller": controller_name,
            "organization": organization or "unknown",
            "project": project,
            "package": shlex.quote(package),
            "build": build,
            "capabilities": f"[{', '.join(_claims(example=example))}]",
        }
    )
    if example:
        texts = {**texts, EXAMPLE: (resources.example() / EXAMPLE).read_text("utf-8")}
    _write(folder, texts)
    change_folder = "" if folder == Path() else f"cd {shlex.quote(str(folder))} && "
    if is_here_only(package):
        click.echo(
            f"\nthe workflow installs {package}, which is on this machine: put it into the repository and say --package"
        )
    click.echo(f"\nnext: {change_folder}kueue-conformance smoke --subject-file subject.yaml")


def _claims(*, example: bool) -> Sequence[str]:
    """Return the capabilities that the new subject file declares:
    those of the example, or of most controllers.
    """
    if not example:
        return [Capability.READY, Capability.RETRY, Capability.REJECTED]
    declared = yaml.safe_load((resources.example() / "subject.yaml").read_text("utf-8"))
    return list(declared["capabilities"])


def render(words: Mapping[str, str]) -> Mapping[Path, str]:
    """Return the files of a project, rendered with these values."""
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
    return {path: templates.get_template(name).render(words) for name, path in PLACES.items()}


def _write(folder: Path, texts: Mapping[Path, str]) -> None:
    there = [str(path) for path in texts if (folder / path).exists()]
    if there:
        raise UsageError(
            f"{', '.join(there)} in {str(folder)!r} would be overwritten",
            hint="name another folder, or move them away",
        )
    for path, text in texts.items():
        try:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")
        except OSError as problem:
            raise UsageError(
                f"{str(folder / path)!r} cannot be written: {problem.strerror}", hint="name another folder"
            ) from problem
        click.echo(f"wrote {folder / path}")
