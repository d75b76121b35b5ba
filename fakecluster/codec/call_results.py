"""Errors of our client about the answer of a server that it called, such as a webhook (FK-306, FK-332)."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from ..api.outcome import CallResult
from ..base.json_types import Json
from . import bodies
from .json import gojson

REASON_TEXTS: Mapping[int, str] = {
    400: "the server rejected our request for an unknown reason",
    401: "the server has asked for the client to provide credentials",
    404: "the server could not find the requested resource",
    405: "the server does not allow this method on the requested resource",
    409: "the server reported a conflict",
    422: "the server rejected our request due to an error in our request",
    429: "the server has received too many requests and has asked us to try again later",
    503: "the server is currently unable to handle the request",
    504: "the server was unable to return a response in the time allotted, but may still be processing the request",
}
CODES_PASSED_ON = frozenset({403, 406, 415})
"""Answers whose own text is passed on."""
UNKNOWN = "unknown"
REVIEW_LIMIT = 16 * 1024 * 1024
"""Bytes of the answer to a review: an object that a store takes, replaced as a whole by a patch in base64, is
a fourth of it.
"""
YAML_LIMIT = 64 * 1024
"""Bytes of an answer in YAML, which takes a second for each megabyte;
in JSON it may be as long as answers are.
"""


class UnusableResponse(Exception):
    """There is no usable answer; the text says why."""


def decode_response(result: CallResult) -> Json:
    """Return the object in an answer. Raises Unanswered."""
    if result.error:
        raise UnusableResponse(result.error)
    if not 200 <= result.code < 300:
        raise UnusableResponse(refusal(result))
    if not result.body:
        raise UnusableResponse(
            f"0-length response with status code: {result.code} and content type: {_type(result)}"
        )
    tree = _tree(result.body)
    if why := bodies.header_problem(tree):
        raise UnusableResponse(bodies.NO_VERSION + why)
    return tree or {}


def _tree(body: bytes) -> Json:
    """Read an answer as JSON, or as YAML when it does not look like JSON."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        # The client of the real server decides by the first brace whether an answer is JSON, and reads all
        # else as YAML.
        if body.lstrip()[:1] == b"{":
            raise UnusableResponse(bodies.NO_VERSION + gojson.problem(body)) from error
    from .yaml import reader  # few webhooks answer in YAML

    # Before it is parsed: a webhook's answer must not hold up the server's only loop.
    if len(body) > YAML_LIMIT:
        raise UnusableResponse(f"an answer in YAML is longer than {YAML_LIMIT} bytes")
    try:
        return reader.parse(body)[0]
    except reader.MalformedYaml as error:
        raise UnusableResponse(str(error)) from error


def refusal(result: CallResult) -> str:
    """Word an answer that is none."""
    # A Status in the body says more than the code, whatever its content type.
    own = _status(result.body)
    if own:
        return own
    text = result.body.decode("utf-8", "replace").strip() if _type(result).startswith("text/") else ""
    text = text or UNKNOWN
    if result.code in CODES_PASSED_ON:
        return text
    if result.code in REASON_TEXTS:
        return REASON_TEXTS[result.code]
    # Go quotes the body of an unknown 5xx, and of no other code.
    if result.code >= 500:
        return f'an error on the server ("{text}") has prevented the request from succeeding'
    return f"the server responded with the status code {result.code} but did not return more information"


def _status(body: bytes) -> str:
    """Return the message of an answer that is a Status of failure; empty when it is none."""
    try:
        tree = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ""
    failed = isinstance(tree, dict) and (tree.get("kind"), tree.get("status")) == ("Status", "Failure")
    return str(tree.get("message") or "") if failed else ""


def _type(result: CallResult) -> str:
    return next((value for name, value in result.headers if name.lower() == "content-type"), "")
