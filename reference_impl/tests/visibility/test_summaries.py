"""The pages: what an item holds, what is encoded once, what costs nothing (VIS-201…210, VIS-961)."""

from __future__ import annotations

import asyncio
import json

import pytest

from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.view import PositionedWorkload, QueueView
from reference_impl.kueue.visibility import fragments
from reference_impl.kueue.visibility.serialization import go_json, go_yaml
from reference_impl.kueue.visibility.server import visibility
from reference_impl.kueue.visibility.surface import ApiSurface
from reference_impl.runtime.serving.exchange import Request

from .doubles import BASE, CQ, LQ, NOW, Doors, Server, seven, site, workload


def test_an_item_holds_what_is_promised_and_nothing_else_vis_202():
    items = json.loads(Server().ask(f"{CQ}?offset=1&limit=1").body)["items"]

    assert items == [
        {
            "metadata": {
                "name": "w2",
                "namespace": "kvis-b",
                "creationTimestamp": "2026-11-20T10:00:00Z",
                "ownerReferences": [
                    {"apiVersion": "example.com/v1", "kind": "Run", "name": "first", "uid": "u-1"},
                    {"apiVersion": "v1", "kind": "ConfigMap", "name": "second", "uid": "u-2"},
                ],
            },
            "priority": 60,
            "localQueueName": "main",
            "positionInClusterQueue": 1,
            "positionInLocalQueue": 0,
        }
    ]


def test_a_local_queue_shows_its_own_alone_vis_460():
    body = Server().ask(LQ).body

    assert [item["metadata"]["name"] for item in json.loads(body)["items"]] == ["w1", "w4", "w6"]
    assert b"kvis-b" not in body


class TestFragments:
    def test_a_workload_is_encoded_once_and_positions_are_not_kept_vis_961(self):
        waiting = workload("ns", "a<b", "lq", 3)
        first = fragments.item(PositionedWorkload(waiting, 4, 2))
        waiting.metadata["name"] = "renamed behind the back"

        second = fragments.item(PositionedWorkload(waiting, 5, 3))

        assert b'"name":"a\\u003cb"' in first
        assert second == first.replace(b":4,", b":5,").replace(b":2}", b":3}")

    def test_a_changed_workload_is_encoded_anew(self):
        server = Server()
        before = json.loads(server.ask(f"{LQ}?limit=1").body)["items"][0]
        server.queues.push(PendingWorkload.of(workload("kvis-a", "w1", "main", 99), frozenset()), NOW)

        after = json.loads(server.ask(f"{LQ}?limit=1").body)["items"][0]

        assert (before["priority"], after["priority"]) == (70, 99)


class _Counting(QueueView):
    """Keeps what was read of a queue."""

    def __init__(self, queues):
        super().__init__(queues)
        self.read = []

    def cluster_queue(self, name):
        queue, read = super().cluster_queue(name), self.read

        class Counted:
            generation = 0

            def __len__(self):
                return len(queue)

            def page(self, offset, limit):
                for ranked in queue.page(offset, limit):
                    read.append(ranked.workload.name)
                    yield ranked

        return Counted()


class TestPages:
    @pytest.mark.parametrize(
        ("query", "read"),
        [("limit=2&offset=1", ["w2", "w3"]), ("limit=-1", []), (f"offset={2**63 - 1}", []), ("offset=7", [])],
    )
    def test_no_more_is_read_than_shown(self, query, read):
        view, doors = _Counting(seven()), Doors()
        handler = visibility(view, doors.guards, site())

        asyncio.run(handler(Request(method="GET", target=f"{CQ}?{query}")))

        assert view.read == read

    @pytest.mark.parametrize("accept", ["application/json", "application/json;pretty=1", "application/yaml"])
    def test_a_page_is_of_one_moment_however_long_it_takes_vis_530(self, accept):
        queues = seven()
        for at in range(3000):
            queues.push(PendingWorkload.of(workload("kvis-a", f"z{at:04}", "main", -9), frozenset()), NOW)
        server = Server(queues=queues)
        target = f"{CQ}?limit=2500&offset=1"

        async def asked(change):
            request = Request(method="GET", target=target, headers=(("accept", accept),))
            answer = asyncio.ensure_future(server.handler(request))
            await asyncio.sleep(0)
            change()
            assert not answer.done()
            return (await answer).body

        expected = asyncio.run(asked(lambda: None))

        def changed():
            queues.delete("kvis-a/w7")
            queues.push(PendingWorkload.of(workload("kvis-a", "new", "main", 99), frozenset()), NOW)

        assert asyncio.run(asked(changed)) == expected
        assert server.ask(target, headers={"accept": accept}).body != expected

    @pytest.mark.parametrize("accept", ["application/json;pretty=1", "application/yaml"])
    def test_items_are_laid_out_as_the_whole_document_would_be(self, accept):
        server = Server()
        document = json.loads(server.ask(CQ).body)
        manifest = {
            "application/yaml": go_yaml(document),
            "application/json;pretty=1": go_json(document, indented=True),
        }

        assert server.ask(CQ, headers={"accept": accept}).body == manifest[accept]


class TestReleases:
    @pytest.mark.parametrize(
        ("release", "versions"),
        [
            ((0, 6), ("v1alpha1",)),
            ((0, 9), ("v1beta1", "v1alpha1")),
            ((0, 10), ("v1beta1",)),
            ((0, 19, 2), ("v1beta2", "v1beta1")),
        ],
    )
    def test_versions_vis_d01(self, release, versions):
        surface = ApiSurface.of(release)

        assert (surface.versions, surface.preferred_version) == (versions, versions[0])

    def test_v0_6_serves_its_own_version_alone_vis_210(self):
        server = Server(at=site((0, 6, 2)))
        body = server.ask(f"{BASE}/v1alpha1/clusterqueues/kvis-cq-empty/pendingworkloads").body

        assert json.loads(body)["metadata"] == {"creationTimestamp": None}
        assert server.ask(CQ).code == 404
