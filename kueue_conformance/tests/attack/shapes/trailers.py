"""Trailers after a chunked body: without end, and with names that would mean something in a head."""

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, config_map, request_in_chunks
from .shape import EVERYWHERE, Shape
from .upgrades import SMUGGLED


def endless(site, random):
    """Megabytes of trailers."""
    head = request_in_chunks(site, "POST", CONFIG_MAPS, (b"{}",)).removesuffix(b"\r\n")
    line = b"X-%d: %b\r\n" % (random.randrange(10**6), b"a" * random.randint(10, 60_000))
    amount = min(20_000_000 // len(line), 400_000)
    pieces = (head, *[line * max(1, amount // 200)] * 200)
    return Conversation(parts=pieces, is_whole=False, hold=0.5)


def name_user_in_trailers(site, random):
    """An anonymous request whose trailers name a user."""
    name = f"{SMUGGLED}-{random.randrange(10**9)}"
    wishes = (
        b"Authorization: Bearer attacker\r\n",
        b"Impersonate-User: admin\r\nImpersonate-Group: system:masters\r\n",
        b"X-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n",
    )
    body = str(config_map(name)).replace("'", '"').encode()
    announced = random.choice((b"", b"Trailer: Authorization\r\n"))
    return Conversation(
        parts=(
            request_in_chunks(
                site, "POST", CONFIG_MAPS, (body,), extra=announced, trailers=random.choice(wishes)
            ),
        )
    )


SHAPES = (
    Shape("endless-trailers", endless, EVERYWHERE),
    Shape("trailers-that-authenticate", name_user_in_trailers, anonymous=True),
)
