"""One Python file: what its names, docstrings and lines have that the project does not want."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
VAGUE: Mapping[str, str] = WORDS["vague"]
PARTICIPLES = frozenset(WORDS["participles"]["words"])
VERBS_IN_ED = frozenset(WORDS["participles"]["verbs_in_ed"])
PREDICATE = re.compile(r"(is|are|has|have|was|were|may|can|does|shows)_")
CIRCLING = re.compile(
    r"\b([Ww]hoever|[Nn]obody|[Ss]omebody|[Ww]hat is (?:there|no more|left)|as (?:it|they) (?:is|are)|[Tt]ells? of)\b"
)
LINE_LENGTH = 110

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Measure(StrEnum):
    """What is measured, by the name that `limits.toml` gives it."""

    VAGUE_NAMES = "vague_names"
    PARTICIPLES = "participle_functions"
    ACTING_PREDICATES = "acting_predicates"
    CIRCLING_DOCSTRINGS = "circling_docstrings"
    COMMENT_LINES = "comment_lines"
    SMALL_MODULES = "small_modules"
    JSON_ALIASES = "json_aliases"
    FORMATTER_SKIPS = "formatter_skips"
    LONG_LINES = "long_lines"
    LOOSE_FILES = "loose_files"


@dataclass(frozen=True)
class Finding:
    """A line of a file that counts against a limit, and what to write instead."""

    path: str
    line: int
    measure: Measure
    subject: str
    advice: str

    def __str__(self) -> str:
        """Return the line that a reader clicks on."""
        return f"{self.path}:{self.line}: {self.subject}: {self.advice}"


@dataclass(frozen=True)
class Source:
    """A file of the checkout, with the nodes of its syntax tree."""

    path: str
    text: str
    nodes: Sequence[ast.AST]

    @classmethod
    def parse(cls, path: str, text: str) -> Source:
        """Read the syntax of a file; raises SyntaxError where it is not Python."""
        # Walked once: thousands of files are looked at from several sides.
        return cls(path, text, tuple(ast.walk(ast.parse(text, path))))

    @property
    def package(self) -> str:
        """The line of the table that the file belongs to: `fakecluster`, or `fakecluster tests`."""
        folders = self.path.split("/")
        return f"{package_of(self.path)} tests" if "tests" in folders else package_of(self.path)

    @property
    def module(self) -> str:
        """The dotted name under which the file is imported."""
        return self.path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    def find(self) -> Iterator[Finding]:
        """Yield everything in the file that counts against a limit, in the order of the measures."""
        for node in self.nodes:
            yield from self._find_in_node(node)
        yield from self._find_in_lines()

    def count(self) -> Counter[str]:
        """Count what the shares are taken of: names, functions, lines and lines of comment."""
        lines = self.text.splitlines()
        return Counter(
            names=sum(1 for node in self.nodes if _name_of_value(node)),
            functions=sum(1 for node in self.nodes if isinstance(node, Function)),
            lines=len(lines),
            comments=sum(1 for line in lines if line.lstrip().startswith("#")),
        )

    def _find_in_node(self, node: ast.AST) -> Iterator[Finding]:
        if (name := _name_of_value(node)) and (advice := VAGUE.get(name.strip("_"))):
            yield self._finding(node, Measure.VAGUE_NAMES, f"{name!r} names nothing", f"say {advice}")
        if isinstance(node, Function):
            yield from self._find_in_function(node)
        if isinstance(node, ast.Module | ast.ClassDef | Function):
            first_line = (ast.get_docstring(node) or "").partition("\n")[0]
            if match := CIRCLING.search(first_line):
                advice = "name the thing, then say what it does"
                yield self._finding(
                    node, Measure.CIRCLING_DOCSTRINGS, f"the docstring says {match[0]!r}", advice
                )
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_json_alias(node):
            advice = "import the alias of the package"
            yield self._finding(node, Measure.JSON_ALIASES, "another alias of JSON", advice)

    def _find_in_function(self, node: Function) -> Iterator[Finding]:
        first_word = node.name.strip("_").partition("_")[0]
        if _is_participle(first_word):
            advice = f"begin with a verb in place of {first_word!r}; a value or a property is a noun, a boolean a question"
            yield self._finding(node, Measure.PARTICIPLES, f"{node.name}()", advice)
        returns_none = isinstance(node.returns, ast.Constant) and node.returns.value is None
        if returns_none and PREDICATE.match(node.name):
            advice = "a question returns its answer; what acts is an imperative (`set_quota`, `answer`)"
            yield self._finding(node, Measure.ACTING_PREDICATES, f"{node.name}() returns None", advice)

    def _find_in_lines(self) -> Iterator[Finding]:
        lines = self.text.splitlines()
        has_long_lines = any(len(line) > LINE_LENGTH for line in lines)
        exempt = _lines_of_data(self.nodes) if has_long_lines else set()
        for number, line in enumerate(lines, start=1):
            if line.rstrip().endswith("# fmt: skip") or line.strip() == "# fmt: off":
                advice = "let the formatter wrap it; only a table of data stays as it is typed"
                yield Finding(self.path, number, Measure.FORMATTER_SKIPS, "kept from the formatter", advice)
            if len(line) > LINE_LENGTH and number not in exempt:
                advice = f"wrap it at {LINE_LENGTH}"
                yield Finding(self.path, number, Measure.LONG_LINES, f"{len(line)} columns", advice)

    def _finding(self, node: ast.AST, measure: Measure, subject: str, advice: str) -> Finding:
        return Finding(self.path, getattr(node, "lineno", 1), measure, subject, advice)


def package_of(path: str) -> str:
    """Return the folder of the checkout in which a file lies; a module at the top stands for itself."""
    return path.partition("/")[0].removesuffix(".py")


def _name_of_value(node: ast.AST) -> str | None:
    """Return the name that a node gives to a value: a variable or a parameter."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.arg if isinstance(node, ast.arg) else None


def _is_participle(word: str) -> bool:
    return word in PARTICIPLES or (word.endswith("ed") and word not in VERBS_IN_ED)


def _is_json_alias(node: ast.Assign | ast.AnnAssign) -> bool:
    """Return whether the statement is `Json = Any` in one of its spellings."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    is_named_json = any(isinstance(target, ast.Name) and target.id.lower() == "json" for target in targets)
    return is_named_json and isinstance(node.value, ast.Name) and node.value.id == "Any"


def _lines_of_data(nodes: Sequence[ast.AST]) -> set[int]:
    """Return the numbers of the lines that may be long: tables of data, and texts that stay whole.

    A table is a collection or a call that a module or class assigns, the arguments of a decorator (cases of
    a parametrization), or a text over several lines. A text of a server or a title stays on one line, so that
    a search for its words finds it; the prose of a docstring does not.
    """
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr) and _is_text(node.value)}
    rows: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, TABLES):
                    rows.update(_lines_of(statement))
        if isinstance(node, ast.ClassDef | Function):
            for decorator in node.decorator_list:
                rows.update(_lines_of(decorator))
        if isinstance(node, ast.expr) and _is_text(node) and id(node) not in docstrings and _is_long(node):
            rows.update(_lines_of(node))
    return rows


TABLES = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.Call)
WHOLE_TEXT_LENGTH = 60
"""Columns: a shorter text is no reason for a long line, since the code beside it can be wrapped."""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def _is_long(node: ast.expr) -> bool:
    spans_lines = node.lineno != node.end_lineno
    return spans_lines or (node.end_col_offset or 0) - node.col_offset >= WHOLE_TEXT_LENGTH


def _lines_of(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
