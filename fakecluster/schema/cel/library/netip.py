"""Why a text is no IP address and no network, in the words of Go's `netip` (FK-275)."""

from __future__ import annotations

import re

from ....base.numbers.integers import parse_capped
from ...fields import go_quote

SEGMENTS = 8
DIGIT = re.compile("[0-9a-fA-F]")
FIELD = "each colon-separated field must have at least one digit"
PREFIXES = {4: 32, 6: 128}


class _Why(Exception):
    """The error of a text, and the position where it begins."""

    def __init__(self, words: str, rest: str = "") -> None:
        super().__init__(f"{words} (at {go_quote(rest)})" if rest else words)


def address_problem(text: str) -> str:
    """Return Go's words for a text that is no address; empty when it is one."""
    try:
        _address(text)
    except _Why as why:
        return f"ParseAddr({go_quote(text)}): {why}"
    return ""


def network_problem(text: str) -> str:
    """Return Go's words for a text that is no network; empty when it is one."""
    # From the right, as Go splits at the last slash.
    address, slash, bits = text.rpartition("/")
    why = "" if slash else "no '/'"
    if not why:
        why = address_problem(address) or _bits_problem(address, bits)
    return f"netip.ParsePrefix({go_quote(text)}): {why}" if why else ""


# A zone is refused before the number of bits.
def _bits_problem(address: str, bits: str) -> str:
    if "%" in address:
        return "IPv6 zones cannot be present in a prefix"
    if not re.fullmatch("0|[1-9][0-9]*", bits):
        return f"bad bits after slash: {go_quote(bits)}"
    return "prefix length out of range" if parse_capped(bits) > PREFIXES[6 if ":" in address else 4] else ""


def _address(text: str) -> None:
    # The first of these characters decides which parser reads the text.
    for char in text:
        if char == ".":
            _four(text)
            return
        if char == ":":
            _six(text)
            return
        if char == "%":
            raise _Why("missing IPv6 address")
    raise _Why("unable to parse IP")


def _four(text: str) -> None:
    value = fields = digits = 0
    for at, char in enumerate(text):
        if "0" <= char <= "9":
            # `0` is a number, `00` and `01` are not.
            if digits == 1 and value == 0:
                raise _Why("IPv4 field has octet with leading zero")
            value, digits = value * 10 + int(char), digits + 1
            if value > 255:
                raise _Why("IPv4 field has value >255")
        elif char == ".":
            if at in (0, len(text) - 1) or text[at - 1] == ".":
                raise _Why("IPv4 field must have at least one digit", text[at:])
            if fields == 3:
                raise _Why("IPv4 address too long")
            value, fields, digits = 0, fields + 1, 0
        else:
            raise _Why("unexpected character", text[at:])
    if fields < 3:
        raise _Why("IPv4 address too short")


def _six(text: str) -> None:
    rest, percent, zone = text.partition("%")
    if percent and not zone:
        raise _Why("zone must be a non-empty string")
    ellipsis, count = -1, 0
    # An address may begin with `::`, which counts as an ellipsis at once.
    if rest.startswith("::"):
        ellipsis, rest = 0, rest[2:]
        if not rest:
            return
    while count < SEGMENTS:
        digits = _group(rest)
        # The last two fields of an IPv6 address may be written as an IPv4 address.
        if rest[digits : digits + 1] == ".":
            _check_embedded(rest, count, ellipsis)
            return
        count, rest = count + 1, rest[digits:]
        if not rest:
            break
        if rest[0] != ":":
            raise _Why("unexpected character, want colon", rest)
        if len(rest) == 1:
            raise _Why("colon must be followed by more characters", rest)
        rest = rest[1:]
        if rest[0] == ":":
            if ellipsis >= 0:
                raise _Why("multiple :: in address", rest)
            ellipsis, rest = count, rest[1:]
            if not rest:
                break
    _check_length(rest, count, ellipsis)


def _group(rest: str) -> int:
    """Return how many digits a group has."""
    digits = 0
    while DIGIT.fullmatch(rest[digits : digits + 1]):
        digits += 1
        if digits > 4:
            raise _Why("each group must have 4 or less digits", rest)
    if not digits:
        raise _Why(FIELD, rest)
    return digits


def _check_embedded(rest: str, count: int, ellipsis: int) -> None:
    if ellipsis < 0 and count != SEGMENTS - 2:
        raise _Why("embedded IPv4 address must replace the final 2 fields of the address", rest)
    if count + 2 > SEGMENTS:
        raise _Why("too many hex fields to fit an embedded IPv4 at the end of the address", rest)
    _four(rest)


def _check_length(rest: str, count: int, ellipsis: int) -> None:
    if rest:
        raise _Why("trailing garbage after address", rest)
    # Without an ellipsis all eight fields must be there; with one, at least one must not.
    if count < SEGMENTS and ellipsis < 0:
        raise _Why("address string too short")
    if count == SEGMENTS and ellipsis >= 0:
        raise _Why("the :: must expand to at least one field of zeros")
