"""Numbers with check digits: books and credit cards (FK-263)."""

from __future__ import annotations

import re

_CARD = re.compile(
    r"(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|6[27]\d{14})",
    re.ASCII,
)


def is_isbn10(text: str) -> bool:
    """Ten digits, the last of which may be X."""
    digits = re.sub(r"[\s-]", "", text)
    if not re.fullmatch(r"[0-9]{9}[0-9X]", digits):
        return False
    return sum((i + 1) * (10 if char == "X" else int(char)) for i, char in enumerate(digits)) % 11 == 0


def is_isbn13(text: str) -> bool:
    """Thirteen digits."""
    digits = re.sub(r"[\s-]", "", text)
    if not re.fullmatch(r"[0-9]{13}", digits):
        return False
    return sum(int(char) * (3 if i % 2 else 1) for i, char in enumerate(digits)) % 10 == 0


def is_credit_card(text: str) -> bool:
    """A number of a known brand whose check digit is right; other characters do not count."""
    digits = re.sub(r"[^0-9]", "", text)
    doubled = [
        int(c) if i % 2 == 0 else (2 * int(c) - 9 * (int(c) > 4)) for i, c in enumerate(reversed(digits))
    ]
    return _CARD.fullmatch(digits) is not None and sum(doubled) % 10 == 0
