"""What judges requests for pending Workloads, against a cluster with RBAC and under exactly the rights that
are installed (VIS-401…459, VIS-612).
"""

import asyncio
import io
import random

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from fakecluster import FakeCluster
from fakecluster.api.outcome import User as Account
from fakecluster.auth.certificates import Authority
from fakecluster.faults import Delay
from reference_impl.api import kinds
from reference_impl.api.resource import Key
from reference_impl.kueue.install import manifests
from reference_impl.kueue.visibility.attributes import GROUP, Attributes, User
from reference_impl.kueue.visibility.delegated.authentication import DelegatedAuthenticator
from reference_impl.kueue.visibility.delegated.authorities import Authorities
from reference_impl.kueue.visibility.delegated.authorization import DelegatedAuthorizer
from reference_impl.kueue.visibility.delegated.impersonation import Impersonation
from reference_impl.kueue.visibility.delegated.reviews import Reviews
from reference_impl.kueue.visibility.delegated.tokens import Tokens
from reference_impl.kueue.visibility.flow_control.control import SeatControl
from reference_impl.kueue.visibility.guards import AuthorizerError, ForbiddenError, UnauthenticatedError
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.client import Client
from reference_impl.runtime.errors import OutsideError
from reference_impl.runtime.informer import Informer
from reference_impl.runtime.log import Logger
from reference_impl.runtime.serving.exchange import Request

NAMESPACE = "kueue-system"
ACCOUNT = f"system:serviceaccount:{NAMESPACE}:kueue-reference"
GROUPS = ("system:serviceaccounts", f"system:serviceaccounts:{NAMESPACE}", "system:authenticated")
RBAC = "/apis/rbac.authorization.k8s.io/v1"


def attributes_of(resource, namespace="", name="q"):
    return Attributes(
        verb="get",
        path="/x",
        group=GROUP,
        version="v1beta2",
        resource=resource,
        subresource="pendingworkloads",
        namespace=namespace,
        name=name,
    )


CQ, LQ_A, LQ_B = (
    attributes_of("clusterqueues"),
    attributes_of("localqueues", "a"),
    attributes_of("localqueues", "b"),
)


class Guarded:
    """A cluster in which everything is installed,
    and what judges requests there, as the account of the reference.
    """

    def __init__(self, folder, *, defects=True, rights=True):
        self.authority = Authority.fresh()
        self.cluster = FakeCluster(
            clock="virtual", authorization="rbac", controllers=["clusterroles"], certificates=self.authority
        ).start()
        self.folder, self.tasks = folder, []
        self.admin = self.client("admin", ("system:masters",))
        self.account = self.client(ACCOUNT, GROUPS)
        self.run(self._install(defects=defects, rights=rights))
        self.cluster.settle()
        self.cluster.call(self._assemble)

    def client(self, user, groups):
        path = self.folder / f"{user.replace(':', '-')}.yaml"
        self.cluster.kubeconfig(path, user, groups)
        return self.cluster.call(lambda: Client(kubeconfig.load(path), user_agent="test"))

    def run(self, work):
        return self.cluster.run(work, timeout=20)

    async def _install(self, *, defects, rights):
        objects = manifests(NAMESPACE, "v0.19", defects=defects, visibility_apf=True)
        for resource, obj in objects if rights else ():
            await self.admin.apply(resource, obj, manager="test")

    def _assemble(self):
        clock = self.cluster.clock
        self.log = Logger(clock=clock, stream=io.StringIO())
        chance = random.Random(1)
        reviews = Reviews(self.account, clock, random=chance)
        self.authorities = Authorities(self.account, clock, self.log, random=chance)
        self.authenticator = DelegatedAuthenticator(self.authorities.trust, Tokens(reviews, clock))
        self.authorizer = DelegatedAuthorizer(reviews, clock)
        followed = [
            Informer(self.account, kind, clock, self.log, random=chance)
            for kind in (kinds.FLOW_SCHEMAS, kinds.PRIORITY_LEVELS)
        ]
        self.flows = SeatControl(*followed, clock, self.log)
        self.runnables = (self.authorities, *followed)

    def start(self):
        self.run(self.authorities.read())
        self.tasks = self.cluster.call(
            lambda: [asyncio.get_running_loop().create_task(runnable.run()) for runnable in self.runnables]
        )
        self.cluster.settle()

    def bind(self, role, user, namespace=""):
        kind = "RoleBinding" if namespace else "ClusterRoleBinding"
        position = f"/namespaces/{namespace}" if namespace else ""
        ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role}
        body = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": kind,
            "metadata": {"name": f"{role}-{user}"},
            "roleRef": ref,
            "subjects": [{**ref, "kind": "User", "name": user}],
        }
        self.run(self.admin.request("POST", f"{RBAC}{position}/{kind.lower()}s", body=body))

    def may(self, user, attributes):
        return self.run(self.authorizer.authorize(User(name=user), attributes)).allowed

    def who(self, *headers, certificate=b""):
        request = Request(method="GET", target="/", headers=headers, certificate=certificate)
        return self.run(self.authenticator.authenticate(request))

    def certificate(self, name, authority=None):
        pair = (authority or self.authority).client(name, ("g",))
        return x509.load_pem_x509_certificate(pair.certificate).public_bytes(Encoding.DER)

    def stop(self):
        self.cluster.call(lambda: [task.cancel() for task in self.tasks])
        for client in (self.admin, self.account):
            self.run(client.close())
        self.cluster.stop()


@pytest.fixture
def make_guarded(tmp_path):
    created = []

    def make(**chosen):
        created.append(Guarded(tmp_path, **chosen))
        return created[-1]

    yield make
    for manifest in created:
        manifest.stop()


