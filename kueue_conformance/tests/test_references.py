"""Modules and names that docstrings, comments and documents refer to: they move, and prose stays behind."""

import ast
import io
import re
import tokenize
from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import pytest

from .checkout import PACKAGES, ROOT, files, path_as_id

REFERENCE = re.compile(r"`([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)`")
"""A name in backticks, dotted or not; with capitals it is a field of an object of Kubernetes."""
PATH = re.compile(rf"\b(?:{'|'.join(PACKAGES)})(?:\.[a-z_]\w*)+\b(?!\.\w|/|\()")
pytestmark = pytest.mark.slow
FIELDS = frozenset({"spec", "status", "metadata"})
GROUPS_AND_FILES = ("k8s.io", ".crt", ".go", ".gz", ".jsonl", ".py", ".svg", ".toml")
"""How names end that are groups of the API, or data files."""
OF_OTHERS = frozenset({"update_params_for_auth"})
"""Functions of libraries that nothing here calls."""
OF_THE_WHEEL = frozenset({"kueue_conformance.suites"})
"""Where the wheel has what is a package of its own here."""


@dataclass(frozen=True)
class File:
    """The names of a Python file, the words of its texts, and the prose of its docstrings and comments."""

    names: frozenset[str]
    words: frozenset[str]
    prose: tuple[str, ...]

    @classmethod
    def read(cls, path):
        source = path.read_text("utf-8")
        nodes = [*ast.walk(ast.parse(source))]
        prose = {
            id(node.value): str(node.value.value)
            for node in nodes
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        fields = ("name", "id", "attr", "arg", "asname", "module")
        names = {name for node in nodes for field in fields if (name := getattr(node, field, None))}
        texts = [
            node.value
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        ]
        words = {word for text in [*names, *texts] for word in re.findall(r"\w+", text)}
        return cls(frozenset(names), frozenset(words), (*prose.values(), *comments_of(source)))


def comments_of(source):
    if "#" not in source:
        return []  # most files: the tokenizer of the standard library is slow
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


@cache
def python_files():
    """Return the Python files of the packages and their tests, by their dotted names."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): File.read(path)
        for path in files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in PACKAGES
    }


@cache
def definitions():
    """Return the names that each module has in it, by its dotted name; those of folders as well."""
    names = {module: file.names for module, file in python_files().items()}
    folders = {module.rsplit(".", depth)[0] for module in names for depth in range(1, module.count(".") + 1)}
    return {**dict.fromkeys(folders, frozenset()), **names}


@cache
def modules_by_ending():
    """Return the dotted names of modules by how they end: `patch.json` and `json` are names of one module."""
    endings = defaultdict(list)
    for module in definitions():
        words = module.split(".")
        for index in range(len(words)):
            endings[".".join(words[index:])].append(module)
    return endings


@cache
def words_of_code():
    """Return every word of the Python files outside docstrings."""
    words = set().union(*(file.words for file in python_files().values()))
    return words | {word for module in python_files() for word in module.split(".")}


def resolves(reference):
    """Return whether a dotted name is a module, or what a module has."""
    words = reference.split(".")
    if reference in modules_by_ending() or reference in OF_THE_WHEEL or reference.endswith(GROUPS_AND_FILES):
        return True
    return any(
        all(word in definitions()[module] for word in words[end:])
        for end in range(1, len(words))
        for module in modules_by_ending().get(".".join(words[:end]), ())
    )


def is_missing(reference):
    first, dot, _ = reference.partition(".")
    if reference.endswith(GROUPS_AND_FILES) or first in FIELDS:
        return False
    if dot:
        return first in modules_by_ending() and not resolves(reference)
    return "_" in reference and reference not in words_of_code() | OF_OTHERS


def test_docstrings_and_comments_refer_to_modules_and_names_that_exist():
    missing = {
        (module, reference)
        for module, file in python_files().items()
        for text in file.prose
        for reference in REFERENCE.findall(text)
        if is_missing(reference)
    }

    assert missing == set()


def test_docstrings_and_comments_name_paths_that_exist():
    missing = {
        (module, path)
        for module, file in python_files().items()
        for text in file.prose
        for path in PATH.findall(text)
        if not resolves(path)
    }

    assert missing == set()


@pytest.mark.parametrize(
    ("source", "comments"),
    [
        pytest.param("x = 1  # in `store.commit`\n", ["# in `store.commit`"], id="comment"),
        pytest.param("x = '# no comment'\n", [], id="text"),
    ],
)
def test_comments(source, comments):
    assert comments_of(source) == comments


def test_documents_refer_to_modules_that_exist():
    missing = {
        (path_as_id(path), reference)
        for path in files()
        if path.suffix in {".md", ".yaml", ".toml"}
        for reference in PATH.findall(path.read_text("utf-8"))
        if not resolves(reference)
    }

    assert missing == set()


@pytest.mark.parametrize(
    ("reference", "missing"),
    [
        ("patch.json", False),
        ("fakecluster.store", False),
        ("store.commit", False),
        ("server.turns", True),
        ("fakecluster.turns", True),
        ("never" + "_defined", True),
        ("words_of_code", False),
        ("status.conditions", False),
        ("node.k8s.io", False),
    ],
)
def test_missing_reference(reference, missing):
    assert is_missing(reference) == missing
