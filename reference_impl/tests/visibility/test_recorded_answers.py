"""The handler answers as the real server was recorded:
code, every header, layout and body (VIS-1xx…3xx, VC-01…23).
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reference_impl.kueue.visibility.attributes import User

from .doubles import Doors, Flow, Server, anonymous

ROOT = Path(__file__).parents[3]
RECORDED = json.loads(
    (ROOT / "fixtures" / "recordings" / "visibility-v0.19.2" / "answers.json").read_text("utf-8")
)
EVERYWHERE = {"Audit-Id", "Cache-Control"}
UNRECORDED = EVERYWHERE | {"Last-Modified"}
PROBES = re.compile(r"/(healthz|livez|readyz)")


class _Classifying(Doors):
    def classify(self, user, attributes):
        if user.name == "root":
            return Flow("exempt", "exempt")
        return Flow("probes", "exempt") if PROBES.match(attributes.path) else Flow(*2 * ("global-default",))


def server_for(name):
    """A server that any other user than root may ask for its health alone."""
    allowed = {} if name == "root" else {"refuses": anonymous().refuses}
    return Server(_Classifying(user=User(name=name), **allowed))


@pytest.fixture(scope="module")
def servers():
    return {name: server_for(name) for name in {answer.get("user", "root") for answer in RECORDED["answers"]}}


def shorten(document):
    """Items as the recording shortens them."""
    if not isinstance(document, dict) or "items" not in document:
        return document
    items = [
        "{namespace}/{name} {} {}/{}".format(
            item["priority"], item["positionInClusterQueue"], item["positionInLocalQueue"], **item["metadata"]
        )
        for item in document["items"]
    ]
    return {"apiVersion": document["apiVersion"], "kind": document["kind"], "items": items}


def normal(text):
    return re.sub(r"2026-11-20T10:00:00Z", "<time>", re.sub(r"u-[12]", "<uid>", text))


def outline(document):
    """An OpenAPI document as the recording shortens it: the types of others by name alone."""
    schemas = document["components"]["schemas"]
    return drop_descriptions(
        {
            **{key: value for key, value in document.items() if key != "components"},
            "info": {**document["info"], "version": "<version>"},
            "schemas": {name: schema for name, schema in schemas.items() if "visibility" in name},
            "schemasOthers": sorted(name for name in schemas if "visibility" not in name),
        }
    )


def drop_descriptions(document):
    if isinstance(document, dict):
        described = (
            document if not isinstance(document.get("description"), str) else {"description": "<text>"}
        )
        return {key: drop_descriptions(value) for key, value in (document | described).items()}
    return [drop_descriptions(value) for value in document] if isinstance(document, list) else document


def headers_of(response):
    """The headers that are in the recording."""
    headers = {name: value for name, value in response.headers if name not in UNRECORDED}
    return headers | ({"Etag": "<etag>"} if "Etag" in headers else {})


def body_of(response, layout):
    if layout == "empty":
        return response.body or None
    if layout == "protobuf":
        return [value.decode() for value in re.findall(rb"[\x20-\x7e\n]{6,}", response.body)]
    return normal(response.body.decode()) if layout == "text" else json.loads(response.body)


def layout_of(response):
    """Whether JSON is indented and ends with a newline."""
    return ("indented" if b"\n " in response.body else "compact") + "+newline" * response.body.endswith(b"\n")


@pytest.mark.parametrize(
    "recorded", RECORDED["answers"], ids=[answer["id"] for answer in RECORDED["answers"]]
)
def test_answers_as_recorded(servers, recorded):
    accept = recorded.get("accept", "application/json")
    sent = {} if accept is None else {"accept": accept}

    response = servers[recorded.get("user", "root")].ask(recorded["target"], recorded["method"], sent)

    assert (response.code, headers_of(response)) == (recorded["code"], recorded["headers"])
    body, expected = body_of(response, recorded["layout"]), recorded.get("body")
    if isinstance(expected, dict):
        assert layout_of(response) == recorded["layout"]
        body = outline(body) if "openapi" in body else body
        full = "metadata" in expected or "items" not in expected
        body = json.loads(normal(json.dumps(body if full else shorten(body))).replace("<time>", "<created>"))
    assert body == expected


def test_every_answer_but_one_carries_what_all_carry(servers):
    bare = [
        answer["id"]
        for answer in RECORDED["answers"]
        if not {name for name, _ in servers["root"].ask(answer["target"], answer["method"]).headers}
        >= EVERYWHERE
    ]

    assert bare == ["ep-encoded/17-%zz"]
