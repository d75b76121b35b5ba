"""Taking a step that may need conversions: the webhook is asked and the step is taken again (FK-330, design.md §5).

A step is pure until it commits. What follows a commit is a step of its own, so that nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Callable

from .. import status
from ..outcome import CallResult, Outcome, Pending, Unready
from ..service_address import Services
from . import review
from .converter import ConversionFailed, NeedsConversion

Told = Callable[[str], status.StatusError]


def attempt(services: Services, step: Callable[[], Outcome], told: Told = status.raw) -> Outcome:
    """Take a step, again when what it needed is converted. Raises what is `told` of a failed conversion: by default 500 and its text."""
    try:
        return step()
    except NeedsConversion as needed:
        waits = unready(services, needed, told)
    except ConversionFailed as error:
        raise told(str(error)) from error

    def resume(result: CallResult) -> Outcome:
        waits.learn(result)
        return attempt(services, step, told)

    return Pending.on(waits.call, resume)


def unready(services: Services, needed: NeedsConversion, told: Told = status.raw) -> Unready:
    """Return whom to ask for a conversion, and what to do with the answer."""

    def learn(result: CallResult) -> None:
        try:
            review.learn(needed, result)
        except ConversionFailed as error:
            if needed.first:
                raise status.not_ready(f"failed to list {review.about(needed)}: {error}") from error
            if not needed.survivable:
                raise told(str(error)) from error
            for one in needed.wanted:
                one.one.cache[needed.converter, needed.version] = error

    return Unready(review.call(needed, services), learn)
