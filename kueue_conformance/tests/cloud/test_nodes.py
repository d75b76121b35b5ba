"""Machines of the cloud as Nodes in an API server: they come, become ready, and go, and pods go with them."""

from fakecluster.faults import Answer
from reference_impl.cloud.failures import FailureRule, NeverRegister, RegisterNotReady, Reject, Slow, Stockout
from reference_impl.cloud.groups import NodeGroupSpec

from .site import site

GROUP = NodeGroupSpec("ng-a", max=5, boot_seconds=60, ready_seconds=5)


def test_a_machine_boots_registers_and_is_ready():
    with site(GROUP) as here:
        here.ask(lambda model: model.increase("ng-a", 1))
        here.cluster.advance(59)
        before = here.nodes
        here.cluster.advance(1)
        booted = here.nodes
        here.cluster.advance(5)

        assert (before, booted, here.nodes) == ({}, {"ng-a-1": False}, {"ng-a-1": True})


def test_a_deleted_machine_takes_its_pods_along():
    with site(NodeGroupSpec("ng-a", target=1)) as here:
        here.pod("p")
        bound = here.pods
        here.ask(lambda model: model.delete_nodes("ng-a", ["sim:///ng-a/ng-a-1"]))

        assert (bound, here.nodes, here.pods) == ({"p": "ng-a-1"}, {}, {})


def test_a_pod_waits_for_a_node_that_takes_it():
    with site(GROUP) as here:
        here.pod("p", cpu="5")
        without = here.pods
        here.ask(lambda model: model.increase("ng-a", 1))
        here.cluster.advance(65)
        small = here.pods
        here.pod("q", cpu="3")

        assert without == {"p": "no nodes available to schedule pods"}
        assert small == {"p": "0/1 nodes are available: 1 Insufficient cpu."}
        assert here.pods["q"] == "ng-a-1"


def test_a_cloud_that_is_started_again_takes_over_its_nodes():
    with site(NodeGroupSpec("ng-a", target=2, max=5)) as here:
        here.stop(here.managers[0])
        anew = here.anew(NodeGroupSpec("ng-a", target=2, max=5))
        here.ask(lambda model: model.increase("ng-a", 1))

        assert sorted(machine.id for machine in anew.machines) == ["ng-a-1", "ng-a-2", "ng-a-3"]
        assert here.nodes == {"ng-a-1": True, "ng-a-2": True}


def test_an_autoscaler_gets_nodes_for_a_pod_and_gives_them_back():
    with site(
        GROUP,
        scale_down_unneeded_time=30.0,
        scale_down_delay_after_add=0.0,
        unremovable_node_recheck_timeout=10.0,
    ) as here:
        here.pod("p")
        here.cluster.advance(90)
        bound = here.pods
        here.delete("p")
        here.cluster.advance(60)

        assert (bound, here.nodes, here.model.group("ng-a").target) == ({"p": "ng-a-1"}, {}, 0)
        assert [(item.method, item.result) for item in here.model.journal] == [
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
    with site(*(NodeGroupSpec(name, max=5) for name in rules)) as here:
        for name, action in rules.items():
            here.model.plan.add(FailureRule(action, group=name))
        for name in list(rules)[1:]:
            here.ask(lambda model, name=name: model.increase(name, 2))
        here.cluster.advance(65)
        text = {
            group.id: [instance.error is None for instance in group.instances]
            for group in here.model.groups()
        }

        assert here.nodes == {"stockout-1": True, "unready-1": False, "unready-2": False}
        assert text["stockout"] == [True, False]
        here.cluster.advance(100)
        assert here.nodes["slow-2"]


def test_a_pod_that_waits_is_tried_again_when_room_becomes_free():
    with site(NodeGroupSpec("ng-a", target=1, cpu="4")) as here:
        here.pod("first", cpu="3")
        here.pod("second", cpu="3")
        waiting = here.pods["second"]
        here.delete("first")

        assert (waiting, here.pods) == (
            "0/1 nodes are available: 1 Insufficient cpu.",
            {"second": "ng-a-1"},
        )


def test_a_pod_is_bound_although_the_api_server_fails_for_a_while():
    with site(NodeGroupSpec("ng-a", target=1)) as here:
        here.cluster.faults.add(Answer(503), verb="create", resource="pods/binding", times=3)
        here.pod("p")
        here.cluster.advance(1)

        assert here.pods == {"p": "ng-a-1"}


def test_a_revoked_machine_takes_the_word_of_its_request_back():
    with site(NodeGroupSpec("ng-a", target=1)) as here:
        metadata = {"name": "r", "namespace": "default"}
        pods = [{"count": 1, "podTemplateRef": {"name": "t"}}]
        here.cluster.apply(
            [
                {
                    "apiVersion": "autoscaling.x-k8s.io/v1",
                    "kind": "ProvisioningRequest",
                    "metadata": metadata,
                    "spec": {"provisioningClassName": "queued.example.com", "podSets": pods},
                },
            ]
        )
        here.ask(lambda model: model.take_away("ng-a-1", revoke="default/r"))
        stored = here.cluster.request(
            "GET", "/apis/autoscaling.x-k8s.io/v1/namespaces/default/provisioningrequests/r"
        )

        assert here.nodes == {}
        assert [
            (condition["type"], condition["status"], condition["message"])
            for condition in stored["status"]["conditions"]
        ] == [("CapacityRevoked", "True", "Capacity was revoked by the provider")]
