"""Clients that are slow, silent, or gone."""

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, config_map, request
from .shape import EVERYWHERE, Shape


def silent(site, random):
    """Connections on which nothing is said."""
    return Conversation(
        parts=(), reads=False, hold=random.uniform(0.1, 2.0), connections=random.randint(5, 60)
    )


def dripping(site, random):
    """A request in drops."""
    response = request(site, "POST", CONFIG_MAPS, config_map("dripping"))
    size = max(1, len(response) // random.randint(5, 40))
    return Conversation(
        parts=tuple(response[at : at + size] for at in range(0, len(response), size)), pause=0.02
    )


def leaving(site, random):
    """Clients that ask for much and leave at once."""
    return Conversation(
        parts=(request(site, "GET", CONFIG_MAPS),), reads=False, hold=0.0, connections=random.randint(1, 20)
    )


def promise_body(site, random):
    """A body that was promised and does not come."""
    return Conversation(
        parts=(
            request(
                site,
                "POST",
                CONFIG_MAPS,
                b"{",
                length=random.randint(2, 3_000_000),
                extra=b"Expect: 100-continue\r\n",
            ),
        ),
        reads=False,
        hold=random.uniform(0.1, 1.0),
        connections=random.randint(1, 20),
    )


SHAPES = (
    Shape("silent-connections", silent, EVERYWHERE),
    Shape("dripping-requests", dripping, EVERYWHERE),
    Shape("leaving-clients", leaving, EVERYWHERE),
    Shape("promised-bodies", promise_body, EVERYWHERE),
)