@pytest.fixture
def cluster(make_guarded):
    result = make_guarded()
    result.start()
    return result


@pytest.mark.parametrize(
    ("role", "namespace", "sees"),
    [
        pytest.param("", "", (False, False, False), id="VIS-450"),
        pytest.param("kueue-batch-user-role", "a", (False, True, False), id="VIS-451"),
        pytest.param("kueue-batch-user-role", "", (False, True, True), id="VIS-452"),
        pytest.param("kueue-batch-admin-role", "", (True, True, True), id="VIS-453"),
        pytest.param("kueue-batch-admin-role", "a", (False, True, False), id="VIS-454"),
        pytest.param("view", "a", (False, True, False), id="VIS-455"),
        pytest.param("view", "", (True, True, True), id="VIS-456"),
    ],
)
def test_who_may_see_what(cluster, role, namespace, sees):
    if role:
        for name in ("a", "b"):
            namespace_object = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            cluster.run(cluster.admin.create(kinds.NAMESPACES, namespace_object))
        cluster.bind(role, "alice", namespace)
        cluster.cluster.settle()

    assert tuple(cluster.may("alice", subject_name) for subject_name in (CQ, LQ_A, LQ_B)) == sees


def test_a_new_binding_shows_after_ten_seconds(cluster):
    """VIS-428."""
    assert not cluster.may("alice", CQ)
    cluster.bind("kueue-batch-admin-role", "alice")
    cluster.cluster.settle()

    assert not cluster.may("alice", CQ)
    cluster.cluster.advance(10.1)
    assert cluster.may("alice", CQ)


def test_who_asks(cluster):
    token = cluster.cluster.token(Account(name="tim", groups=("g",), uid="7"))

    assert cluster.who(certificate=cluster.certificate("bob")).name == "bob"
    assert cluster.who(
        ("x-remote-user", "alice"),
        certificate=cluster.certificate("front-proxy-client", cluster.authority.proxies),
    ) == User(name="alice", groups=("system:authenticated",))
    tim = cluster.who(("authorization", f"Bearer {token}"))
    assert (tim.name, tim.uid, set(tim.groups)) == ("tim", "7", {"g", "system:authenticated"})
    with pytest.raises(UnauthenticatedError):
        cluster.who(("authorization", "Bearer nonsense"))
    with pytest.raises(UnauthenticatedError):
        cluster.who(certificate=cluster.certificate("bob", Authority.fresh()))


def test_a_rotated_authority_is_believed(cluster):
    """VIS-401: without a restart."""
    other = Authority.fresh()
    change = {"data": {"client-ca-file": other.pem.decode()}}
    cluster.run(
        cluster.admin.patch(
            kinds.CONFIG_MAPS, Key("kube-system", "extension-apiserver-authentication"), change
        )
    )
    cluster.cluster.settle()

    assert cluster.who(certificate=cluster.certificate("bob", other)).name == "bob"
    with pytest.raises(UnauthenticatedError):
        cluster.who(certificate=cluster.certificate("bob"))


def test_impersonation_needs_a_right(cluster):
    """VIS-409."""
    request = Request(method="GET", target="/", headers=(("impersonate-user", "bob"),))
    impersonation = Impersonation(cluster.authorizer)

    def act(user):
        return cluster.run(impersonation.impersonate(user, request, CQ)).name

    with pytest.raises(ForbiddenError):
        act(User(name="alice"))
    assert act(User(name="root", groups=("system:masters",))) == "bob"


@pytest.mark.parametrize(
    ("defects", "schema"),
    [
        pytest.param(True, "global-default", id="as shipped"),
        pytest.param(False, "kueue-visibility", id="without defects"),
    ],
)
def test_where_requests_belong(make_guarded, defects, schema):
    """VIS-612, VK-12: the uids are those of the objects of the cluster."""
    result = make_guarded(defects=defects)
    result.start()
    objects = result.run(result.admin.list(kinds.FLOW_SCHEMAS))["items"]
    names = {object_["metadata"]["uid"]: object_["metadata"]["name"] for object_ in objects}

    def schema_of(name, *groups, attributes=CQ):
        user = User(name=name, groups=(*groups, "system:authenticated"))
        return names[result.cluster.call(lambda: result.flows.classify(user, attributes)).schema_uid]

    assert schema_of("alice") == schema
    assert schema_of("alice", attributes=Attributes(verb="get", path="/apis")) == "global-default"
    assert schema_of("alice", attributes=Attributes(verb="get", path="/healthz")) == "probes"
    assert schema_of("root", "system:masters") == "exempt"


def test_without_rights_nothing_starts_and_nothing_is_allowed(make_guarded):
    """VIS-R17, VIS-427."""
    result = make_guarded(rights=False)

    with pytest.raises(OutsideError, match="ConfigMap kube-system/extension-apiserver-authentication"):
        result.run(result.authorities.read())
    with pytest.raises(AuthorizerError, match="cannot create resource"):
        result.may("alice", CQ)


def test_a_slow_api_server_is_given_up_in_virtual_time(cluster):
    """VIS-420, VIS-427: after 10 s, while nothing else holds time up."""
    cluster.cluster.faults.add(Delay(30.0), verb="create", resource="subjectaccessreviews")
    loop = cluster.cluster.loop
    waiting = asyncio.run_coroutine_threadsafe(cluster.authorizer.authorize(User(name="alice"), CQ), loop)

    cluster.cluster.advance(9.9)
    assert not waiting.done()
    cluster.cluster.advance(0.2)
    with pytest.raises(AuthorizerError, match="longer than 10 s"):
        waiting.result(timeout=5)
