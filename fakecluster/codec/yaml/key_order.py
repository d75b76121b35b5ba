"""The order of keys in YAML that Go writes:
numbers within keys by value, other signs before letters (FK-020).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cmp_to_key

_DIGITS = re.compile(r"\d*")


def in_go_order(keys: Iterable[str]) -> list[str]:
    """Return keys in order."""
    names = list(keys)
    # Field names are letters only, and then Go's order is the plain one.
    if all(map(str.isalpha, names)):
        return sorted(names)
    return sorted(names, key=cmp_to_key(_compare))


def _compare(first: str, second: str) -> int:
    index = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if index is None:
        return len(first) - len(second)
    ours, theirs = first[index], second[index]
    if ours.isalpha() or theirs.isalpha():
        both = ours.isalpha() and theirs.isalpha()
        return _sign(ours < theirs if both else theirs.isalpha())
    return _compare_signs(first, second, index)


def _compare_signs(first: str, second: str, index: int) -> int:
    """Compare from the first difference on, where neither key has a letter."""
    is_within_number = "0" in (first[index], second[index]) and _is_within_number(first, index)
    ours, theirs = (_DIGITS.match(key, index) for key in (first, second))
    assert ours is not None
    assert theirs is not None
    numbers = [_int64(f"{'1' if is_within_number else '0'}{match[0]}") for match in (ours, theirs)]
    if numbers[0] != numbers[1]:
        return _sign(numbers[0] < numbers[1])
    if ours.end() != theirs.end():
        return _sign(ours.end() < theirs.end())
    return _sign(first[index] < second[index])


def _is_within_number(key: str, index: int) -> bool:
    """Tell whether a digit other than 0 stands before, in the same number."""
    before = key[:index]
    return before[len(before.rstrip("0123456789")) :].strip("0") != ""


def _int64(digits: str) -> int:
    """Return a number as 64 bits hold it, which the last 64 decimal digits decide."""
    # Go computes the number in an int64 that goes over; 10**64 is a multiple of 2**64, so earlier digits do
    # not count.
    return (int(digits[-64:]) + 2**63) % 2**64 - 2**63


def _sign(is_less: bool) -> int:
    return -1 if is_less else 1
