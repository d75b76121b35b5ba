"""Wrong about seats: how many requests are answered at a time, who waits, whose turn it is, who is refused
(VIS-142, VIS-602…612).
"""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

from reference_impl.kueue.visibility import status
from reference_impl.kueue.visibility.flow_control import control, levels
from reference_impl.kueue.visibility.flow_control.control import SeatControl
from reference_impl.kueue.visibility.flow_control.line import FullError, RequestQueue
from reference_impl.kueue.visibility.flow_control.metrics import FlowControlMetrics
from reference_impl.kueue.visibility.flow_control.schemas import Schema
from reference_impl.kueue.visibility.flow_control.table import Table
from reference_impl.kueue.visibility.handler import Visibility
from reference_impl.kueue.visibility.status import TextError

from ...killing.planes import instead, wrong


@wrong((SeatControl, "seat"))
@asynccontextmanager
async def answers_as_many_as_come(seat, *args):
    """Breaks VIS-601: has a seat for every request; VSB-130 should catch it."""
    yield


@wrong((RequestQueue, "_queue"))
def lets_nothing_wait(queue, seats, ticket):
    """Breaks VIS-606: refuses whatever finds no seat, places or not; VSB-130 should catch it."""
    raise FullError


@wrong((levels, "seats"))
def rounds_seats_down(seats, levels, total):
    """Breaks VIS-605: has a seat less where a share is no whole number of seats; VSB-130 should catch it."""
    result = tuple(levels)
    everything = sum(result_item.shares for result_item in result)
    return {named_item.name: max(1, total * named_item.shares // everything) for named_item in result}


@wrong((status, "too_many_requests"))
def does_not_say_when_to_ask_again(refused, seconds):
    """Breaks VIS-607: refuses without Retry-After; VSB-130 should catch it."""
    refusal = refused(seconds)
    return TextError(refusal.code, refusal.text, ())


@wrong((Schema, "flow"))
def takes_all_users_for_one(flow, *args):
    """Breaks VIS-608: lets a flood of one user take the places of all; VSB-131 should catch it."""
    return ""


@wrong((RequestQueue, "_call"))
def empties_one_queue_after_the_other(call, seats):
    """Breaks VIS-608: answers all that wait in one queue
    before it looks at the next one; VSB-131 should catch it.
    """
    while seats._queues and (seats.level.exempt or seats.seated < seats.seats):
        number, queue = next(iter(seats._queues.items()))
        seats._seat(queue.popleft())
        seats.waiting -= 1
        seats._forget_when_empty(number)


@wrong((Visibility, "steps"))
def asks_for_rights_first(steps, server):
    """Breaks VIS-142: looks at the rights of a request before it has a seat; VSB-133 should catch it."""
    return server._authenticate, server._impersonate, server._authorize, server._take_seat


@wrong((Schema, "matches"))
def knows_no_exempt_users(matches, schema, *args):
    """Breaks VIS-609: has administrators wait as all others do; VSB-134 should catch it."""
    return schema.name != "exempt" and matches(schema, *args)


@wrong((SeatControl, "seat"))
@asynccontextmanager
async def keeps_seats_that_were_given_up(seat, *args):
    """Breaks VIS-605: takes back the seats of answered requests only; VSB-135 should catch it."""
    seats = seat(*args)
    await seats.__aenter__()
    try:
        yield
    except asyncio.CancelledError:
        GIVEN_UP.append(seats)
        raise
    await seats.__aexit__(None, None, None)


@wrong((FlowControlMetrics, "note_end"))
def counts_requests_as_under_way_for_ever(ended, *args):
    """Breaks VIS-610: does not count it when a request is answered; VSB-138 may catch it."""


GIVEN_UP = []
"""Seats of requests whose client has gone."""


@wrong((SeatControl, "_reconfigure"))
def goes_on_with_the_seats_it_had(reconfigure, *args):
    """Breaks VIS-604: does not give more seats to a level that is in use; VSB-136 should catch it."""


@wrong((Table, "of"))
def takes_a_dangling_schema_for_a_good_one(of, cls, schemas, levels, total):
    """Breaks VIS-612: has requests of a schema without its level caught by the last level;
    VSB-137[at-the-server's-own-port] should catch it.
    """
    result = tuple(levels)
    names = {named_item.name for named_item in result}
    replaces = [schema if schema.level in names else replace(schema, level="catch-all") for schema in schemas]
    return of(cls, replaces, result, total)


instead(
    control,
    "WAIT_SECONDS",
    3600.0,
    called="lets_requests_wait_for_an_hour",
    says="Breaks VIS-606: refuses nothing that waits; VSB-132 should catch it.",
)
instead(
    control,
    "WAIT_SECONDS",
    5.0,
    called="is_soon_tired_of_those_that_wait",
    says="Breaks VIS-606: refuses what has waited for five seconds; VSB-132 should catch it.",
)
