"""A token in a file is renewed by its issuer: the client notices."""

import asyncio

from reference_impl.runtime import client as clients
from reference_impl.runtime.client import Client
from reference_impl.runtime.kubeconfig import Connection

from .test_wire import OK, Peer

EMPTY = OK.replace(b"ok", b"{}")


def send(file, monkeypatch, *, later):
    """Return the tokens of two requests; between them the file changes."""
    monkeypatch.setattr(clients, "TOKEN_SECONDS", 0.0)
    peer = Peer([EMPTY, EMPTY])

    async def main():
        async with await asyncio.start_server(peer.serve, "127.0.0.1", 0) as listening:
            url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
            client = Client(Connection(server=url, token="old", token_file=file), user_agent="tests")
            await client.request("GET", "/version")
            later()
            await client.request("GET", "/version")
            await client.close()

    asyncio.run(main())
    return [head.partition("Bearer ")[2].partition("\r\n")[0] for head in peer.asked[0]]


def test_a_renewed_token_is_used(tmp_path, monkeypatch):
    file = tmp_path / "token"
    file.write_text("old\n")

    assert send(file, monkeypatch, later=lambda: file.write_text("new\n")) == ["old", "new"]


def test_a_token_outlives_its_file(tmp_path, monkeypatch):
    file = tmp_path / "token"
    file.write_text("old\n")

    assert send(file, monkeypatch, later=file.unlink) == ["old", "old"]
