"""Taking a step that may need conversions: the webhook is asked and the step is taken again (FK-330, design.md §5).

It is asked for one object at a time, a few times at once. A step is pure until it commits. What follows a commit is a step of its own, so that nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from ..api import status
from ..api.converter import ConversionFailed, NeedsConversion
from ..api.outcome import CallResult, Outcome, Pending, Unready
from ..api.service_address import Services
from . import review

T = TypeVar("T")
Told = Callable[[str], status.StatusError]
AT_ONCE = 16
"""Calls that are made at the same time."""


def attempt(services: Services, step: Callable[[], Outcome], told: Told = status.raw) -> Outcome:
    """Take a step, again when what it needed is converted.

    Raises what is `told` of a failed conversion: by default 500 and its text.
    """
    try:
        return made(services, step, told)
    except Unready as waits:
        asked = waits
    except ConversionFailed as error:
        raise told(str(error)) from error

    return _answered(asked, 0, lambda: attempt(services, step, told))


def _answered(asked: Unready, done: int, proceed: Callable[[], Outcome]) -> Outcome:
    """Go on when all calls are answered, of which some are done."""
    if done >= len(asked.calls):
        return proceed()
    calls = asked.calls[done : done + AT_ONCE]

    def resume(results: tuple[CallResult, ...]) -> Outcome:
        for number, result in enumerate(results, done):
            asked.learn(number, result)
        return _answered(asked, done + len(calls), proceed)

    return Pending(calls=calls, resume=resume)


def made(services: Services, make: Callable[[], T], told: Told = status.raw) -> T:
    """Return what is made of converted objects. Raises Unready when a webhook has to be asked first."""
    while True:
        try:
            return make()
        except NeedsConversion as needed:
            if needed.converter.local is None:
                raise _unready(services, needed, told) from needed
            for one in needed.each():
                _taken(one, partial(_here, one), told)


def _unready(services: Services, needed: NeedsConversion, told: Told) -> Unready:
    """Return whom to ask for conversions, and what to do with the answers."""
    each = needed.each()

    def learn(number: int, result: CallResult) -> None:
        _taken(each[number], partial(review.learn, each[number], result), told)

    return Unready(tuple(review.call(one, services) for one in each), learn)


def _taken(needed: NeedsConversion, learn: Callable[[], None], told: Told) -> None:
    """Keep the result of a conversion, or its failure when the step can go on without."""
    try:
        learn()
    except ConversionFailed as error:
        if needed.first:
            raise status.not_ready(f"failed to list {review.about(needed)}: {error}") from error
        if not needed.survivable:
            raise told(str(error)) from error
        for one in needed.wanted:
            one.one.cache[needed.converter, needed.version] = error


def _here(needed: NeedsConversion) -> None:
    """Convert by the function that stands for the webhook; what it raises is what the webhook would say (FK-336)."""
    convert = needed.converter.local
    if convert is None:
        return
    try:
        found = [convert(one.whole, needed.version) for one in needed.wanted]
    except Exception as error:
        raise review.failed(needed, str(error)) from error
    review.keep(needed, found)
