"""What comes back in which form: Accept, pretty, YAML, protobuf, gzip (VIS-220…228, VC-11…16)."""

from __future__ import annotations

import asyncio
import gzip
import json

import pytest
import yaml

from reference_impl.kueue.visibility import protobuf
from reference_impl.kueue.visibility.compression import THRESHOLD_BYTES, compress
from reference_impl.kueue.visibility.negotiation import Accept, Format
from reference_impl.kueue.visibility.serialization import go_json, go_yaml
from reference_impl.kueue.visibility.status import StatusError
from reference_impl.kueue.visibility.url import Url
from reference_impl.runtime.serving.exchange import Request, Response

from .doubles import BASE, CQ, Server, header


def negotiate(accept, agent="", target="/"):
    return Accept.of(accept, agent, Url.of(target)).agree()


class TestAccept:
    @pytest.mark.parametrize(
        ("accept", "expected"),
        [
            ("application/json;q=0.1,application/yaml;q=0.9", Format.YAML),
            ("application/yaml;q=0,application/json;q=abc", Format.YAML),
            ("application/yaml;q=0", Format.YAML),
            ("*/*, application/yaml;q=0.1", Format.YAML),
            ("*", Format.JSON),
            ("application/*", Format.JSON),
            ("text/html, application/yaml", Format.YAML),
            ("a/b/c, application/ yaml ", Format.YAML),
            ("application/yaml;sv=v1,application/json", Format.JSON),
            ("application/yaml;stream=x,application/json", Format.JSON),
        ],
    )
    def test_format(self, accept, expected):
        assert negotiate(accept).format is expected

    @pytest.mark.parametrize(
        "accept", ["text/html", "application/json;as=Table", "application/json;g=x", ","]
    )
    def test_nothing(self, accept):
        with pytest.raises(StatusError):
            negotiate(accept)

    @pytest.mark.parametrize(
        ("agent", "target", "expected"),
        [
            ("curl/8.0", "/", True),
            ("Curl/8.0", "/", False),
            ("Mozilla/5.0 (X11)", "/", True),
            ("Wget", "/?pretty=0", False),
            ("", "/?pretty=t", True),
            ("", "/?pretty=yes", False),
            ("curl/8.0", "/?pretty=", True),
        ],
    )
    def test_pretty_vis_130(self, agent, target, expected):
        assert negotiate(None, agent, target).pretty is expected

    def test_a_wildcard_comes_after_what_is_named(self):
        assert not negotiate("*/*;pretty=1, application/*").pretty

    def test_a_transform_of_an_unknown_group_is_refused_like_a_table(self):
        accept = {"accept": "application/json;as=PartialObjectMetadata;v=v9;g=meta.k8s.io"}
        message = json.loads(Server().ask(f"{CQ}?limit=x", headers=accept).body)["message"]

        assert message.startswith("only the following media types are accepted")

    def test_a_list_of_metadata_is_not_what_it_is_vc_12(self):
        accept = {
            "accept": "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"
        }
        message = json.loads(Server().ask(CQ.replace("v1beta2", "v1beta1"), headers=accept).body)["message"]

        assert message.endswith("but the requested object is not a list (*v1beta2.PendingWorkloadsSummary)")

    def test_protobuf_first_is_refused_even_with_json_second_vis_222(self):
        accept = "application/vnd.kubernetes.protobuf,application/json"

        assert Server().ask(CQ, headers={"accept": accept}).code == 406
        assert Server().ask(CQ, headers={"accept": ",".join(reversed(accept.split(",")))}).code == 200


class TestText:
    def test_json_is_escaped_as_go_escapes_it(self):
        assert go_json({"a": "<&>\u2028\x00"}) == b'{"a":"\\u003c\\u0026\\u003e\\u2028\\u0000"}'

    def test_bytes_that_are_no_text_are_replaced(self):
        response = Server().ask(f"{BASE}/v1beta2/clusterqueues/%ff/pendingworkloads")

        document = json.loads(response.body)
        assert document["message"] == 'clusterqueue.visibility.kueue.x-k8s.io "\\xff" not found'
        assert document["details"]["name"] == "\ufffd"

    @pytest.mark.parametrize("text", ["true", "12", "2026-11-20T10:00:00Z", "", "null"])
    def test_yaml_keeps_strings_strings(self, text):
        assert go_yaml({"a": text}) == f'a: "{text}"\n'.encode()

    def test_yaml_of_a_page_is_its_json(self):
        server = Server()
        written = server.ask(CQ, headers={"accept": "application/yaml"})

        assert yaml.safe_load(written.body.decode()) == json.loads(server.ask(CQ).body)
        assert header(written, "Content-Type") == "application/yaml"


class TestProtobuf:
    def test_a_status_in_its_envelope(self):
        response = Server().ask(f"{CQ}?limit=x", headers={"accept": "application/vnd.kubernetes.protobuf"})

        message = b'strconv.ParseInt: parsing "x": invalid syntax'
        status = (
            b"\x0a\x06\x0a\x00\x12\x00\x1a\x00\x12\x07Failure\x1a"
            + bytes([len(message)])
            + message
            + b"\x22\x0aBadRequest\x30\x90\x03"
        )
        about = b"\x0a\x0c\x0a\x02v1\x12\x06Status"
        assert (
            response.body
            == b"k8s\x00" + about + b"\x12" + bytes([len(status)]) + status + b"\x1a\x00\x22\x00"
        )

    def test_details_are_written_even_when_empty(self):
        document = {"kind": "Status", "apiVersion": "v1", "details": {}, "code": 404}

        assert b"\x2a\x0a\x0a\x00\x12\x00\x1a\x00\x28\x00\x32\x00\x30\x94\x03" in protobuf.encode(document)

    def test_resources_with_no_verbs_have_an_empty_list(self):
        accept = {"accept": "application/vnd.kubernetes.protobuf"}
        body = Server().ask(f"{BASE}/v1beta2", headers=accept).body

        resource = b"\x0a\x0dclusterqueues\x10\x00\x1a\x17PendingWorkloadsSummary\x22\x00\x32\x0cclusterqueue"
        assert resource in body
        assert b"\x22\x05\x0a\x03get" in body


class TestCompression:
    def squeezed(self, body, accepted="br, gzip", content_type="application/json"):
        request = Request(method="GET", target="/", headers=(("accept-encoding", accepted),))
        answer = Response(code=200, headers=(("Content-Type", content_type),), body=body)
        return asyncio.run(compress(request, answer))

    def test_from_the_threshold_on_vis_228(self):
        body = b"x" * (3 << 20)
        response = self.squeezed(body)

        assert gzip.decompress(response.body) == body
        assert header(response, "Content-Encoding") == "gzip"
        assert header(response, "Vary") == "Accept-Encoding"

    @pytest.mark.parametrize(
        ("size", "accepted", "content_type"),
        [
            (THRESHOLD_BYTES, "gzip", "application/json"),
            (THRESHOLD_BYTES + 1, "gzip;q=1", "application/json"),
            (THRESHOLD_BYTES + 1, "deflate", "application/json"),
            (THRESHOLD_BYTES + 1, "gzip", "text/plain"),
        ],
    )
    def test_not_otherwise(self, size, accepted, content_type):
        assert len(self.squeezed(b"x" * size, accepted, content_type).body) == size
