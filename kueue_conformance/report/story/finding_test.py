"""The Python test of a finding: it plays the story again, and fails while the program does the same."""

from __future__ import annotations

import textwrap
from typing import Any

from ...exploration.findings import Finding

_WIDTH = 100
_OPTIONS = {
    "controller": "--kueue-subject-file subject.yaml",
    "job integration": "--kueue-subject-file subject.yaml",
    "control plane": "--kueue-control-plane reference",
}
"""The options of pytest, by what is explored."""


def finding_test(finding: Finding, file_name: str) -> str:
    """Return the test module of a finding, for a file of this name."""
    fields = dict(finding.story.as_fields())
    acts = [f"            {_quote(act)}," for act in fields.pop("acts")]
    arguments = [f"        {name.replace('-', '_')}={_quote(value)}," for name, value in fields.items()]
    if finding.perturbation is not None:
        arguments.append(f"        perturbation={_quote(str(finding.perturbation))},")
    if finding.identity.known_breaches:
        arguments.append(f"        known={_quote([*finding.identity.known_breaches])},")
    return "\n".join(
        [
            f'"""{_headline(finding)}',
            "",
            *_paragraph(finding),
            f"    {' '.join(_command(finding, file_name))}",
            '"""',
            "",
            "",
            f"def test_story_of_seed_{finding.seed}(play_story):",
            "    play_story(",
            "        acts=[",
            *acts,
            "        ],",
            *arguments,
            "    )",
            "",
        ]
    )


def _command(finding: Finding, file_name: str) -> list[str]:
    dialect = ["--kueue-dialect", finding.identity.dialect]
    return ["python -m pytest", file_name, _OPTIONS[finding.story.program], *dialect]


def _headline(finding: Finding) -> str:
    return f"A story of `explore` that breaks {finding.cause} ({finding.rate}, seed {finding.seed})."


def _paragraph(finding: Finding) -> list[str]:
    """Return what happens to the program, and what to look for, in lines."""
    perturbation = finding.perturbation
    if perturbation is None:
        return []
    act = finding.story.acts[perturbation.act - 1]
    text = (
        f"At act {perturbation.act}, {act}: {perturbation.kind.meaning}."
        f" A {finding.story.program} that is right {perturbation.kind.advice}."
    )
    return [*textwrap.wrap(text, _WIDTH), ""]


def _quote(value: Any) -> str:
    """Return a value as Python with double quotes, as formatters write it."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_quote, value)) + "]"
    return repr(value)
