"""Schedules of cloud faults, refused writes and restarts for an autoscaler: a seed makes one, `broken` says
what it breaks.

python -m reference_impl.tests.autoscaler.schedules --schedules 2000 --seed 0
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import click

from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC, CHECK_CAPACITY
from reference_impl.cloud import actions
from reference_impl.cloud.failures import FailureRule

from .world import World, unanswered

Step = tuple[Any, ...]
DAY_SECONDS = 86_400.0
STEPS = {
    "asks": 6,
    "fails": 4,
    "passes": 3,
    "restarts": 1,
    "refuses": 1,
    "loses answers": 1,
    "deletes": 1,
    "vanishes": 1,
}
"""What happens in a schedule, and how often beside the others."""


def schedule(seed: int) -> list[Step]:
    """Return the steps that a seed makes."""
    random = Random(seed)
    names = random.choices(list(STEPS), list(STEPS.values()), k=random.randint(4, 24))
    return [_step(name, random) for name in names]


def _step(name: str, random: Random) -> Step:
    match name:
        case "asks":
            return (
                name,
                random.choice([CHECK_CAPACITY, BEST_EFFORT_ATOMIC, BEST_EFFORT_ATOMIC]),
                random.randint(1, 9),
            )
        case "fails":
            return name, FailureRule(_action(random), times=random.randint(1, 3))
        case "passes":
            return name, random.randint(1, 60)
        case "refuses":
            return name, random.choice([0, 409, 422, 429, 500])
        case "deletes" | "vanishes":
            return name, random.randint(0, 6)
    return (name,)


def _action(random: Random) -> actions.FailureAction:
    indexes = random.choice([None, [0], [1, 2]])
    return random.choice(
        [
            actions.Reject(),
            actions.Hang(carried_out=random.random() < 0.5),
            actions.Stockout(succeed=random.randint(0, 2), error_delay_seconds=random.randint(0, 5)),
            actions.PartialError(indexes=indexes),
            actions.Slow(extra_seconds=random.randint(1, 30), indexes=indexes),
            actions.NeverRegister(indexes=indexes, listed=random.random() < 0.5),
            actions.RegisterNotReady(for_seconds=random.randint(1, 30), indexes=indexes),
            actions.Vanish(after_seconds=random.randint(0, 20), indexes=indexes),
            actions.Unavailable(),
        ]
    )


def broken(steps: Sequence[Step]) -> str:
    """Carry out a schedule; return what did not hold, empty where all did."""
    world = World()
    try:
        for step in steps:
            world.carry_out(step)
        world.calm_down()
    except AssertionError as error:
        return str(error)
    if remaining := unanswered(world):
        return f"without an answer: {', '.join(remaining)}"
    world.clock.time += 8 * DAY_SECONDS
    for _ in range(15):
        world.advance(30.0)
    if world.targets or world.nodes():
        return f"{world.targets} machines are left that nothing needs, with the nodes {world.nodes()}"
    return "".join(f"{name} is left although it is old" for name in world.requests() if name != "foreign")


def smallest(steps: Sequence[Step]) -> list[Step]:
    """Return a schedule that breaks something still, without the steps that do not matter."""
    remaining = list(steps)
    for index in reversed(range(len(remaining))):
        without = remaining[:index] + remaining[index + 1 :]
        if broken(without):
            remaining = without
    return remaining


@click.command()
@click.option("--schedules", "number", default=2000, show_default=True, help="how many")
@click.option("--seed", default=0, show_default=True, help="that of the first")
def main(number: int, seed: int) -> None:
    """Carry out schedules; print the first that breaks something, without the steps that do not matter."""
    for seed_number in range(seed, seed + number):
        if why := broken(schedule(seed_number)):
            raise click.ClickException(
                "\n  ".join([f"seed {seed_number}: {why}", *map(str, smallest(schedule(seed_number)))])
            )
    click.echo(f"{number} schedules from seed {seed} on: nothing is broken")


if __name__ == "__main__":
    main()
