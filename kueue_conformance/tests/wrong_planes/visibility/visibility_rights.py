"""Wrong about who may see which list of pending Workloads (VIS-401…460)."""

from dataclasses import replace

from reference_impl.kueue.deployment import users
from reference_impl.kueue.queueing.view import QueueView
from reference_impl.kueue.visibility.delegated import authentication, authorization
from reference_impl.kueue.visibility.delegated.authentication import DelegatedAuthenticator
from reference_impl.kueue.visibility.delegated.authorization import DelegatedAuthorizer
from reference_impl.kueue.visibility.delegated.identity import ANONYMOUS, user_named
from reference_impl.kueue.visibility.delegated.impersonation import Impersonation
from reference_impl.kueue.visibility.delegated.trust import STANDARD
from reference_impl.kueue.visibility.guards import Decision, UnauthenticatedError
from reference_impl.kueue.visibility.handler import Visibility
from reference_impl.kueue.visibility.request_context import RequestContext
from reference_impl.kueue.visibility.status import StatusError

from ...killing.planes import instead, wrong


@wrong((DelegatedAuthorizer, "authorize"))
async def answers_everybody(authorize, *args):
    """Breaks VIS-420: lets every user see every list; VSB-066 must catch it."""
    return Decision(allowed=True)


@wrong((DelegatedAuthorizer, "authorize"))
async def asks_nobody_about_local_lists(authorize, authorizer, user, attributes):
    """Breaks VIS-422: takes the list of a LocalQueue for
    one that every user may see; VSB-066 must catch it.
    """
    if attributes.resource == "localqueues":
        return Decision(allowed=True)
    return await authorize(authorizer, user, attributes)


@wrong((DelegatedAuthorizer, "authorize"))
async def asks_for_the_version_only(authorize, authorizer, user, attributes):
    """Breaks VIS-421: asks for the right to read the API's own description; VSB-066 must catch it."""
    about = replace(
        attributes, path="/version", group="", version="", resource="", subresource="", namespace="", name=""
    )
    return await authorize(authorizer, user, about)


@wrong((authorization, "spec_of"))
def asks_without_the_namespace(spec_of, user, attributes):
    """Breaks VIS-422: forgets the namespace when it asks about a right; VSB-066 must catch it."""
    return spec_of(user, replace(attributes, namespace=""))


@wrong((authorization, "spec_of"))
def asks_without_the_subresource(spec_of, user, attributes):
    """Breaks VIS-421: asks for the right to read the queue in place of its list; VSB-066 must catch it."""
    return spec_of(user, replace(attributes, subresource=""))


@wrong((authentication, "authenticate_proxied"))
def believes_what_clients_say_of_themselves(proxied, request, trust, at):
    """Breaks VIS-404: takes every client for the front proxy; VSB-064 must catch it."""
    return user_named(request, STANDARD)


@wrong((Impersonation, "_check"))
async def lets_everybody_act_as_another(check, *args):
    """Breaks VIS-409: asks for no right to act as another user; VSB-065 must catch it."""


@wrong((DelegatedAuthenticator, "authenticate"))
async def takes_bad_credentials_for_none(authenticate, authenticator, request):
    """Breaks VIS-406: takes a client with a bad token for an anonymous one; VSB-067 must catch it."""
    try:
        return await authenticate(authenticator, request)
    except UnauthenticatedError:
        return ANONYMOUS


@wrong((Visibility, "_authorize"))
async def looks_for_the_queue_before_it_asks_for_rights(authorized, handler, call):
    """Breaks VIS-141: tells users without rights which queues there are; VSB-068 must catch it."""
    try:
        await handler._endpoint(RequestContext(request=call.request, url=call.url, accept=call.accept))
    except StatusError as refusal:
        if refusal.code == 404:
            raise
    await authorized(handler, call)


@wrong((QueueView, "local_queue"))
def mixes_up_queues_of_one_name(local_queue, view, namespace, name):
    """Breaks VIS-460: answers for the last LocalQueue of a name,
    whatever its namespace is; VSB-060 must catch it.
    """
    spaces = [key.partition("/")[0] for key in view._queues.local_queues if key.endswith(f"/{name}")]
    return local_queue(view, max(spaces, default=namespace), name)


@wrong((QueueView, "local_queue"))
def lists_the_neighbours(local_queue, view, namespace, name):
    """Breaks VIS-460: lists in a LocalQueue what waits in its ClusterQueue; VSB-060 must catch it."""
    local = view._queues.local_queues.get(f"{namespace}/{name}")
    return view.cluster_queue(local.cluster_queue) if local else local_queue(view, namespace, name)


@wrong((users, "_pending"))
def keeps_its_roles_from_the_clusters_own(pending, short, plural, readers, release):
    """Breaks VIS-455: adds its rights to none of the cluster's own roles; VSB-052 should catch it."""
    return pending(short, plural, readers, replace(release, aggregate_to=()))


instead(
    authorization,
    "CACHE_SECONDS",
    86_400.0,
    called="remembers_rights_for_a_day",
    says="Breaks VIS-428: asks about the same right once a day; VSB-069 must catch it.",
)
instead(
    users,
    "PENDING",
    tuple((short, plural, (users.ADMINS, users.USERS)) for short, plural, _ in users.PENDING),
    called="lets_users_of_queues_see_the_whole_queue",
    says="Breaks VIS-451: opens the lists of ClusterQueues to those who may use LocalQueues; VSB-051 must catch it.",
)
instead(
    users,
    "PENDING",
    tuple((short, plural, (users.ADMINS,)) for short, plural, _ in users.PENDING),
    called="forgets_the_users_of_queues",
    says="Breaks VIS-441: opens the lists of LocalQueues to administrators only; VSB-051 must catch it.",
)
