"""Requests that disagree with themselves about where they end."""

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, config_map, request, request_in_chunks
from .shape import EVERYWHERE, Shape

LENGTHS = (b"-1", b"+5", b"0x10", b"5, 5", b"5,6", b"5 5", b" ", b"", b"9" * 30, "٣".encode(), b"1e3", b"007")
ENCODINGS = (
    b"chunked, chunked",
    b"gzip, chunked",
    b"chunked, identity",
    b"Chunked",
    b"xchunked",
    b"",
    b"chunked;q=1",
    b"\x0bchunked",
)
SIZES = (b"g", b"-1", b"0x5", b"5 ", b" 5", b"ffffffffffffffffff", b"5;" + b"a" * 20_000, b"", "٣".encode())
BYTEWISE = 20_000


def lengths(site, random):
    """A Content-Length that is no length, or two that differ."""
    line = b"Content-Length: " + random.choice(LENGTHS) + b"\r\n"
    second = random.choice((b"", b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n"))
    return Conversation(
        parts=(request(site, "POST", CONFIG_MAPS, extra=line + second) + b'{"a":1}',),
        is_whole=False,
        hold=0.3,
    )


def encodings(site, random):
    """A Transfer-Encoding that is none, beside a length."""
    line = b"Transfer-Encoding: " + random.choice(ENCODINGS) + random.choice((b"\r\n", b"\n", b" \r\n"))
    return Conversation(
        parts=(request(site, "POST", CONFIG_MAPS, b"0\r\n\r\n", extra=line),), is_whole=False, hold=0.3
    )


def chunks(site, random):
    """Sizes of chunks that are no numbers, or lie."""
    head = request_in_chunks(site, "POST", CONFIG_MAPS, ()).removesuffix(b"0\r\n\r\n")
    body = random.choice(SIZES) + random.choice((b"\r\n", b"\n", b"\r")) + b"hello\r\n0\r\n\r\n"
    return Conversation(parts=(head + body,), is_whole=False, hold=0.3)


def lines(site, random):
    """Request lines and headers with what must not be in them."""
    spoiled = bytearray(request(site, "GET", f"{CONFIG_MAPS}/target"))
    for _ in range(random.randint(1, 6)):
        spoiled[random.randrange(len(spoiled))] = random.choice(b"\x00\r\n \t:\x7f\xff;,/%?#")
    return Conversation(parts=(bytes(spoiled),), is_whole=False, hold=0.3)


def cut(site, random):
    """A request that ends in the middle."""
    response = request(site, "POST", CONFIG_MAPS, config_map("cut", a="b" * 200))
    return Conversation(
        parts=(response[: random.randrange(1, len(response))],),
        is_whole=False,
        hold=0.1,
        half_close=random.random() < 0.5,
    )


def records(site, _random):
    """A request that is sent byte by byte: each is a TLS record, which costs as much as one of 16 KB."""
    text = request(site, "POST", CONFIG_MAPS, config_map("bytewise", a="b" * BYTEWISE))
    return Conversation(parts=tuple(text[at : at + 1] for at in range(len(text))), connections=4)


SHAPES = (
    Shape("content-lengths", lengths, EVERYWHERE),
    Shape("transfer-encodings", encodings, EVERYWHERE),
    Shape("chunk-sizes", chunks, EVERYWHERE),
    Shape("spoiled-lines", lines, EVERYWHERE),
    Shape("cut-requests", cut, EVERYWHERE),
    Shape("one-byte-records", records, EVERYWHERE),
)
