"""Conversions that are missing: a computation on objects in another version asks for them and is done again
(FK-330, design.md §5).

Only what looks at objects is done again, never what writes. The webhook is asked for one object at a time, a
few times at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

from ..api import status
from ..api.converter import ConversionFailed, NeedsConversion
from ..api.service_address import Services
from ..api.steps import Steps, Unready, at_once, in_turn
from . import review

T = TypeVar("T")
Told = Callable[[str], status.StatusError]
Take: TypeAlias = Callable[[Callable[[], T]], Steps[T]]
BATCH_BYTES = 4 * 1024 * 1024
"""Bytes of objects that are written down for reviews before others are answered."""
AT_ONCE = 16
"""Calls that are made at the same time for a request."""


def asked_for(
    services: Services, compute: Callable[[], T], told: Told = status.raw, take: Take[T] = at_once
) -> Steps[T]:
    """Return the result of a computation on converted objects; missing conversions are made before.

    Raises what is `told` of a failed conversion: by default 500 and its text. `take` says how it is computed.
    """
    while True:
        try:
            return (yield from take(compute))
        except NeedsConversion as error:
            needed = error
        except ConversionFailed as error:
            raise told(str(error)) from error
        yield from _conversions(services, needed, told, AT_ONCE)


def already_there(services: Services, compute: Callable[[], T]) -> T:
    """Return the result of a computation on objects that functions of this process convert.

    Raises Unready where a webhook has to be asked.
    """
    while True:
        try:
            return compute()
        except NeedsConversion as error:
            needed = error
        # A watch cache of the real server asks for one object after another.
        steps = _conversions(services, needed, status.raw, 1)
        if needed.converter.local is None:
            raise Unready(needed.key, steps)
        next(steps, None)  # a function of this process is not waited for


def _conversions(services: Services, needed: NeedsConversion, told: Told, at_once: int) -> Steps[None]:
    """Convert the needed objects, by the function that stands for the webhook or by its answers."""
    each = needed.each()
    if needed.converter.local is not None:
        for one in each:
            _keep(one, partial(_convert_here, one), told)
        return
    for batch in _batches(each, at_once):
        results = yield tuple(review.call(one, services) for one in batch)
        for one, result in zip(batch, results, strict=True):
            keep = partial(_keep, one, partial(review.learn, one, result), told)
            yield from in_turn(len(result.body), keep)


def _batches(each: Sequence[NeedsConversion], at_once: int) -> Iterator[list[NeedsConversion]]:
    """Yield what is asked for at the same time: not more than so many objects, and not many large ones."""
    batch: list[NeedsConversion] = []
    size = 0
    for needed in each:
        batch.append(needed)
        size += sum(len(wanted.one.json()) for wanted in needed.wanted)
        if len(batch) == at_once or size > BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _keep(needed: NeedsConversion, learn: Callable[[], None], told: Told) -> None:
    """Keep the result of a conversion, or its failure when the computation can go on without."""
    try:
        learn()
    except ConversionFailed as error:
        if needed.first:
            raise status.not_ready(f"failed to list {review.about(needed)}: {error}") from error
        if not needed.survivable:
            raise told(str(error)) from error
        for one in needed.wanted:
            one.one.cache[needed.converter, needed.version] = error


def _convert_here(needed: NeedsConversion) -> None:
    """Convert by the function that stands for the webhook; what it raises is what the webhook would say
    (FK-336).
    """
    convert = needed.converter.local
    if convert is None:
        return
    try:
        found = [convert(one.whole, needed.version) for one in needed.wanted]
    except Exception as error:
        raise review.failed(needed, str(error)) from error
    review.keep(needed, found)
