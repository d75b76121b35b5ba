"""Wrong in what no scenario looks at: only safety rules see it (PR-377)."""

from contextlib import suppress
from dataclasses import replace

from reference_impl.api import instants
from reference_impl.api.kinds import PROVISIONING_REQUESTS
from reference_impl.autoscaler.cloud import CloudError
from reference_impl.autoscaler.expiration import RequestExpiration
from reference_impl.autoscaler.failed_instances import FailedInstances
from reference_impl.autoscaler.requests import conditions
from reference_impl.autoscaler.requests.request_cache import RequestCache
from reference_impl.runtime.errors import ApiError

from ..killing.planes import wrong

DONE: list[str] = []


@wrong((RequestExpiration, "end"))
async def tells_more_of_a_failure(right, self, current_time):
    """Breaks PR-098: says that it has taken up what has failed; rule PR-098 in PRQ-022 must catch it."""
    for item in self.requests.all():
        if item.is_true("Failed") and not item.is_true("Accepted"):
            await self.requests.put_status(item, conditions.IS_ACCEPTED)
    await right(self, current_time)


@wrong((RequestExpiration, "end"))
async def takes_the_end_back(right, self, current_time):
    """Breaks PR-073: says after a while that a booking is not over; rule PR-073 in PRQ-131 must catch it."""
    for item in self.requests.all():
        since = item.since("BookingExpired")
        if item.is_true("BookingExpired") and since is not None and since + 60 < current_time:
            back = replace(conditions.BOOKING_OVER, status=False)
            await self.requests.put_status(item, back)
    await right(self, current_time)


@wrong((conditions, "render"))
def stamps_the_future(right, new, request, current_time, **arguments):
    """Breaks PR-087: gives a condition a time that has not come; rule PR-087 in PRQ-001 must catch it."""
    return {
        **right(new, request, current_time, **arguments),
        "lastTransitionTime": instants.render(current_time + 3600),
    }


@wrong((conditions, "with_conditions"))
def rewords_what_others_say(right, request, news, current_time, *arguments):
    """Breaks PR-088: changes the text of another client's condition; rule PR-088 in PRQ-056 must catch it."""
    changed = right(request, news, current_time, *arguments)
    for condition in changed["status"]["conditions"]:
        if condition["type"] == "CapacityRevoked":
            condition["message"] = "seen"
    return changed


@wrong((conditions, "with_conditions"))
def removes_what_is_said(right, request, news, current_time, *arguments):
    """Breaks PR-091: removes Accepted with the answer; rule PR-091 in PRQ-003 must catch it."""
    changed = right(request, news, current_time, *arguments)
    conditions_left = [
        condition
        for condition in changed["status"]["conditions"]
        if condition["type"] != "Accepted" or conditions.IS_ACCEPTED in news
    ]
    return {**changed, "status": {**changed["status"], "conditions": conditions_left}}


async def _patch(self, request, body):
    with suppress(ApiError):
        await self._client.patch(PROVISIONING_REQUESTS, request.key, body)


@wrong((RequestCache, "put_status"))
async def labels_requests(right, self, request, *news, **arguments):
    """Breaks PR-008: puts a label on a request that it answers; rule PR-008 in PRQ-001 must catch it."""
    done = await right(self, request, *news, **arguments)
    if conditions.FOUND in news:
        await _patch(self, request, {"metadata": {"labels": {"seen": "true"}}})
    return done


@wrong((RequestCache, "put_status"))
async def adds_parameters(right, self, request, *news, **arguments):
    """Breaks PR-013: adds parameters to a request that it answers; rule PR-013 in PRQ-001 must catch it."""
    done = await right(self, request, *news, **arguments)
    if conditions.FOUND in news:
        await _patch(self, request, {"spec": {"parameters": {"seen": "true"}}})
    return done


@wrong((RequestCache, "put_status"))
async def makes_requests(right, self, request, *news, **arguments):
    """Breaks PR-020: makes another request like one that it answers; rule PR-020 in PRQ-001 must catch it."""
    done = await right(self, request, *news, **arguments)
    name = request.key.name
    if conditions.FOUND in news and not name.endswith("-too"):
        metadata = {"name": f"{name}-too", "namespace": request.key.namespace}
        body = {key: request.object[key] for key in ("apiVersion", "kind", "spec")}
        with suppress(ApiError):
            await self._client.create(PROVISIONING_REQUESTS, {**body, "metadata": metadata})
    return done


@wrong((RequestExpiration, "end"))
async def writes_requests_of_others(right, self, current_time):
    """Breaks PR-052: takes up requests of other classes before
    it deletes them; rule PR-052 in PRQ-077 must catch it.
    """
    for item in self.requests.all():
        if item.class_name.endswith("gke.io") and not item.is_true("Failed") and not item.is_true("Accepted"):
            await self.requests.put_status(item, conditions.IS_ACCEPTED)
    await right(self, current_time)


@wrong((FailedInstances, "_remove_broken"))
async def deletes_what_is_not_there(right, self, group, instances, current_time):
    """Breaks PR-377: gives up a machine that its group does not have;
    rule PR-377 in PRQ-150 must catch it.
    """
    is_done = await right(self, group, instances, current_time)
    with suppress(CloudError):
        await self.cloud.delete_nodes(group.id, [("none", "none")])
    return is_done
