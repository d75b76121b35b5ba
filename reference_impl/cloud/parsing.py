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
from .actions import METHODS, FailureAction
from .failures import FailureRule
from .groups import NodeGroupSpec

T = TypeVar("T")
ACTIONS: Final[Mapping[str, type[FailureAction]]] = {
    "reject": actions.Reject,
    "create_error": actions.CreateError,
    "away": actions.Unavailable,
    "hang": actions.Hang,
    "stockout": actions.Stockout,
    "partial_error": actions.PartialError,
    "slow": actions.Slow,
    "never_register": actions.NeverRegister,
    "register_not_ready": actions.RegisterNotReady,
    "vanish": actions.Vanish,
    "lie": actions.WrongCount,
}
WORDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "object": "a mapping",
    "array": "a list",
}
QUANTITIES: Final = frozenset({"cpu", "memory"})
AMOUNTS: Final = frozenset({"resources", "allocatable"})


class CloudFileError(ValueError):
    """Data that is no cloud: the text names the place, the value, and what was expected."""


@dataclass(frozen=True, slots=True)
class CloudFile:
    """What a file may say of a cloud."""

    groups: Sequence[NodeGroupSpec] = ()
    failures: Sequence[FailureRule] = ()


def cloud_of(text: str) -> CloudFile:
    """Read the YAML of a file with `groups` and `failures`. Raises ReadError."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise CloudFileError(f"no YAML: {' '.join(str(error).split())}") from None
    sections = check_keys(data, ("groups", "failures"), "the file")
    groups = _list(sections.get("groups"), "groups", group_of)
    ids = [group.id for group in groups]
    twice = next((group_id for group_id in ids if ids.count(group_id) > 1), None)
    if twice:
        raise CloudFileError(f"groups has {twice!r} twice: expected ids that differ")
    return CloudFile(groups, _list(sections.get("failures"), "failures", rule_of))


def group_of(data: Json, where: str = "group") -> NodeGroupSpec:
    """Read one group. Raises ReadError."""
    quantities = dict(_mapping(data, where))
    for name in QUANTITIES.intersection(quantities):
        quantities[name] = _quantity(quantities[name])
    for name in AMOUNTS.intersection(quantities):
        quantities[name] = {
            key: _quantity(quantity)
            for key, quantity in _mapping(quantities[name], f"{where}.{name}").items()
        }
    return _built(NodeGroupSpec, quantities, where)


def rule_of(data: Json, where: str = "rule") -> FailureRule:
    """Read one rule: the name of its action, the fields of the action, and when it is taken.

    Raises ReadError.
    """
    section = dict(_mapping(data, where))
    name = section.pop("action", None)
    if name not in ACTIONS:
        raise CloudFileError(f"{where}.action is {name!r}: expected {_near(str(name), ACTIONS)}")
    kind = ACTIONS[name]
    keys = {field.name for field in fields(FailureRule)} - {"action"}
    own = {field.name for field in fields(kind)}
    check_keys(section, (*own, *keys), where)
    action = _built(kind, {key: value for key, value in section.items() if key in own}, where)
    return _built(
        FailureRule, {key: value for key, value in section.items() if key in keys}, where, action=action
    )


def _built(kind: Callable[..., T], values: Mapping[str, Any], where: str, **extra: Any) -> T:
    hints = get_type_hints(kind)
    names = [name for name in hints if not name.startswith("_")]
    for name, value in check_keys(values, names, where).items():
        try:
            msgspec.convert(value, hints[name])
        except msgspec.ValidationError as error:
            raise CloudFileError(f"{where}.{name} is {value!r}: expected {_words(error)}") from None
    missing = _missing(kind, {*values, *extra})
    if missing:
        raise CloudFileError(f"{where} has no {missing}: expected it")
    try:
        return kind(**values, **extra)
    except ValueError as error:
        raise CloudFileError(f"{where}.{error}") from None


def _words(error: msgspec.ValidationError) -> str:
    """Return what was expected in the words of a reader who knows no types."""
    match = re.match("Expected `(.*?)(?: \\| null)?`", str(error))
    return WORDS.get(match[1], match[1]) if match else f"one of {', '.join(sorted(METHODS))}"


def _missing(kind: Any, values: Collection[str]) -> str:
    """Return the first field that must be given and is not, empty where there is none."""
    needed = (
        field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING
    )
    return next((name for name in needed if name not in values), "")


def _list(data: Json, where: str, read: Callable[[Json, str], T]) -> Sequence[T]:
    if data is None:
        return ()
    if not isinstance(data, list):
        raise CloudFileError(f"{where} is {data!r}: expected a list")
    return [read(item, f"{where}[{index}]") for index, item in enumerate(data)]


def _mapping(data: Json, where: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise CloudFileError(f"{where} is {data!r}: expected a mapping")
    return data


def check_keys(data: Json, keys: Collection[str], where: str) -> Mapping[str, Any]:
    """Return data that is a mapping with known names only. Raises ReadError."""
    for name in _mapping(data, where):
        if name not in keys:
            raise CloudFileError(f"{where} has {name!r}: expected {_near(str(name), keys)}")
    return _mapping(data, where)


def _near(name: str, keys: Collection[str]) -> str:
    near = difflib.get_close_matches(name, keys, n=1)
    return f"{near[0]!r}" if near else f"one of {', '.join(sorted(keys))}"


def _quantity(value: Json) -> Json:
    """Return an amount as text: YAML reads `cpu: 4` as a number."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
