"""Quantities of resources: integers of nano units, written as Go writes them (FK-497, stack D13).

The family of the suffix stays with the value: `1024Mi` is written `1Gi`, `1000m` is `1`, `1.5` is `1500m`,
`1e3` stays an exponent. What is finer than nano is rounded away from zero, what is beyond int64 is capped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from . import numbers

Family = Literal["decimal", "binary", "exponent"]
NANO = 10**9
LARGEST = (2**63 - 1) * NANO
# Powers of ten and digits beyond this change nothing: the amount is capped or one nano
# anyway.
FARTHEST = 128
SHORT = 64
"""Characters of a text that is remembered."""
PATTERN = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"
DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
DECIMAL_SUFFIX = {power: suffix for suffix, power in DECIMAL.items()}
BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
BINARY_SUFFIX = ("", *BINARY)

_TEXT = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[KMGTPE]i)|[numkMGTPE]?|[eE][-+]?[0-9]+)", re.ASCII)
_GROSS = re.compile(PATTERN.replace("$", r"\Z"), re.ASCII)


class QuantityError(ValueError):
    """A text that is no quantity."""


@dataclass(frozen=True, slots=True, order=True)
class Quantity:
    """An amount in nano units and the family of suffixes it was written with."""

    nano: int
    family: Family = "decimal"

    @property
    def units(self) -> int:
        """Return whole units, rounded up."""
        # Kubernetes rounds up: half a unit needs a whole one.
        return -(-self.nano // NANO)

    @property
    def milli(self) -> int:
        """Return thousandths, rounded up."""
        return -(-self.nano // 1_000_000)

    def __str__(self) -> str:
        return _render(self.nano, self.family)


def parse(text: str) -> Quantity:
    """Read a quantity; raises QuantityError with Go's text when it is none."""
    return _remembered(text) if len(text) <= SHORT else _parse(text)


def _parse(text: str) -> Quantity:
    match = _TEXT.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise QuantityError(_complaint(text))
    sign, integer, fraction, suffix = match[1], match[2], match[3] or "", match[4]
    exponent, factor, family = _scale(suffix)
    digits, places = _read(integer, fraction)
    nano = min(_shift(digits * factor * NANO, exponent - places), LARGEST)
    return Quantity(-nano if sign == "-" else nano, family)


_remembered = lru_cache(maxsize=1 << 16)(_parse)


def _read(integer: str, fraction: str) -> tuple[int, int]:
    """Return the first digits as a number, and its decimal places; a last digit stands for all that are left
    out, which round up.

    Whole digits that are left out make an exponent, which is a negative number of places.
    """
    digits = (integer + fraction).lstrip("0")
    rest = digits[FARTHEST:]
    number = int(digits[:FARTHEST] or "0")
    return number + bool(rest.strip("0")), len(fraction) - len(rest)


def quantity(value: str | int | float) -> Quantity:
    """Read a quantity as it stands in JSON, text or number."""
    return parse(value if isinstance(value, str) else str(value))


def of_milli(milli: int) -> str:
    """Write thousandths canonically."""
    return _render(milli * 1_000_000, "decimal")


def of_units(units: int, family: Family = "decimal") -> str:
    """Write whole units canonically."""
    return _render(units * NANO, family)


def _complaint(text: str) -> str:
    if not _GROSS.match(text):
        return f"quantities must match the regular expression '{PATTERN}'"
    return "unable to parse quantity's suffix"


def _scale(suffix: str) -> tuple[int, int, Family]:
    """Return power of ten, factor and family of a suffix."""
    if suffix in BINARY:
        return 0, 1 << BINARY[suffix], "binary"
    if suffix in DECIMAL:
        return DECIMAL[suffix], 1, "decimal"
    exponent = numbers.parse_int64(suffix[1:])
    if (
        exponent is None
    ):  # Go refuses one beyond 64 bits; here nothing that the API server lets through is refused
        return -FARTHEST if "-" in suffix else FARTHEST, 1, "exponent"
    return numbers.of_32_bits(exponent), 1, "exponent"


def _shift(number: int, exponent: int) -> int:
    """Multiply by a power of ten; a remainder rounds up."""
    if exponent >= 0:
        return number * int(10 ** min(exponent, FARTHEST))
    return -(-number // int(10 ** min(-exponent, FARTHEST)))


@lru_cache(maxsize=1 << 16)
def _render(nano: int, family: Family) -> str:
    if nano == 0:
        return "0"
    if family == "binary" and abs(nano) >= 1024 * NANO and nano % NANO == 0:
        return _binary(nano // NANO)
    number, exponent = _mantissa(nano)
    if family == "exponent":
        return f"{number}e{exponent}" if exponent else str(number)
    return f"{number}{DECIMAL_SUFFIX[exponent]}"


def _mantissa(nano: int) -> tuple[int, int]:
    """Return number and exponent, the exponent a multiple of three and as large as it can be."""
    exponent = -9
    while nano % 1000 == 0 and exponent < 18:
        nano //= 1000
        exponent += 3
    return nano, exponent


def _binary(units: int) -> str:
    power = 0
    while units % 1024 == 0 and power < len(BINARY_SUFFIX) - 1:
        units //= 1024
        power += 1
    return f"{units}{BINARY_SUFFIX[power]}"
