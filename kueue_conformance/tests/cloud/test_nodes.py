"""Machines of the cloud as Nodes in an API server: they come, become ready, and go, and pods go with them."""

from fakecluster.faults import Answer
from reference_impl.cloud.failures import FailureRule, NeverRegister, RegisterNotReady, Reject, Slow, Stockout
from reference_impl.cloud.groups import NodeGroupSpec

from .site import site

GROUP = NodeGroupSpec("ng-a", max=5, boot_seconds=60, ready_seconds=5)


def test_a_machine_boots_registers_and_is_ready():
    with site(GROUP) as cloud_site:
        cloud_site.ask(lambda model: model.increase("ng-a", 1))
        cloud_site.cluster.advance(59)
        before = cloud_site.nodes
        cloud_site.cluster.advance(1)
        booted = cloud_site.nodes
        cloud_site.cluster.advance(5)

        assert (before, booted, cloud_site.nodes) == ({}, {"ng-a-1": False}, {"ng-a-1": True})


def test_a_deleted_machine_takes_its_pods_along():
    with site(NodeGroupSpec("ng-a", target=1)) as cloud_site:
        cloud_site.pod("p")
        bound = cloud_site.pods
        cloud_site.ask(lambda model: model.delete_nodes("ng-a", ["sim:///ng-a/ng-a-1"]))

        assert (bound, cloud_site.nodes, cloud_site.pods) == ({"p": "ng-a-1"}, {}, {})


def test_a_pod_waits_for_a_node_that_takes_it():
    with site(GROUP) as cloud_site:
        cloud_site.pod("p", cpu="5")
        without = cloud_site.pods
        cloud_site.ask(lambda model: model.increase("ng-a", 1))
        cloud_site.cluster.advance(65)
        small = cloud_site.pods
        cloud_site.pod("q", cpu="3")

        assert without == {"p": "no nodes available to schedule pods"}
        assert small == {"p": "0/1 nodes are available: 1 Insufficient cpu."}
        assert cloud_site.pods["q"] == "ng-a-1"


def test_a_cloud_that_is_started_again_takes_over_its_nodes():
    with site(NodeGroupSpec("ng-a", target=2, max=5)) as cloud_site:
        cloud_site.stop(cloud_site.managers[0])
        anew = cloud_site.anew(NodeGroupSpec("ng-a", target=2, max=5))
        cloud_site.ask(lambda model: model.increase("ng-a", 1))

        assert sorted(machine.id for machine in anew.machines) == ["ng-a-1", "ng-a-2", "ng-a-3"]
        assert cloud_site.nodes == {"ng-a-1": True, "ng-a-2": True}


def test_an_autoscaler_gets_nodes_for_a_pod_and_gives_them_back():
    with site(
        GROUP,
        scale_down_unneeded_time=30.0,
        scale_down_delay_after_add=0.0,
        unremovable_node_recheck_timeout=10.0,
    ) as cloud_site:
        cloud_site.pod("p")
        cloud_site.cluster.advance(90)
        bound = cloud_site.pods
        cloud_site.delete("p")
        cloud_site.cluster.advance(60)

        assert (bound, cloud_site.nodes, cloud_site.model.group("ng-a").target) == ({"p": "ng-a-1"}, {}, 0)
        assert [(item.method, item.result) for item in cloud_site.model.journal] == [
            ("increase", ""),
            ("delete_nodes", ""),
        ]


def test_what_fails_in_the_cloud_does_not_come():
    rules = {
        "reject": Reject(),
        "stockout": Stockout(succeed=1, error_delay_seconds=5),
        "never": NeverRegister(),
        "unready": RegisterNotReady(),
        "slow": Slow(extra_seconds=100),
    }
    with site(*(NodeGroupSpec(name, max=5) for name in rules)) as cloud_site:
        for name, action in rules.items():
            cloud_site.model.plan.add(FailureRule(action, group=name))
        for name in list(rules)[1:]:
            cloud_site.ask(lambda model, name=name: model.increase(name, 2))
        cloud_site.cluster.advance(65)
        text = {
            group.id: [instance.error is None for instance in group.instances]
            for group in cloud_site.model.groups()
        }

        assert cloud_site.nodes == {"stockout-1": True, "unready-1": False, "unready-2": False}
        assert text["stockout"] == [True, False]
        cloud_site.cluster.advance(100)
        assert cloud_site.nodes["slow-2"]


def test_a_pod_that_waits_is_tried_again_when_room_becomes_free():
    with site(NodeGroupSpec("ng-a", target=1, cpu="4")) as cloud_site:
        cloud_site.pod("first", cpu="3")
        cloud_site.pod("second", cpu="3")
        waiting = cloud_site.pods["second"]
        cloud_site.delete("first")

        assert (waiting, cloud_site.pods) == (
            "0/1 nodes are available: 1 Insufficient cpu.",
            {"second": "ng-a-1"},
        )


def test_a_pod_is_bound_although_the_api_server_fails_for_a_while():
    with site(NodeGroupSpec("ng-a", target=1)) as cloud_site:
        cloud_site.cluster.faults.add(Answer(503), verb="create", resource="pods/binding", times=3)
        cloud_site.pod("p")
        cloud_site.cluster.advance(1)

        assert cloud_site.pods == {"p": "ng-a-1"}


def test_a_revoked_machine_takes_the_word_of_its_request_back():
    with site(NodeGroupSpec("ng-a", target=1)) as cloud_site:
        metadata = {"name": "r", "namespace": "default"}
        pods = [{"count": 1, "podTemplateRef": {"name": "t"}}]
        cloud_site.cluster.apply(
            [
                {
                    "apiVersion": "autoscaling.x-k8s.io/v1",
                    "kind": "ProvisioningRequest",
                    "metadata": metadata,
                    "spec": {"provisioningClassName": "queued.example.com", "podSets": pods},
                },
            ]
        )
        cloud_site.ask(lambda model: model.take_away("ng-a-1", revoke="default/r"))
        stored = cloud_site.cluster.request(
            "GET", "/apis/autoscaling.x-k8s.io/v1/namespaces/default/provisioningrequests/r"
        )

        assert cloud_site.nodes == {}
        assert [
            (condition["type"], condition["status"], condition["message"])
            for condition in stored["status"]["conditions"]
        ] == [("CapacityRevoked", "True", "Capacity was revoked by the provider")]
