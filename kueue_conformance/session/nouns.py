"""The fixtures and nouns of scenarios as Markdown: `python -m kueue_conformance.session.nouns >
docs/scenarios.md`; a test fails when it is stale.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import FunctionType

from .. import stage
from . import fixtures

PREDICATES = frozenset(["is", "was", "are", "were", "has", "have", "had", "lists", "shows", "exists"])
_FACTS, _ANSWERS, _ACTS, _VALUES = "Facts", "Answers", "Acts", "Values"
_VALUE_SUMMARIES = ("Return ", "Yield ")
"""How the summary of a method begins that returns a value and changes nothing; an act says what it does."""
_NO_NOUNS = frozenset({"Answer", "Listing", "ListPosition", "Names", "ReleaseStandIn", "WorkloadView"})
"""What a noun returns and scenarios read as a value."""

_HEAD = """\
# The words of scenarios

A scenario asks for fixtures. A fixture is a noun, or makes nouns: a queue, a Workload, an AdmissionCheck. A noun has

- **acts**, imperatives that change the cluster: `queue.set_quota("500m")`, `check.answer(workload, "Ready")`. They return nothing, or what they made;
- **facts**, predicates that begin with `is_`, `has_`, `had_`, `was_`, `lists_`, `shows_`: `workload.is_admitted()`. They read the cluster anew and return a `Fact`,
  which is true when it holds and knows what was expected and observed;
- **answers**: `try_to_…` sends a request that may be refused, and returns the server's answer;
- **values**, such as names, times and objects, for later use.

A fact is judged by a wait, an `assert` or an `if`. A fact that nothing reads ends the case with its line. `within(budget, condition)`, `always`, `never` and `either` evaluate
their condition many times, so an act in it is a usage error that names the act.

<!-- test: test_words.py -->
```python
from kueue_conformance import always, within


def test_second_workload_waits_for_quota(make_queue):
    queue = make_queue(checks=1, cpu="1")
    first = queue.submit_until("admitted", cpu="1")

    second = queue.submit(cpu="1")

    within("settle", lambda: queue.shows_counts(pending=1, admitted=1))
    always(lambda: second.is_prechecked().negate())

    first.finish()

    within("reserve", second.is_prechecked)
```

This file is made by `python -m kueue_conformance.session.nouns > docs/scenarios.md`.
"""


@dataclass(frozen=True, slots=True)
class NounMember:
    """One public method or property of a noun."""

    name: str
    kind: str
    call: str
    summary: str
    returns: str


def lines() -> Iterator[str]:
    """Yield the page: a table of fixtures, then the words of each noun by kind."""
    yield from _HEAD.splitlines()
    yield from ("", "## Fixtures", "", "| fixture | noun | what it is |", "|---|---|---|")
    yield from (
        f"| `{name}` | {_link(returns)} | {_cell(summary)} |" for name, returns, summary in fixture_rows()
    )
    for noun, owner in sorted(nouns().items()):
        yield from ("", f"## {noun}", "", _sentence(inspect.getdoc(owner) or ""))
        noun_words = list(words(owner))
        for kind in (_ACTS, _FACTS, _ANSWERS, _VALUES):
            rows = [word for word in noun_words if word.kind == kind]
            if rows:
                yield from ("", f"| {kind.lower()} | |", "|---|---|")
                yield from (f"| `{word.call}` | {_cell(word.summary)} |" for word in rows)


def fixture_rows() -> Iterator[tuple[str, str, str]]:
    """Yield name, return type and first sentence of each public fixture."""
    # By source: pytest wraps fixtures, and the wrapper hides name and annotation.
    for node in ast.parse(inspect.getsource(fixtures)).body:
        marks = {ast.unparse(mark) for mark in getattr(node, "decorator_list", ())}
        if isinstance(node, ast.FunctionDef) and "pytest.fixture" in marks:
            returns = ast.unparse(node.returns or ast.Constant(None))
            yield (
                node.name,
                # What a fixture yields is what a scenario gets.
                returns.removeprefix("Iterator[").removesuffix("]") if "Iterator" in returns else returns,
                _sentence(ast.get_docstring(node) or ""),
            )


@cache
def nouns() -> Mapping[str, type]:
    """Return the classes of the stage that a fixture, or a word of such a class, returns."""
    classes = _stage_classes()
    nouns_by_name: dict[str, type] = {}
    names = [name for _, returns, _ in fixture_rows() for name in _names(returns)]
    while names:
        name = names.pop()
        if name in classes and name not in nouns_by_name and name not in _NO_NOUNS:
            nouns_by_name[name] = classes[name]
            names += [other for word in words(classes[name]) for other in _names(word.returns)]
    return nouns_by_name


def words(owner: type) -> Iterator[NounMember]:
    """Yield the public words of a noun, those of its bases included, in alphabetical order."""
    for name in sorted(name for name in dir(owner) if not name.startswith("_")):
        # Static: getattr would call a property.
        member = inspect.getattr_static(owner, name)
        function = member.fget if isinstance(member, property) else member
        if isinstance(function, FunctionType):
            returns = str(function.__annotations__.get("return", ""))
            call = name if isinstance(member, property) else f"{name}({_arguments(function)})"
            summary = _sentence(inspect.getdoc(function) or "")
            kind = _VALUES if isinstance(member, property) else _kind(name, returns, summary)
            yield NounMember(name, kind, call, summary, returns)


def _kind(name: str, returns: str, summary: str) -> str:
    if name.partition("_")[0] in PREDICATES:
        return _FACTS
    if name.startswith("try_to_"):
        return _ANSWERS
    # By the summary, which stands in the table of its kind: one that says the wrong thing is seen there.
    return _VALUES if summary.startswith(_VALUE_SUMMARIES) and returns != "None" else _ACTS


def _arguments(function: FunctionType) -> str:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    optional = [
        f"{parameter.name}=…" for parameter in parameters if parameter.default is not inspect.Parameter.empty
    ]
    required = [
        (
            "*"
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL
            else "**"
            if parameter.kind is inspect.Parameter.VAR_KEYWORD
            else ""
        )
        + parameter.name
        for parameter in parameters
        if parameter.default is inspect.Parameter.empty
    ]
    return ", ".join([*required, *optional])


def _stage_classes() -> Mapping[str, type]:
    """Return the classes of the stage by name; a protocol gives way to a class of its name."""
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(stage.__path__, f"{stage.__name__}.")
    ]
    classes = [
        owner
        for module in modules
        for owner in vars(module).values()
        if inspect.isclass(owner) and owner.__module__ == module.__name__
    ]
    return {
        # The later of two with one name wins, so protocols are sorted to the front.
        owner.__name__: owner
        for owner in sorted(classes, key=lambda owner: not getattr(owner, "_is_protocol", False))
    }


def _names(annotation: str) -> list[str]:
    return re.findall(r"\w+", annotation)


def _link(returns: str) -> str:
    """Return the noun of a fixture, with a link to its words."""
    noun_names = [name for name in _names(returns) if name in nouns()]
    return f"[{noun_names[0]}](#{noun_names[0].lower()})" if noun_names else f"`{returns}`"


def _sentence(docstring: str) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join(docstring.split("\n\n", maxsplit=1)[0].split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201 - its output is the file
