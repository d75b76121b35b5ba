"""Paths for operators: health with checks that fail, metrics, debug paths, unknown roots (VIS-112,
VIS-313…317, VC-18, VC-23).
"""

from __future__ import annotations

import json

import pytest

from .doubles import CQ, Server, header, site

SICK = site(checks={"informer-sync": lambda: False})


class TestHealth:
    def test_a_failed_check_is_told_without_a_reason(self):
        response = Server(at=SICK).ask("/readyz")

        lines = response.body.decode().split("\n")
        assert response.code == 500
        assert "[-]informer-sync failed: reason withheld" in lines
        assert lines[-2:] == ["readyz check failed", ""]

    def test_other_paths_are_not_concerned(self):
        assert Server(at=SICK).ask("/livez").body == b"ok"

    def test_a_failed_check_by_itself(self):
        assert Server(at=SICK).ask("/readyz/informer-sync").code == 500

    def test_an_excluded_check_does_not_fail(self):
        response = Server(at=SICK).ask("/readyz?exclude=informer-sync&verbose")

        assert "[+]informer-sync excluded: ok" in response.body.decode().split("\n")
        assert response.code == 200

    def test_what_cannot_be_excluded_is_told_vc_18(self):
        lines = Server().ask("/readyz?exclude=nonsense&verbose").body.decode().split("\n")

        assert lines[-3] == 'warn: some health checks cannot be excluded: no matches for "nonsense"'

    @pytest.mark.parametrize("method", ["POST", "DELETE", "FOO"])
    def test_every_method_is_answered(self, method):
        assert Server().ask("/healthz", method).body == b"ok"


class TestDebugging:
    @pytest.mark.parametrize(
        ("path", "code", "body"),
        [
            ("/debug/pprof", 302, b""),
            ("/debug/pprof/cmdline", 404, b"Unknown profile\n"),
            ("/debug/pprof/heap", 200, b""),
            ("/debug/flags/v", 406, b"unsupported http method\n"),
        ],
    )
    def test_answers_vc_23(self, path, code, body):
        response = Server().ask(path)

        assert (response.code, response.body) == (code, body)

    def test_requests_are_counted_and_nothing_that_a_client_made_up(self):
        server = Server()
        server.ask(CQ)
        server.ask(f"/apis/made-up/v1/things/{'x' * 9}", "MADEUP")

        text = server.ask("/metrics").body.decode()
        labels = 'group="visibility.kueue.x-k8s.io",resource="clusterqueues",subresource="pendingworkloads"'
        assert f'apiserver_request_total{{code="200",{labels},verb="GET",version="v1beta2"}} 1' in text
        assert "made-up" not in text
        assert "MADEUP" not in text

    def test_statusz_is_text_alone(self):
        server = Server()

        assert b"v0.19.2" in server.ask("/statusz", headers={"accept": "text/plain"}).body
        assert server.ask("/statusz", headers={"accept": "application/json"}).code == 406


class TestRoots:
    @pytest.mark.parametrize(
        "path", ["/api", "/apis/kueue.x-k8s.io/v1beta2", "//apis/x", "/logs", "/configz", "/apis//x"]
    )
    def test_unknown_roots_are_told_which_there_are_vis_112(self, path):
        response = Server().ask(path)

        assert response.code == 404
        assert "/apis/visibility.kueue.x-k8s.io/v1beta2" in json.loads(response.body)["paths"]

    def test_version_tells_the_build_vis_312(self):
        build = json.loads(Server().ask("/version").body)

        assert (build["gitVersion"], build["major"], build["minor"]) == ("v0.19.2", "0", "19")

    def test_version_has_nothing_below_it(self):
        assert json.loads(Server().ask("/version/x").body)["kind"] == "Status"

    def test_a_head_has_no_body(self):
        response = Server().ask("/", "HEAD")

        assert (response.code, response.body, header(response, "Content-Type")) == (
            200,
            b"",
            "application/json",
        )
