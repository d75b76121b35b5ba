"""What a finding says: the perturbation, the end, the requests around it, and how to repeat it (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .end_state import first_lines
from .perturbations import MEANINGS, OF_WRITES, Perturbation
from .run import RunResult
from .trace import Request, Trace

BEFORE, AFTER = 6, 10
"""Requests that are shown before and after the perturbation."""
CHARACTERS_OF_CRASH = 600


def finding_text(
    perturbation: Perturbation, result: RunResult, unperturbed: Trace, failures: int, runs: int
) -> str:
    """Return the text of a finding that so many of the runs have shown."""
    lines = [
        f"{perturbation.name}: {_what(perturbation, result)}  ({failures} of {runs} runs)",
        *_under("at", [_place(perturbation, unperturbed)]),
        *_under("observed", first_lines(result.failure)),
        *_under("crashes", [crash[-CHARACTERS_OF_CRASH:] for crash in result.crashes[-1:]]),
        *_under("requests", list(_around(result))),
        *_under("look for", [MEANINGS[perturbation.kind].advice] if result.was_met else []),
        *_under("again", [f"perturb(…, only={perturbation.name!r})"]),
    ]
    return "\n".join(lines)


def _what(perturbation: Perturbation, result: RunResult) -> str:
    if result.was_met:
        return MEANINGS[perturbation.kind].text
    return "the run failed although this did not happen in it: the operator fails without, from time to time"


def _place(perturbation: Perturbation, unperturbed: Trace) -> str:
    if perturbation.kind not in OF_WRITES:
        resources = ", ".join(sorted(perturbation.resources))
        return f"act {perturbation.number} of the drive" + (f", events of {resources}" if resources else "")
    write = unperturbed.writes[perturbation.number - 1]
    when = f"in act {write.act}" if write.act else "before the first act"
    return f"write {perturbation.number} of the operator, {when}: {write}"


def _around(result: RunResult) -> Iterator[str]:
    if not result.was_met:
        return
    requests, index = result.trace.requests, result.requests_before
    for request in requests[max(0, index - BEFORE) : index]:
        yield _line(request)
    yield "- - - here - - -"
    for request in requests[index : index + AFTER]:
        yield _line(request)
    if (hidden := len(requests) - index - AFTER) > 0:
        yield f"… and {hidden} more"


def _line(request: Request) -> str:
    return f"act {request.act}  {request}"


def _under(word: str, texts: Sequence[str]) -> Iterator[str]:
    """Yield lines, the first of them behind a word."""
    for text in texts:
        for line in text.splitlines():
            yield f"  {word:<10} {line}".rstrip()
            word = ""
