"""Taking a step that may need conversions: the webhook is asked and the step is taken again (FK-330, design.md §5).

A step is pure until it commits. What follows a commit is a step of its own, so that nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from .. import status
from ..outcome import CallResult, Outcome, Pending, Unready
from ..service_address import Services
from . import review
from .converter import ConversionFailed, NeedsConversion

T = TypeVar("T")
Told = Callable[[str], status.StatusError]


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

    def resume(result: CallResult) -> Outcome:
        asked.learn(result)
        return attempt(services, step, told)

    return Pending.on(asked.call, resume)


def made(services: Services, make: Callable[[], T], told: Told = status.raw) -> T:
    """Return what is made of converted objects. Raises Unready when a webhook has to be asked first."""
    while True:
        try:
            return make()
        except NeedsConversion as needed:
            if needed.converter.local is None:
                raise _unready(services, needed, told) from needed
            _taken(needed, partial(_here, needed), told)


def _unready(services: Services, needed: NeedsConversion, told: Told) -> Unready:
    """Return whom to ask for a conversion, and what to do with the answer."""
    call = review.call(needed, services)
    return Unready(call, lambda result: _taken(needed, partial(review.learn, needed, result), told))


def _taken(needed: NeedsConversion, learn: Callable[[], None], told: Told) -> None:
    """Keep the results of a conversion, or its failure when the step can go on without."""
    try:
        learn()
    except ConversionFailed as error:
        if needed.first:
            raise status.not_ready(f"failed to list {review.about(needed)}: {error}") from error
        if not needed.survivable:
            raise told(str(error)) from error
        if len(needed.wanted) > 1:
            for one in needed.wanted:
                needed.converter.set_apart(one.one, needed.version)
            return
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
