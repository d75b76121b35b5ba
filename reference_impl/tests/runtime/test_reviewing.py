"""A replica that does not lead asks the API server about its own clients: a review is no write."""

import asyncio

import pytest

from reference_impl.runtime.client import Client
from reference_impl.runtime.fence import Fence, NotLeadingError
from reference_impl.runtime.kubeconfig import Connection

from .clocks import HandClock
from .test_wire import Peer

ANSWER = b'HTTP/1.1 201 Created\r\nContent-Length: 27\r\n\r\n{"status":{"allowed":true}}'


def test_a_closed_fence_holds_back_writes_and_no_reviews():
    """VIS-001."""
    peer = Peer([ANSWER])

    async def main():
        async with await asyncio.start_server(peer.serve, "127.0.0.1", 0) as listening:
            url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
            client = Client(Connection(server=url), user_agent="tests", fence=Fence(HandClock(), 10.0))
            with pytest.raises(NotLeadingError):
                await client.request("POST", "/reviews", None, {})
            answer = await client.review("/reviews", {"timeout": "10s"}, {"spec": {}})
            await client.close()
            return answer

    assert asyncio.run(main()) == {"status": {"allowed": True}}
    assert [head.splitlines()[0] for head in peer.asked[0]] == ["POST /reviews?timeout=10s HTTP/1.1"]
