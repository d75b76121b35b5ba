"""TLS connections are read record by record, with room for no more."""

import ssl

import pytest

from fakecluster.auth.certificates import Authority
from fakecluster.base.tls import RECORD_BYTES, RecordReader
from fakecluster.server.outgoing.link import client_context

AUTHORITY = Authority.fresh()
EVENT_LOOP_ASKS_FOR = 256 * 1024


def connection(client, server):
    """Two ends of a TLS connection without a socket."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(to_client, to_server, server_hostname="localhost"),
        server.wrap_bio(to_server, to_client, server_side=True),
    )
    for _ in range(3):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return ends


@pytest.mark.parametrize(
    "context", [AUTHORITY.server_context, client_context(AUTHORITY.pem)], ids=["server", "client"]
)
def test_both_sides_make_room_for_one_record(context):
    assert issubclass(context.sslobject_class, RecordReader)


def test_a_read_asks_for_one_record_however_much_the_event_loop_asks_for(monkeypatch):
    sizes = []
    monkeypatch.setattr(ssl.SSLObject, "read", lambda _, length, buffer=None: sizes.append(length))
    client, _ = connection(client_context(AUTHORITY.pem), AUTHORITY.server_context)

    client.read(EVENT_LOOP_ASKS_FOR)
    client.read(1)

    assert sizes == [RECORD_BYTES, 1]


def test_a_long_text_arrives_whole():
    text = b"0123456789" * 5_000
    client, server = connection(client_context(AUTHORITY.pem), AUTHORITY.server_context)

    server.write(text)
    received, capacity = client.read(EVENT_LOOP_ASKS_FOR), bytearray(EVENT_LOOP_ASKS_FOR)
    while len(received) < len(text):
        received += bytes(capacity[: client.read(EVENT_LOOP_ASKS_FOR, capacity)])

    assert received == text
