"""Documents as bytes: JSON as Go writes it, YAML with sorted keys, protobuf (VIS-209, VIS-220…222, VC-15)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson
import yaml

from ...runtime.serving.exchange import Response
from . import protobuf
from .negotiation import Accept, Format, MediaType, Transforms, nothing_else
from .status import StatusError

Document = Mapping[str, Any]
_ESCAPED: Final = {
    b"<": b"\\u003c",
    b">": b"\\u003e",
    b"&": b"\\u0026",
    b"\xe2\x80\xa8": b"\\u2028",
    b"\xe2\x80\xa9": b"\\u2029",
}
_NEEDS_ESCAPE: Final = re.compile(b"|".join(_ESCAPED))


def go_json(document: Any, *, indented: bool = False) -> bytes:
    """Encode as encoding/json does, without a newline at the end; keys keep their order."""
    option = orjson.OPT_INDENT_2 if indented else 0
    try:
        plain = orjson.dumps(document, option=option)
    # Only then are strings looked at one by one: bytes that are no UTF-8 are rare.
    except orjson.JSONEncodeError:
        plain = orjson.dumps(_valid(document), option=option)
    # encoding/json escapes for HTML, so that JSON may stand in a page.
    return _NEEDS_ESCAPE.sub(lambda match: _ESCAPED[match[0]], plain)


def go_yaml(document: Any) -> bytes:
    """Encode as sigs.k8s.io/yaml does."""
    text = yaml.dump(_valid(document), Dumper=_Dumper, default_flow_style=False, allow_unicode=True)
    return text.encode()


def raw(code: int, document: Document) -> Response:
    """Answer in indented JSON whatever the client accepts (VC-16)."""
    return Response(
        code=code, headers=(("Content-Type", Format.JSON.value),), body=go_json(document, indented=True)
    )


def negotiate(accept: Accept, code: int, document: Document, allowed: Transforms = nothing_else) -> Response:
    """Answer in what the client accepts, a refusal in indented JSON when that is nothing.

    Never raises StatusError.
    """
    try:
        media_type = accept.agree(allowed)
    except StatusError as error:
        # A refusal must reach the client whatever it accepts.
        return raw(code, document) if code >= 400 else raw(error.code, error.document)
    return encode(media_type, code, document)


def encode(media_type: MediaType, code: int, document: Document) -> Response:
    """Answer in one representation."""
    content_type = media_type.format.value
    if media_type.transform is not None:
        content_type += ";g={};v={};as={}".format(*media_type.transform)
    return Response(code=code, headers=(("Content-Type", content_type),), body=_body(media_type, document))


def _body(media_type: MediaType, document: Document) -> bytes:
    if media_type.format is Format.YAML:
        return go_yaml(document)
    if media_type.format is Format.PROTOBUF:
        return protobuf.encode(document)
    return go_json(document, indented=True) if media_type.pretty else go_json(document) + b"\n"


def _valid(document: Any) -> Any:
    """Put U+FFFD in place of bytes that are no UTF-8."""
    if isinstance(document, str):
        return document.encode(errors="surrogateescape").decode(errors="replace")
    if isinstance(document, Mapping):
        return {key: _valid(value) for key, value in document.items()}
    return [_valid(item) for item in document] if isinstance(document, list | tuple) else document


class _Dumper(yaml.CSafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def _string(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Quote a string twice where it would read as something else, and write several lines as a block."""
    tag = "tag:yaml.org,2002:str"
    resolved: str = dumper.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    # As go-yaml: `yes`, `1` and `null` are quoted, several lines become a block.
    style = "|" if "\n" in text else None if resolved == tag else '"'
    return dumper.represent_scalar(tag, text, style=style)


_Dumper.add_representer(str, _string)
