"""Many requests on one connection, read or not."""

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, MERGE_PATCH, config_map, request
from .shape import EVERYWHERE, Shape


def unread(site, random):
    """Reads of a large list, sent in one piece and never read."""
    response = request(site, "GET", f"{CONFIG_MAPS}?x={random.randrange(10**6)}")
    return Conversation(
        parts=(response * random.randint(20, 120),),
        reads=False,
        hold=random.uniform(0.5, 3.0),
        connections=random.randint(1, 4),
    )


def unread_watches(site, random):
    """Watches of a large initial state that are never read."""
    begin = "?watch=1" + random.choice(
        ("", "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
    )
    return Conversation(
        parts=(request(site, "GET", CONFIG_MAPS + begin),),
        reads=False,
        hold=random.uniform(0.5, 3.0),
        connections=random.randint(5, 60),
    )


def mix(site, random):
    """Reads and writes of many kinds in one piece, cut anywhere."""
    kinds = (
        request(site, "GET", "/version"),
        request(site, "GET", f"{CONFIG_MAPS}/none"),
        request(
            site, "PATCH", f"{CONFIG_MAPS}/target", {"data": {"p": str(random.random())}}, kind=MERGE_PATCH
        ),
        request(site, "POST", CONFIG_MAPS, config_map("target")),
        request(site, "DELETE", f"{CONFIG_MAPS}/none", {}),
        request(site, "HEAD", "/healthz"),
    )
    full = b"".join(random.choice(kinds) for _ in range(random.randint(50, 600)))
    at = sorted(random.randrange(len(full)) for _ in range(5))
    return Conversation(parts=tuple(full[a:b] for a, b in zip([0, *at], [*at, len(full)], strict=True)))


def healths(site, random):
    """Thousands of small reads in one piece."""
    return Conversation(parts=(request(site, "GET", "/healthz") * random.randint(500, 3000),))


SHAPES = (
    Shape("unread-lists", unread),
    Shape("unread-watches", unread_watches),
    Shape("mixed-pipelines", mix),
    Shape("many-health-checks", healths, EVERYWHERE),
)
