"""A change within a body is made in place, one of what an import makes is not (N-04)."""

import functools
import sys
from types import ModuleType

import pytest

from . import swapping
from .swapping import Functions

SOURCE = """
from functools import lru_cache

LIMIT = 3


class Counted:
    most = 5

    def fits(self, number):
        return number <= self.most

    @property
    def least(self):
        return self.most - 1


def over(limit):
    def asked(number):
        return number > limit

    return asked


@lru_cache
def doubled(number):
    return number * 2


beyond = over(LIMIT)
"""


@pytest.fixture
def module(monkeypatch, tmp_path):
    """A module that has been imported, and what it is called."""
    module_type = ModuleType("swapped_here")
    monkeypatch.setitem(sys.modules, "swapped_here", module_type)
    monkeypatch.setattr(swapping, "path_of", lambda _: tmp_path / "swapped_here.py")
    exec(compile(SOURCE, str(tmp_path / "swapped_here.py"), "exec"), vars(module_type))
    return module_type


def exchange(old, new):
    assert old in SOURCE
    return Functions("swapped_here").exchange("swapped_here", SOURCE, SOURCE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "ask", "answer"),
    [
        ("number <= self.most", "number < self.most", lambda item: item.Counted().fits(5), False),
        ("self.most - 1", "self.most + 1", lambda item: item.Counted().least, 6),
    ],
    ids=["method", "property"],
)
def test_a_body_is_exchanged_in_place(module, old, new, ask, answer):
    assert ask(module) != answer

    assert exchange(old, new)
    assert ask(module) == answer


def test_a_function_that_is_held_elsewhere_has_the_new_body(module):
    partial = functools.partial(module.Counted.fits, module.Counted(), 5)

    exchange("number <= self.most", "number < self.most")
    assert partial() is False


def test_what_was_remembered_is_forgotten(module):
    assert module.doubled(2) == 4

    assert exchange("number * 2", "number * 3")
    assert module.doubled(2) == 6


@pytest.mark.parametrize(
    ("old", "new"),
    [("LIMIT = 3", "LIMIT = 4"), ("most = 5", "most = 6"), ("number > limit", "number >= limit")],
    ids=["constant", "field", "closure that was made at import"],
)
def test_what_the_import_makes_is_left_to_an_import(module, old, new):
    assert not exchange(old, new)
    assert (module.LIMIT, module.Counted.most, module.beyond(3)) == (3, 5, False)
