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
from ..api.service_address import ServiceResolver
from ..api.steps import NeedsSteps, Steps, at_once, in_turn
from . import review

T = TypeVar("T")
ToError = Callable[[str], status.StatusError]
Take: TypeAlias = Callable[[Callable[[], T]], Steps[T]]
BATCH_BYTES = 4 * 1024 * 1024
"""Bytes of objects that are written down for reviews before others are answered."""
AT_ONCE = 16
"""Calls that are made at the same time for a request."""


def with_conversions(
    services: ServiceResolver,
    compute: Callable[[], T],
    to_error: ToError = status.raw,
    run: Take[T] = at_once,
) -> Steps[T]:
    """Return the result of a computation on converted objects; missing conversions are made before.

    Raises what is `told` of a failed conversion: by default 500 and its text. `take` says how it is computed.
    """
    while True:
        try:
            return (yield from run(compute))
        except NeedsConversion as error:
            # Computed again from the start, which is cheap: only the conversions are slow, and each happens
            # once.
            missing = error
        except ConversionFailed as error:
            raise to_error(str(error)) from error
        yield from _conversions(services, missing, to_error, AT_ONCE)


def with_local_conversions(services: ServiceResolver, compute: Callable[[], T]) -> T:
    """Return the result of a computation on objects that functions of this process convert.

    Raises NeedsSteps where a webhook has to be asked.
    """
    while True:
        try:
            return compute()
        except NeedsConversion as error:
            missing = error
        # A watch cache of the real server asks for one object after another.
        steps = _conversions(services, missing, status.raw, 1)
        if missing.converter.local is None:
            raise NeedsSteps(missing.key, steps)
        next(steps, None)  # a function of this process is not waited for


def _conversions(
    services: ServiceResolver, missing: NeedsConversion, to_error: ToError, at_once: int
) -> Steps[None]:
    """Convert the needed objects, by the function that stands for the webhook or by its answers."""
    single_conversions = missing.split()
    if missing.converter.local is not None:
        for conversion in single_conversions:
            _store_result(conversion, partial(_convert_here, conversion), to_error)
        return
    for batch in _batches(single_conversions, at_once):
        results = yield tuple(review.call(conversion, services) for conversion in batch)
        for conversion, result in zip(batch, results, strict=True):
            keep = partial(_store_result, conversion, partial(review.learn, conversion, result), to_error)
            yield from in_turn(len(result.body), keep)


def _batches(conversions: Sequence[NeedsConversion], at_once: int) -> Iterator[list[NeedsConversion]]:
    """Yield what is asked for at the same time: not more than so many objects, and not many large ones."""
    batch: list[NeedsConversion] = []
    size = 0
    for needed in conversions:
        batch.append(needed)
        size += sum(len(request.stored.json()) for request in needed.inputs)
        if len(batch) == at_once or size > BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _store_result(needed: NeedsConversion, learn: Callable[[], None], to_error: ToError) -> None:
    """Keep the result of a conversion, or its failure when the computation can go on without."""
    try:
        learn()
    except ConversionFailed as error:
        if needed.first:
            raise status.not_ready(f"failed to list {review.about(needed)}: {error}") from error
        if not needed.survivable:
            raise to_error(str(error)) from error
        for request in needed.inputs:
            request.stored.cache[needed.converter, needed.version] = error


def _convert_here(needed: NeedsConversion) -> None:
    """Convert by the function that stands for the webhook;
    what it raises is what the webhook would say (FK-336).
    """
    convert = needed.converter.local
    if convert is None:
        return
    try:
        converted = [convert(request.obj, needed.version) for request in needed.inputs]
    except Exception as error:
        raise review.conversion_failure(needed, str(error)) from error
    review.keep(needed, converted)
