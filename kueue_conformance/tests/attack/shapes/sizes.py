"""Heads and bodies that are larger than they may be, many times."""

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, config_map, request
from .shape import EVERYWHERE, Shape


def bodies(site, random):
    """Large bodies of a user that may not write."""
    body = config_map("large", a="b" * random.randint(1_000_000, 3_100_000))
    return Conversation(parts=(request(site, "POST", CONFIG_MAPS, body),), connections=random.randint(1, 3))


def targets(site, random):
    """URLs of up to a megabyte."""
    filler = random.choice(("a", "%41", "/", "a=b&", "%", "é")) * random.randint(10_000, 150_000)
    return Conversation(parts=(request(site, "GET", f"{CONFIG_MAPS}?{filler}"),), is_whole=False, hold=1.0)


def queries(site, random):
    """A great many parameters."""
    names = random.choice(("labelSelector", "fieldSelector", "limit", "x", "continue", "dryRun"))
    query = "&".join(f"{names}={number}" for number in range(random.randint(1_000, 90_000)))
    return Conversation(parts=(request(site, "GET", f"{CONFIG_MAPS}?{query}"),), is_whole=False, hold=1.0)


def headers(site, random):
    """Long values of headers that are kept for the journal and the audit."""
    name = random.choice(
        (b"User-Agent", b"Audit-Id", b"Accept", b"Authorization", b"Impersonate-User", b"Accept-Encoding")
    )
    extra = (
        name
        + b": "
        + random.choice((b"a", b"\xff", b",", b";q=0.1,")) * random.randint(1_000, 140_000)
        + b"\r\n"
    )
    return Conversation(parts=(request(site, "GET", "/version", extra=extra),), is_whole=False, hold=1.0)


def many_headers(site, random):
    """Thousands of headers."""
    extra = b"".join(b"X-%d: a\r\n" % number for number in range(random.randint(1_000, 60_000)))
    return Conversation(parts=(request(site, "GET", "/version", extra=extra),), is_whole=False, hold=1.0)


SHAPES = (
    Shape("large-bodies", bodies, anonymous=True),
    Shape("long-targets", targets, EVERYWHERE),
    Shape("many-parameters", queries, EVERYWHERE),
    Shape("long-headers", headers, EVERYWHERE),
    Shape("many-headers", many_headers, EVERYWHERE),
)
