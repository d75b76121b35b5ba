"""Resource quantities as Kubernetes reads and writes them: `1000m` is `1`, `1024Mi` is `1Gi` (FK-497)."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

Format = Literal["decimal", "exponent", "binary"]
SHAPE = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)")
DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
DECIMAL_SUFFIX = {exponent: suffix for suffix, exponent in DECIMAL.items()}
BINARY_SUFFIX = {0: "", **{exponent: suffix for suffix, exponent in BINARY.items()}}
NANO = 10**9
LARGEST_BINARY = (2**63 - 1) * NANO


class QuantityError(ValueError):
    """A text is not a quantity; the message is the API server's."""


class Quantity(Struct, frozen=True, order=True):
    """An amount in billionths, and the family of suffixes in which it is written."""

    nanos: int
    format: Format = "decimal"

    @classmethod
    def of(cls, text: str) -> Quantity:
        """Parse a quantity; a fraction below a billionth rounds away from zero."""
        match = SHAPE.fullmatch(text)
        if not match or text in {"", "+", "-"}:
            raise QuantityError(
                "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            )
        sign, whole, fraction, suffix = match[1], match[2] or "0", match[3] or "", match[4]
        base, exponent, form = interpret(suffix)
        digits, places = int(whole + fraction), len(fraction)
        scaled = digits * NANO * (base**exponent if exponent > 0 else 1)
        nanos = -(-scaled // (10**places * (base**-exponent if exponent < 0 else 1)))
        if form == "binary":
            nanos = min(nanos, LARGEST_BINARY)
        return cls(-nanos if sign == "-" else nanos, form)

    def rounded_up(self, unit: int) -> Quantity:
        """Return the next multiple of `unit` billionths away from zero."""
        nanos = -(-abs(self.nanos) // unit) * unit
        return Quantity(nanos if self.nanos >= 0 else -nanos, self.format)

    def __str__(self) -> str:
        if not self.nanos:
            return "0"
        whole = self.nanos % NANO == 0 and abs(self.nanos) >= 1024 * NANO
        return self._binary() if self.format == "binary" and whole else self._decimal()

    def _binary(self) -> str:
        number, exponent = self.nanos // NANO, 0
        while number % 1024 == 0:
            number, exponent = number // 1024, exponent + 10
        return f"{number}{BINARY_SUFFIX[exponent]}"

    def _decimal(self) -> str:
        number, exponent = self.nanos, -9
        while number % 1000 == 0 and (exponent < 18 or self.format == "exponent"):
            number, exponent = number // 1000, exponent + 3
        if self.format == "exponent":
            return f"{number}e{exponent}" if exponent else str(number)
        return f"{number}{DECIMAL_SUFFIX[exponent]}"


def interpret(suffix: str) -> tuple[int, int, Format]:
    """Return base, exponent and family of a suffix."""
    if suffix in DECIMAL:
        return 10, DECIMAL[suffix], "decimal"
    if suffix in BINARY:
        return 2, BINARY[suffix], "binary"
    if re.fullmatch(r"[eE][+-]?[0-9]+", suffix):
        return 10, int(suffix[1:]), "exponent"
    raise QuantityError("unable to parse quantity's suffix")


def canonical(text: str) -> str:
    """Return the canonical form of a quantity."""
    return str(Quantity.of(text))


def rounded_to_milli(text: str) -> str:
    """Return the canonical form rounded up to thousandths, as resource lists are stored."""
    return str(Quantity.of(text).rounded_up(NANO // 1000))
