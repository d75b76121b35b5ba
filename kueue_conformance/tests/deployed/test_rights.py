"""The reference under exactly the rights that are printed:
nothing is refused, nothing is allowed in vain (AC-370…375).
"""

import pytest

from fakecluster.faults import Answer

from .site import Site
from .story import Story

NEVER_ASKED = {
    "authentication.k8s.io tokenreviews create": "asked when a bearer token comes to the visibility server",
    "authorization.k8s.io subjectaccessreviews create": "asked for every request to the visibility server",
    "autoscaling.x-k8s.io provisioningrequests/finalizers update": "as that of Jobs",
    "batch jobs/finalizers update": "asked of an access review only, by OwnerReferencesPermissionEnforcement",
    "kueue.x-k8s.io workloads/finalizers update": "as that of Jobs",
}


def rights(site):
    """Return what the program is allowed: (group, resource with subresource, verb)."""
    bound = {manifest["roleRef"]["name"] for manifest in site.objects if "roleRef" in manifest}
    roles = [
        manifest for manifest in site.objects if "rules" in manifest and manifest["metadata"]["name"] in bound
    ]
    return {
        (group, resource, verb)
        for role in roles
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


def spoil(site):
    """Leave a Secret that is no keyring, and a server that has no watch-lists for the next who asks."""
    secret = "/api/v1/namespaces/kueue-system/secrets/kueue-webhook-server-cert"
    site.ask("PATCH", secret, {"data": {"tls.crt": "aGk="}})
    for _, resource, verb in rights(site):
        if verb == "list":
            site.cluster.faults.add(
                Answer(422, "Invalid", "no watch-list"), verb="watch", resource=resource, times=1
            )


@pytest.fixture(scope="module")
def whole_life(tmp_path_factory):
    """A cluster in which two replicas have worked, the second without watch-lists."""
    with Site(tmp_path_factory.mktemp("site")) as site:
        story = Story(site)
        expected_rights = {right for right in rights(site) if " ".join(right) not in NEVER_ASKED}
        refused = {resource for _, resource, verb in expected_rights if verb == "list"}
        assert site.replica(site.port).stdout.readline().startswith("ready ")
        site.await_trust()
        story.queues()
        story.provide()
        story.alone()
        workload = story.reserve("one")
        story.answer(workload, "Ready")
        story.running("one")
        story.answer(story.workload(lambda job_workload: job_workload["status"].get("admission")), "Retry")
        story.await_stop("one")
        story.change_job("one")
        story.recreate_workload()
        story.remove_unused()
        story.remove_share()
        spoil(site)
        site.replica()
        site.wait(
            lambda: {entry.resource for entry in site.of_the_account() if entry.verb == "list"} >= refused
        )
        yield site


def test_nothing_is_refused(whole_life):
    assert [entry.line() for entry in whole_life.of_the_account() if entry.code in {401, 403}] == []


def test_every_right_is_used(whole_life):
    used = {
        (entry.group, entry.target, entry.verb) for entry in whole_life.of_the_account() if entry.code < 400
    }

    assert [" ".join(right) for right in sorted(rights(whole_life) - used)] == list(NEVER_ASKED)
