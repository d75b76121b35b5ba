"""Wrong about what is told of the Workloads that wait, and in which form (VIS-201…231, VIS-310)."""

from dataclasses import replace
from weakref import WeakKeyDictionary

from reference_impl.kueue.visibility import discovery, fragments, layouts, negotiation
from reference_impl.kueue.visibility.listing import Listing
from reference_impl.kueue.visibility.negotiation import Accept, MediaType
from reference_impl.kueue.visibility.openapi import endpoints
from reference_impl.kueue.visibility.status import StatusError
from reference_impl.kueue.visibility.summaries import PendingWorkloads

from ...killing.planes import wrong

ANSWERED = WeakKeyDictionary()
"""What each server has answered before, by target."""


@wrong((Listing, "_head"))
def tells_the_preferred_version(head, listing, version):
    """Breaks VIS-208: writes the newest version into every answer; VSB-091 should catch it."""
    return head(listing, listing.surface.preferred_version)


@wrong((Listing, "_head"))
def calls_it_a_list(head, listing, version):
    """Breaks VIS-201: names the kind of the answer as lists are named; VSB-088 must catch it."""
    return {**head(listing, version), "kind": "PendingWorkloadList"}


@wrong((fragments, "metadata_of"))
def drops_the_owners(metadata_of, workload):
    """Breaks VIS-204: does not tell the Job of a Workload; VSB-089 must catch it."""
    return {key: value for key, value in metadata_of(workload).items() if key != "ownerReferences"}


@wrong((fragments, "metadata_of"))
def tells_whole_owners(metadata_of, workload):
    """Breaks VIS-204: lists also whether an owner is the controller; VSB-089 must catch it."""
    owners = workload.metadata.get("ownerReferences")
    return {**metadata_of(workload), **({"ownerReferences": owners} if owners else {})}


@wrong((fragments, "metadata_of"))
def tells_all_metadata(metadata_of, workload):
    """Breaks VIS-203: tells uid, labels and annotations; VSB-088 must catch it."""
    return dict(workload.metadata)


@wrong((fragments, "_item"))
def leaves_out_a_priority_of_nothing(item, workload):
    """Breaks VIS-202: leaves out fields that are 0; VSB-088 must catch it."""
    return {key: value for key, value in item(workload).items() if value != 0}


@wrong((fragments, "_item"))
def tells_a_priority_of_one_byte(item, workload):
    """Breaks VIS-205: tells priorities above 127 as 127; VSB-090 must catch it."""
    pending_item = item(workload)
    return {**pending_item, "priority": min(pending_item["priority"], 127)}


@wrong((fragments, "_item"))
def tells_the_namespace_of_a_queue(item, workload):
    """Breaks VIS-206: puts the namespace before the name of the LocalQueue; VSB-088 must catch it."""
    return {**item(workload), "localQueueName": f"{workload.namespace}/{workload.queue_name}"}


@wrong((layouts, "empty"))
def has_null_items(empty, *args):
    """Breaks VIS-105: writes null where nothing waits; VSB-071 must catch it."""
    return empty(*args).replace(b'"items":[]', b'"items":null')


@wrong((PendingWorkloads, "of_cluster_queue"))
async def answers_from_memory(answer, pending, version, request):
    """Breaks VIS-533: answers the same request as it did before; VSB-001 must catch it."""
    answered = ANSWERED.setdefault(pending, {})
    if request.request.target not in answered:
        answered[request.request.target] = await answer(pending, version, request)
    return answered[request.request.target]


@wrong((Accept, "agree"))
def speaks_json_only(agreed, *args):
    """Breaks VIS-221: answers in JSON whatever is asked for; VSB-093 should catch it."""
    return MediaType()


@wrong((Accept, "agree"))
def speaks_json_where_it_cannot_do_better(agreed, *args):
    """Breaks VIS-223: answers in JSON where nothing is acceptable that it has; VSB-094 should catch it."""
    try:
        return agreed(*args)
    except StatusError:
        return MediaType()


@wrong((Listing, "_refuse_protobuf"))
def calls_json_protobuf(refuse, listing, version):
    """Breaks VIS-222: writes JSON and calls it Protobuf; VSB-094 should catch it."""


@wrong((Listing, "_refuse_transform"))
def calls_a_list_its_metadata(refuse, *args):
    """Breaks VIS-225: answers with the list where metadata is asked for; VSB-094 should catch it."""


@wrong((Accept, "agree"))
def makes_kubectl_draw_no_table(agreed, accept, *args):
    """Breaks VIS-224: refuses where a table would be preferred; VSB-092 should catch it."""
    first = replace(accept, clauses=accept.clauses[:1])
    return agreed(first, *args)


@wrong((negotiation, "_is_pretty"))
def never_indents(*_):
    """Breaks VIS-130: writes in one line for every client; VSB-095 should catch it."""
    return False


@wrong((endpoints, "_schemas"))
def describes_no_item(schemas, *args, **kwargs):
    """Breaks VIS-310: leaves the type of an item out of its OpenAPI documents; VSB-097 should catch it."""
    return {
        name: schema
        for name, schema in schemas(*args, **kwargs).items()
        if not name.endswith("PendingWorkload")
    }


@wrong((discovery, "_entries"))
def says_that_queues_can_be_listed(entries, resource):
    """Breaks VIS-303: offers verbs for what can only be read by its list; VSB-096 should catch it."""
    return [{**entry, "verbs": ["get", "list"]} for entry in entries(resource)]
