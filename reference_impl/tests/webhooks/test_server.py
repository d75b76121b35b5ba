"""The HTTPS server of the webhooks."""

import asyncio
import io
import ssl
import zlib

import aiohttp
import pytest

from reference_impl.kueue.webhooks.reviews import Reviewer
from reference_impl.kueue.webhooks.server import WebhookServer
from reference_impl.runtime.errors import OutsideError

REVIEW = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "ConversionReview",
    "request": {"uid": "u", "desiredAPIVersion": "kueue.x-k8s.io/v1beta2", "objects": []},
}
JSON = {"Content-Type": "application/json"}


async def post(path, *, host="127.0.0.1", **request):
    server = WebhookServer(Reviewer("v0.19"), host=host)
    await server.start()
    try:
        trusted = ssl.create_default_context(cadata=server.endpoint.authority.decode())
        async with (
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=trusted)) as session,
            session.post(f"{server.endpoint.url}{path}", **request) as response,
        ):
            return response.status, await response.text()
    finally:
        await server.stop()


@pytest.mark.parametrize(
    "host", [pytest.param("127.0.0.1", id="default"), pytest.param("127.0.0.2", id="named")]
)
def test_a_review_is_answered_over_trusted_tls(host):
    status, text = asyncio.run(post("/convert", host=host, json=REVIEW))

    assert (status, '"uid":"u"' in text, '"Success"' in text) == (200, True, True)


@pytest.mark.parametrize(
    ("path", "request_", "status", "text"),
    [
        pytest.param("/convert", {"data": b"{"}, 400, "contentType=application/octet-stream", id="no type"),
        pytest.param(
            "/convert",
            {"data": b"{", "headers": {"Content-Type": "application/json"}},
            400,
            "unexpected end of data",
            id="no JSON",
        ),
        pytest.param(
            "/convert", {"json": {}}, 400, "expected a body of kind ConversionReview", id="no review"
        ),
        pytest.param(
            "/convert",
            {"json": REVIEW | {"request": {"uid": "u", "desiredAPIVersion": [], "objects": [1]}}},
            400,
            "expected ConversionReview.request.objects",
            id="no objects",
        ),
        pytest.param(
            "/mutate-kueue-x-k8s-io-v1beta2-workload",
            {
                "json": {
                    "apiVersion": "admission.k8s.io/v1",
                    "kind": "AdmissionReview",
                    "request": {"uid": "u"},
                }
            },
            400,
            "expected AdmissionReview.request.object with metadata",
            id="no object",
        ),
        pytest.param("/convert", {"data": b"[" * 3000, "headers": JSON}, 400, "", id="deep"),
        pytest.param(
            "/convert",
            {"data": b'{"a":' * 900 + b"1" + b"}" * 900, "headers": JSON},
            400,
            "expected a body of kind ConversionReview",
            id="deep, and JSON",
        ),
        pytest.param(
            "/convert", {"data": io.BytesIO(b" " * (17 << 20)), "headers": JSON}, 413, "", id="huge"
        ),
        pytest.param(
            "/convert",
            {"data": zlib.compress(b" " * (17 << 20)), "headers": JSON | {"Content-Encoding": "deflate"}},
            400,
            "",
            id="packed",
        ),
        pytest.param(
            "/validate-no-such-kind", {"json": REVIEW}, 404, "404 page not found", id="no such path"
        ),
    ],
)
def test_bad_requests_are_told_so(path, request_, status, text):
    got, body = asyncio.run(post(path, **request_))

    assert (got, text in body) == (status, True)


def test_a_port_in_use_is_named():
    async def twice():
        first = WebhookServer(Reviewer("v0.19"))
        await first.start()
        second = WebhookServer(Reviewer("v0.19"), port=int(first.endpoint.url.rpartition(":")[2]))
        try:
            await second.start()
        finally:
            await first.stop()

    with pytest.raises(OutsideError, match="choose another --webhook-port"):
        asyncio.run(twice())
