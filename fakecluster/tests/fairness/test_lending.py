"""Priority levels lend each other seats (FK-520). The numbers of levels at rest are those that kube-apiserver
v1.36.3 told in its metrics.
"""

from __future__ import annotations

import pytest

from fakecluster.base.clock import VirtualClock
from fakecluster.fairness.borrowing import Bounds, SeatDemand, share_seats
from fakecluster.fairness.demand import Demand
from fakecluster.fairness.levels import Level, limits
from fakecluster.fairness.seat_lending import SeatLending


def level(name, shares, lendable=0, borrowing=None, *, exempt=False, **fields):
    return Level(
        name=name, uid=name, exempt=exempt, shares=shares, lendable=lendable, borrowing=borrowing, **fields
    )


DEFAULTS = (
    level("catch-all", 5),
    level("global-default", 20, 50),
    level("leader-election", 10),
    level("node-high", 40, 25),
    level("system", 30, 33),
    level("workload-high", 40, 50),
    level("workload-low", 100, 90),
)
OWN = (
    *DEFAULTS,
    level("exempt", 33, 50, exempt=True),
    level("a", 100, 20, 50),
    level("b", 60, 100),
    level("c", 45, 50, 10),
    level("d", 0, 0, 5),
)


def test_fk_520_levels_lend_and_borrow_percentages_of_what_they_have():
    computed = limits(OWN, 600)

    assert [
        tuple(getattr(computed[name], field_name) for field_name in ("nominal", "lower", "upper"))
        for name in "abcd"
    ] == [
        (125, 100, 188),
        (75, 0, 675),
        (56, 28, 62),
        (0, 0, 0),
    ]


@pytest.mark.parametrize(
    ("levels", "limit"),
    [
        pytest.param(
            (*DEFAULTS, level("exempt", 0, exempt=True)),
            {
                "catch-all": 30,
                "global-default": 56,
                "leader-election": 58,
                "node-high": 170,
                "system": 117,
                "workload-high": 114,
                "workload-low": 56,
            },
            id="as every cluster has them",
        ),
        pytest.param(
            OWN,
            {
                "catch-all": 19,
                "global-default": 33,
                "leader-election": 35,
                "node-high": 100,
                "system": 68,
                "workload-high": 68,
                "workload-low": 33,
                "a": 188,
                "b": 0,
                "c": 62,
                "d": 0,
            },
            id="where some are limited in what they borrow",
        ),
    ],
)
def test_fk_520_levels_at_rest_share_what_may_be_lent(levels, limit):
    lending = SeatLending(VirtualClock(0.0), 600)
    lending.configure({configured.name: configured for configured in levels})

    assert {name: lender.limit for name, lender in lending.sets.items() if not lender.level.exempt} == limit


@pytest.mark.parametrize(
    ("demands", "limits_expected"),
    [
        pytest.param([(0, 0.0), (0, 0.0)], [10, 10], id="nobody asks"),
        pytest.param([(0, 0.0), (30, 30.0)], [5, 15], id="one asks for more than there is"),
        pytest.param([(30, 30.0), (30, 10.0)], [10, 10], id="both do, and keep their own"),
        pytest.param([(7, 7.0), (30, 30.0)], [7, 13], id="what was asked for once is not lent"),
        pytest.param([(0, 20.0), (0, 5.0)], [15, 5], id="who was asked long has more"),
    ],
)
def test_fk_520_seats_go_where_they_are_asked_for(demands, limits_expected):
    bounds = Bounds(10, 5, 20)

    assert (
        share_seats([SeatDemand(bounds, highest, smoothed) for highest, smoothed in demands])
        == limits_expected
    )


@pytest.mark.parametrize(
    ("exempt", "limits_expected"),
    [
        pytest.param(8, [8, 8, 8], id="some of what others asked for"),
        pytest.param(99, [99, 5, 5], id="all that may be lent"),
    ],
)
def test_fk_520_the_exempt_take_what_they_need(exempt, limits_expected):
    busy, taking = (
        SeatDemand(Bounds(10, 5, 20), 10, 10.0),
        SeatDemand(Bounds(4, 4, 9), exempt, 0.0, exempt=True),
    )

    assert share_seats([taking, busy, busy]) == limits_expected


def test_fk_520_bounds_that_nobody_can_keep_change_nothing():
    assert (
        share_seats(
            [SeatDemand(Bounds(10, 10, 10), 0, 0.0), SeatDemand(Bounds(5, 0, 5), 0, 0.0, exempt=True)]
        )
        is None
    )


def test_fk_520_demand_follows_a_rise_at_once_and_a_fall_slowly():
    demand = Demand(0.0)
    demand.add(4, 0.0)
    demand.close(10.0)
    risen = demand.highest, demand.smoothed
    demand.add(-4, 10.0)
    demand.close(20.0)
    demand.close(30.0, idle_periods=1)

    assert (risen, demand.highest) == ((4, 4.0), 0)
    assert demand.smoothed == pytest.approx(4 * 0.977**3)


def test_fk_520_demand_counts_by_how_long_and_how_uneven_it_was():
    demand = Demand(0.0)
    demand.add(2, 5.0)
    demand.close(10.0)

    assert (demand.highest, demand.smoothed) == (2, pytest.approx(2.0))


def test_fk_520_a_list_at_a_level_without_queues_takes_ten_seats_at_most():
    assert (level("refuses", 1).max_seats(3), level("queues", 1, queues=8, hand=2).max_seats(3)) == (10, 1)


def borrowing():
    """Two levels of two seats; the first lends all, the second asks for three."""
    clock, started = VirtualClock(0.0), []
    lending = SeatLending(clock, 4)
    queuing = {"queues": 1, "length": 9}
    lending.configure(
        {
            configured.name: configured
            for configured in (level("lends", 1, 100), level("asks", 1, 100, **queuing))
        }
    )
    asks = lending.sets["asks"]
    asks.enter(2)
    asks.wait(1, 1, lambda: started.append("waited"))
    return clock, lending, started


def test_fk_520_who_waits_starts_when_seats_are_lent():
    clock, lending, started = borrowing()
    clock.advance_to(9.9)
    early = list(started)
    clock.advance_to(10.0)

    assert (early, started, lending.sets["asks"].limit) == ([], ["waited"], 4)


def test_fk_520_nobody_looks_while_nobody_waits():
    clock, *_ = borrowing()
    clock.advance_to(20.0)

    assert clock.next_due() is None


def test_fk_520_what_was_lent_comes_back_when_the_lender_asks():
    clock, lending, _ = borrowing()
    clock.advance_to(10.0)
    lending.sets["lends"].enter(2)
    clock.advance_to(3600.0)
    lending.catch_up()

    assert (lending.sets["lends"].limit, lending.sets["asks"].limit) == (2, 2)
