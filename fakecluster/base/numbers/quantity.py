"""Resource quantities as Kubernetes reads and writes them: `1000m` is `1`, `1024Mi` is `1Gi` (FK-497).

An amount keeps its power of ten: `1e1000000` is never written out. Few digits are kept as they were written
where that is canonical already or where Go takes it for that; an exponent counts in 32 bits and wraps around.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_UP, Context, Decimal
from functools import reduce
from typing import Literal

from msgspec import Struct

from ..caching import cache_short_texts
from .integers import NumberError, parse_int

Format = Literal["decimal", "exponent", "binary"]
# Nothing is given back: digits that the last part could take as well would be tried at every place.
QUANTITY = re.compile(r"([+-]?)([0-9]*+)(?:\.([0-9]*+))?([eEinumkKMGTP]*+[-+]?[0-9]*+)")
DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
DECIMAL_SUFFIX = {exponent: suffix for suffix, exponent in DECIMAL.items()}
BINARY_SUFFIX = {0: "", **{exponent: suffix for suffix, exponent in BINARY.items()}}
NANO, MILLI = -9, -3
"""Powers of ten."""
LARGEST_BINARY = Decimal(2**63 - 1)
INT64_DIGITS = 18
"""Digits that surely fit 64 bits; such amounts keep their text."""
WRAPPING_POWERS = frozenset({0, 1, 2, 3, 6, 9})
"""Powers of ten by which Go multiplies few digits at once; by others it does step by step, and sees when they
do not fit any more.
"""
INT64_BINARY_DIGITS = 14
"""As many before a suffix of powers of two, which takes some of them."""
RATIO_DIGITS = 40
SUM_DIGITS = 10_000
"""Digits of a sum; what is beyond them is rounded up."""
MAX_BINARY_DIGITS = 1_000
"""Digits of the longest amount that is written with powers of two; real ones have 19 at most."""


class QuantityError(ValueError):
    """A text is not a quantity; the message is the API server's."""


class Quantity(Struct, frozen=True):
    """An amount, the family of suffixes in which it is written, and its text where that is kept."""

    amount: Decimal
    format: Format = "decimal"
    written: str = ""

    @classmethod
    def of(cls, text: str) -> Quantity:
        """Parse a quantity; a fraction below a billionth rounds away from zero. Raises QuantityError."""
        return _parsed(text)

    def round_to_milli(self) -> Quantity:
        """Return the next multiple of a thousandth away from zero."""
        if _exponent(self.amount) >= MILLI:
            return self
        return Quantity(_round_up(self.amount, MILLI), self.format)

    def plus(self, other: Quantity) -> Quantity:
        """Return the sum; it is written as the first amount is that is not zero."""
        # As Go's Add: the format of a zero gives way to that of the other.
        if not self.amount:
            return Quantity(other.amount, other.format)
        return Quantity(_SUMS.add(self.amount, other.amount), self.format)

    def minus(self, other: Quantity) -> Quantity:
        """Return the difference, written as this amount is."""
        return Quantity(_SUMS.subtract(self.amount, other.amount), self.format)

    def over(self, other: Quantity) -> Decimal:
        """Return how many times another amount this one is."""
        return _RATIOS.divide(self.amount, other.amount)

    @property
    def is_whole(self) -> bool:
        """Whether it has no fraction, judged by its thousandths in 64 bits:
        what is above them is lost, as in Go's MilliValue.
        """
        # In 64 bits, as MilliValue has them: what is beyond wraps around.
        digits = _digits(self.amount)
        shift = self.amount.adjusted() - len(digits) + 1 - MILLI
        thousandths = int(Decimal(digits)) * pow(10, max(shift, 0), 2**64) // 10 ** max(-shift, 0)
        if len(digits) <= INT64_DIGITS and shift not in WRAPPING_POWERS:
            return shift > 0 or thousandths % 1000 == 0
        return _to_signed(thousandths % 2**64) % 1000 == 0

    def __str__(self) -> str:
        if not self.amount:
            # Zero has no suffix, whatever it was written with.
            return "0"
        return self.written or (_in_twos(int(self.amount)) if self._counts_in_twos() else self._in_tens())

    def _counts_in_twos(self) -> bool:
        # Below 1024 powers of two are written in tens.
        unsuited = self.amount.copy_abs() < 1024 or self.amount.adjusted() > MAX_BINARY_DIGITS
        return self.format == "binary" and not unsuited and self.amount == self.amount.to_integral_value()

    def _in_tens(self) -> str:
        sign = "-" if self.amount < 0 else ""
        plain = _digits(self.amount).rstrip("0")
        # Zeros at the end go into the suffix, so far as this is a multiple of three.
        exponent = self.amount.adjusted() - len(plain) + 1
        number = f"{sign}{plain}{'0' * (exponent % 3)}"
        exponent -= exponent % 3
        if self.format == "exponent":
            return f"{number}e{exponent}" if exponent else number
        return (
            f"{number}{DECIMAL_SUFFIX.get(exponent, '')}"  # what is beyond E loses its suffix, in Go as well
        )


