"""Groups and failure rules as data: of a YAML file, or of a request to a cloud that runs."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, TypeVar, get_type_hints

import msgspec
import yaml

from reference_impl.api.resource import Json

from . import actions
from .actions import METHODS, Action
from .failures import FailureRule
from .groups import GroupSpec

T = TypeVar("T")
ACTIONS: Final[Mapping[str, type[Action]]] = {
    "reject": actions.Reject,
    "create_error": actions.CreateError,
    "away": actions.Away,
    "hang": actions.Hang,
    "stockout": actions.Stockout,
    "partial_error": actions.PartialError,
    "slow": actions.Slow,
    "never_register": actions.NeverRegister,
    "register_not_ready": actions.RegisterNotReady,
    "vanish": actions.Vanish,
    "lie": actions.Lie,
}
WORDS: Final = {
    "int": "a whole number", "float": "a number", "str": "text", "bool": "true or false",
    "object": "a mapping", "array": "a list",
}  # fmt: skip
QUANTITIES: Final = frozenset({"cpu", "memory"})
AMOUNTS: Final = frozenset({"resources", "allocatable"})


class ReadError(ValueError):
    """Data that is no cloud: the text names the place, the value, and what was expected."""


@dataclass(frozen=True, slots=True)
class CloudFile:
    """What a file may say of a cloud."""

    groups: Sequence[GroupSpec] = ()
    failures: Sequence[FailureRule] = ()


def cloud_of(text: str) -> CloudFile:
    """Read the YAML of a file with `groups` and `failures`. Raises ReadError."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ReadError(f"no YAML: {' '.join(str(error).split())}") from None
    found = checked(data, ("groups", "failures"), "the file")
    groups = _list(found.get("groups"), "groups", group_of)
    ids = [each.id for each in groups]
    twice = next((each for each in ids if ids.count(each) > 1), None)
    if twice:
        raise ReadError(f"groups has {twice!r} twice: expected ids that differ")
    return CloudFile(groups, _list(found.get("failures"), "failures", rule_of))


def group_of(data: Json, where: str = "group") -> GroupSpec:
    """Read one group. Raises ReadError."""
    given = dict(_mapping(data, where))
    for name in QUANTITIES.intersection(given):
        given[name] = _quantity(given[name])
    for name in AMOUNTS.intersection(given):
        given[name] = {key: _quantity(each) for key, each in _mapping(given[name], f"{where}.{name}").items()}
    return _built(GroupSpec, given, where)


def rule_of(data: Json, where: str = "rule") -> FailureRule:
    """Read one rule: the name of its action, the fields of the action, and when it is taken.

    Raises ReadError.
    """
    given = dict(_mapping(data, where))
    name = given.pop("action", None)
    if name not in ACTIONS:
        raise ReadError(f"{where}.action is {name!r}: expected {_near(str(name), ACTIONS)}")
    kind = ACTIONS[name]
    keys = {each.name for each in fields(FailureRule)} - {"action"}
    own = {each.name for each in fields(kind)}
    checked(given, (*own, *keys), where)
    action = _built(kind, {key: value for key, value in given.items() if key in own}, where)
    return _built(
        FailureRule, {key: value for key, value in given.items() if key in keys}, where, action=action
    )


def _built(kind: Callable[..., T], given: Mapping[str, Any], where: str, **more: Any) -> T:
    hints = get_type_hints(kind)
    names = [name for name in hints if not name.startswith("_")]
    for name, value in checked(given, names, where).items():
        try:
            msgspec.convert(value, hints[name])
        except msgspec.ValidationError as error:
            raise ReadError(f"{where}.{name} is {value!r}: expected {_words(error)}") from None
    missing = _missing(kind, {*given, *more})
    if missing:
        raise ReadError(f"{where} has no {missing}: expected it")
    try:
        return kind(**given, **more)
    except ValueError as error:
        raise ReadError(f"{where}.{error}") from None


def _words(error: msgspec.ValidationError) -> str:
    """Return what was expected in the words of a reader who knows no types."""
    found = re.match("Expected `(.*?)(?: \\| null)?`", str(error))
    return WORDS.get(found[1], found[1]) if found else f"one of {', '.join(sorted(METHODS))}"


def _missing(kind: Any, given: Collection[str]) -> str:
    """Return the first field that must be given and is not, empty where there is none."""
    needed = (
        each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING
    )
    return next((name for name in needed if name not in given), "")


def _list(data: Json, where: str, read: Callable[[Json, str], T]) -> Sequence[T]:
    if data is None:
        return ()
    if not isinstance(data, list):
        raise ReadError(f"{where} is {data!r}: expected a list")
    return [read(each, f"{where}[{index}]") for index, each in enumerate(data)]


def _mapping(data: Json, where: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise ReadError(f"{where} is {data!r}: expected a mapping")
    return data


def checked(data: Json, known: Collection[str], where: str) -> Mapping[str, Any]:
    """Return data that is a mapping with known names only. Raises ReadError."""
    for name in _mapping(data, where):
        if name not in known:
            raise ReadError(f"{where} has {name!r}: expected {_near(str(name), known)}")
    return _mapping(data, where)


def _near(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"{near[0]!r}" if near else f"one of {', '.join(sorted(known))}"


def _quantity(value: Json) -> Json:
    """Return an amount as text: YAML reads `cpu: 4` as a number."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
