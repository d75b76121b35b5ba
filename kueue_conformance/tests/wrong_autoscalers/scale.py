"""Right for a few and wrong for many (PR-234)."""

from dataclasses import replace

from reference_impl.autoscaler import static_autoscaler
from reference_impl.autoscaler.groups import plan
from reference_impl.autoscaler.requests.selection import SelectedRequests

from ..killing.planes import wrong


@wrong((SelectedRequests, "__call__"))
def knows_the_first_hundred_requests(right, self):
    """Breaks PR-234: reads one page of the requests; PRQ-280 must catch it."""
    page = {position.uid for position in self._followed._requests.all()[:100]}
    return [position for position in right(self) if position.uid in page]


@wrong((static_autoscaler, "cluster_state_of"))
def makes_no_group_larger_than_a_hundred(right, groups, *arguments):
    """Breaks PR-234: takes a group of a hundred nodes for as large as it may be; PRQ-281 must catch it."""
    return right([replace(group, max=min(group.max, 100)) for group in groups], *arguments)


@wrong((plan, "pack"))
def packs_ten_thousand_pods(right, pods, *arguments):
    """Breaks PR-234: asks for the nodes of ten thousand pods at most; PRQ-282 must catch it."""
    return right(pods[:10_000], *arguments)