_SUMS = Context(prec=SUM_DIGITS, rounding=ROUND_UP, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_RATIOS = Context(prec=RATIO_DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX)


# What writes a pod reads each of its quantities several times.
@cache_short_texts(1024)
def _parsed(text: str) -> Quantity:
    match = QUANTITY.fullmatch(text)
    if not match or not text:
        raise QuantityError(
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        )
    sign, integer_digits, fraction = match[1], match[2].lstrip("0") or "0", match[3] or ""
    power, form = interpret(match[4])
    # Ki and Mi are powers of two, which a decimal exponent cannot hold.
    if form == "binary":
        return _binary(sign, integer_digits, fraction, power, text)
    return _decimal(sign, integer_digits, fraction, power, form, text)


def _in_twos(number: int) -> str:
    exponent = 0
    while number % 1024 == 0:
        number, exponent = number // 1024, exponent + 10
    return f"{number}{BINARY_SUFFIX.get(exponent, '')}"


def _decimal(sign: str, integer_digits: str, fraction: str, power: int, form: Format, text: str) -> Quantity:
    digits, exponent = integer_digits + fraction, power - len(fraction)
    amount = Decimal(f"{sign}{digits}E{exponent}")
    # Rounded away from zero, as ParseQuantity rounds what is below a billionth.
    if exponent < NANO:
        return Quantity(_round_up(amount, NANO), form)
    # Canonical already: no zeros that a larger suffix would take, and a suffix for the exponent.
    stays = exponent % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    return Quantity(amount, form, text if stays and len(digits) <= INT64_DIGITS else "")


def _binary(sign: str, integer_digits: str, fraction: str, power: int, text: str) -> Quantity:
    # Few digits fit into 64 bits, and Go keeps the text of such amounts.
    if not fraction and len(integer_digits) + power * 3 // 10 <= INT64_BINARY_DIGITS:
        number = int(integer_digits) << power
        return Quantity(
            Decimal(-number if sign == "-" else number), "binary", text if int(integer_digits) % 8 else ""
        )
    exact = Context(prec=len(integer_digits) + len(fraction) + INT64_DIGITS + 1, Emin=MIN_EMIN, Emax=MAX_EMAX)
    amount = exact.multiply(Decimal(f"{integer_digits}.{fraction}"), Decimal(1 << power))
    # A fraction below one is written in tens, although it was given in twos.
    form: Format = "decimal" if 0 < amount < 1 else "binary"
    # Larger amounts of powers of two are capped at the largest int64.
    amount = min(_round_up(amount, NANO), LARGEST_BINARY)
    return Quantity(amount.copy_negate() if sign == "-" else amount, form)


def _to_signed(number: int) -> int:
    return number - 2**64 if number >= 2**63 else number


def _round_up(amount: Decimal, exponent: int) -> Decimal:
    """Return an amount rounded to a power of ten, away from zero."""
    if _exponent(amount) >= exponent:
        return amount
    digits = max(amount.adjusted() - exponent, 0) + 2
    context = Context(prec=digits, rounding=ROUND_UP, Emin=MIN_EMIN, Emax=MAX_EMAX)
    return amount.quantize(Decimal(1).scaleb(exponent), context=context)


def _exponent(amount: Decimal) -> int:
    """Return the power of ten of the last digit;
    reading it from the tuple would cost an object for each digit.
    """
    return amount.adjusted() - len(_digits(amount)) + 1


def _digits(amount: Decimal) -> str:
    return f"{amount.copy_abs():E}".partition("E")[0].replace(".", "")


def interpret(suffix: str) -> tuple[int, Format]:
    """Return the power of ten, or of two, and the family of a suffix. Raises QuantityError."""
    if suffix in DECIMAL:
        return DECIMAL[suffix], "decimal"
    if suffix in BINARY:
        return BINARY[suffix], "binary"
    try:
        if suffix[:1] in {"e", "E"}:
            # Go keeps the exponent in an int32.
            return (parse_int(suffix[1:]) + 2**31) % 2**32 - 2**31, "exponent"
    except NumberError:
        pass
    raise QuantityError("unable to parse quantity's suffix")


def total(quantities: Iterable[Quantity]) -> Quantity:
    """Return the sum of several."""
    return reduce(Quantity.plus, quantities, Quantity(Decimal(0)))


def canonical(text: str) -> str:
    """Return the canonical form of a quantity."""
    return str(Quantity.of(text))


def round_to_milli(text: str) -> str:
    """Return the canonical form rounded up to thousandths, as resource lists are stored."""
    return str(Quantity.of(text).round_to_milli())
