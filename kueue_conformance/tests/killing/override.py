"""One decision of the reference replaced by another, wherever the reference uses it.

A decision is a function, a method or a constant. Where a dialect has it as a member, alone or within an
order, it is replaced there, as defects are; a function that is called by its name is replaced in every module
that knows it, and in every order of rules there.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, partial, update_wrapper
from inspect import signature
from typing import Any
from unittest.mock import patch

import reference_impl
from reference_impl.autoscaler import dialects as autoscaler_dialects
from reference_impl.kueue import composition

_PACKAGE = "reference_impl"
_NO_PART = (".tests", ".__main__")


@dataclass(frozen=True, slots=True)
class Override:
    """Where a decision lives (a module or a class), its name there,
    and what makes the wrong one of the right one.
    """

    owner: Any
    name: str
    make: Callable[[Any], Any]

    @property
    def package(self) -> str:
        """The package of the reference in which the decision lives, such as `quota`; empty outside of one."""
        return self.module.removeprefix(f"{_PACKAGE}.").partition(".")[0]

    @property
    def module(self) -> str:
        """The module in which the decision lives."""
        return str(getattr(self.owner, "__module__", None) or self.owner.__name__)

    @contextmanager
    def install(self) -> Iterator[None]:
        """Have the reference decide wrongly."""
        _load()
        with _forget_decisions(self.module), self._replace():
            yield

    @contextmanager
    def _replace(self) -> Iterator[None]:
        placed = vars(self.owner)[self.name]
        right = placed.fget if isinstance(placed, property) else getattr(placed, "__func__", placed)
        wrong = self.make(right)
        with ExitStack() as patches:
            replacement = (
                type(placed)(wrong) if isinstance(placed, property | classmethod | staticmethod) else wrong
            )
            patches.enter_context(patch.object(self.owner, self.name, replacement))
            if callable(right):
                for module, name in _places(right):
                    patches.enter_context(patch.object(module, name, wrong))
                for module, name, order in _orders(right):
                    patches.enter_context(patch.object(module, name, _swap(order, right, wrong)))
                patches.enter_context(patch.object(composition, "dialect_of", _lying(right, wrong)))
                patches.enter_context(patch.object(autoscaler_dialects, "dialect", _autoscaler(right, wrong)))
            yield


@contextmanager
def _forget_decisions(module: str) -> Iterator[None]:
    """Have nothing remembered that was made by a decision about the API, neither the right one nor afterwards
    the wrong one.
    """
    remembers = _remembering() if f"{module}.".startswith(f"{_PACKAGE}.api.") else []
    for remember in remembers:
        remember.cache_clear()
    try:
        yield
    finally:
        for remember in remembers:
            remember.cache_clear()


@cache
def _remembering() -> list[Any]:
    """Return the functions of the reference that remember what they have returned."""
    modules = [
        module for name, module in [*sys.modules.items()] if name.partition(".")[0] == _PACKAGE and module
    ]
    result = {
        id(value): value
        for module in modules
        for value in vars(module).values()
        if hasattr(value, "cache_clear")
    }
    return [*result.values()]


@cache
def _load() -> None:
    """Import all of the reference: a module that is imported while a decision is replaced would keep the
    wrong one for ever.
    """
    for walk_package in pkgutil.walk_packages(reference_impl.__path__, f"{_PACKAGE}."):
        if not any(piece in walk_package.name for piece in _NO_PART):
            importlib.import_module(walk_package.name)
    _decision_names()


Names = Mapping[int, Sequence[tuple[Any, str]]]
"""Modules with a name in them, by the identity of what the name stands for."""


def _places(right: Any) -> list[tuple[Any, str]]:
    places, _ = _decision_names()
    return [
        (module, name) for module, name in places.get(id(right), ()) if getattr(module, name, None) is right
    ]


def _orders(right: Any) -> list[tuple[Any, str, tuple[Any, ...]]]:
    _, orders = _decision_names()
    return [(module, name, getattr(module, name)) for module, name in orders.get(id(right), ())]


@cache
def _decision_names() -> tuple[Names, Names]:
    """Return where each function of the reference is known, and each order of rules that it is in."""
    places, orders = (
        defaultdict[int, list[tuple[Any, str]]](list),
        defaultdict[int, list[tuple[Any, str]]](list),
    )
    for module in [
        module for name, module in [*sys.modules.items()] if name.partition(".")[0] == _PACKAGE and module
    ]:
        for name, value in vars(module).items():
            if callable(value):
                places[id(value)].append((module, name))
            elif isinstance(value, tuple):
                for identifier in {id(item) for item in value if callable(item)}:
                    orders[identifier].append((module, name))
    return places, orders


def _lying(right: Any, wrong: Any) -> Callable[[Any], Any]:
    dialect_of = composition.dialect_of
    return lambda config: _swap(dialect_of(config), right, wrong)


def _autoscaler(right: Any, wrong: Any) -> Callable[[str], Any]:
    dialect = autoscaler_dialects.dialect
    return lambda name: _swap(dialect(name), right, wrong)


def _swap(value: Any, right: Any, wrong: Any) -> Any:
    """Return a value of a dialect in which one function stands for another."""
    if value is right:
        return wrong
    if isinstance(value, tuple):
        return tuple(_swap(item, right, wrong) for item in value)
    if isinstance(value, partial) and value.func is right:
        return partial(wrong, *value.args, **value.keywords)
    if is_dataclass(value) and not isinstance(value, type):
        members = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {name: _swap(member, right, wrong) for name, member in members.items()}
        return value if all(changed[name] is members[name] for name in members) else replace(value, **changed)
    return value


def wrap(wrong: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return a maker of the function that hands the right
    decision to the wrong one, in front of its arguments.

    The maker raises TypeError where the wrong one does not take what the right one takes: it would break at
    its first call, and not decide wrongly.
    """

    def make(right: Any) -> Any:
        _check_arguments(wrong, right)

        def decides(*args: Any, **kwargs: Any) -> Any:
            return wrong(right, *args, **kwargs)

        return update_wrapper(decides, right)

    return make


def _check_arguments(wrong: Callable[..., Any], right: Callable[..., Any]) -> None:
    try:
        parameters = signature(right).parameters.values()
    except ValueError:  # what is written in C does not tell
        return
    plain = [item for item in parameters if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)]
    named = [named_item.name for named_item in parameters if named_item.kind is named_item.KEYWORD_ONLY]
    try:
        signature(wrong).bind(right, *plain, **dict.fromkeys(named))
    except TypeError as why:
        raise TypeError(f"{wrong.__name__}: {why}; {right.__qualname__} takes {signature(right)}") from why
