"""Who may do what, and how a refusal reads (FK-049, FK-390…400)."""

from __future__ import annotations

import pytest

from fakecluster.api.attributes import Attributes
from fakecluster.api.outcome import User
from fakecluster.api.status import StatusError
from fakecluster.auth.authentication import front_proxy
from fakecluster.auth.authentication.authenticator import Authenticator, UnauthenticatedError
from fakecluster.auth.authorization.access import refusal_of
from fakecluster.auth.authorization.rbac import AlwaysAllow, Rbac
from fakecluster.auth.impersonation import Impersonation
from fakecluster.store import Store

RBAC = "rbac.authorization.k8s.io"
ALICE = User(name="alice", groups=("devs",))
ROBOT = User(name="system:serviceaccount:ns:robot")


def rule(verbs="get", groups="", resources="pods", **fields):
    return {
        "verbs": verbs.split(),
        "apiGroups": groups.split(",") or [""],
        "resources": resources.split(),
        **fields,
    }


def store_of(*rules, role="ClusterRole", binding="ClusterRoleBinding", subject=None):
    """A store with one role `r` and one binding `b` of it."""
    store, inside = Store(), "ns" if binding == "RoleBinding" else ""
    resource = ("roles", "ns") if role == "Role" else ("clusterroles", "")
    role_object = {"metadata": {"name": "r"}, "rules": list(rules)}
    store.commit((RBAC, resource[0]), (resource[1], "r"), role_object, expected=None)
    bound = {
        "metadata": {"name": "b"},
        "roleRef": {"kind": role, "name": "r"},
        "subjects": [subject or {"kind": "User", "name": "alice"}],
    }
    store.commit(
        (RBAC, "rolebindings" if inside else "clusterrolebindings"), (inside, "b"), bound, expected=None
    )
    return store


def wish(user=ALICE, **fields):
    return Attributes(**{"user": user, "verb": "get", "resource": "pods", "namespace": "ns", **fields})


RULES = [
    pytest.param(rule(), wish(), True, id="exact"),
    pytest.param(rule("list"), wish(), False, id="other verb"),
    pytest.param(rule("*", "*", "*"), wish(verb="patch", group="g"), True, id="wildcards"),
    pytest.param(rule(groups="apps"), wish(), False, id="other group"),
    pytest.param(
        rule(resources="pods"), wish(subresource="log"), False, id="a resource is not its subresource"
    ),
    pytest.param(rule(resources="pods/log"), wish(subresource="log"), True, id="subresource"),
    pytest.param(rule(resources="*/log"), wish(subresource="log"), True, id="subresource of anything"),
    pytest.param(rule(resourceNames=["a"]), wish(name="a"), True, id="named"),
    pytest.param(rule(resourceNames=["a"]), wish(name="b"), False, id="other name"),
    pytest.param(rule("list", resourceNames=["a"]), wish(verb="list"), False, id="a list has no name"),
    pytest.param({"verbs": ["get"], "nonResourceURLs": ["/x/*"]}, wish(path="/x/y"), True, id="path below"),
    pytest.param({"verbs": ["get"], "nonResourceURLs": ["/x"]}, wish(path="/x/y"), False, id="other path"),
]


@pytest.mark.parametrize(("rules", "attributes", "expected"), RULES)
def test_a_rule_allows_what_it_names(rules, attributes, expected):
    assert Rbac(store_of(rules)).decide(attributes).allowed is expected


SUBJECTS = [
    pytest.param({"kind": "User", "name": "alice"}, ALICE, 'User "alice"', id="user"),
    pytest.param({"kind": "Group", "name": "devs"}, ALICE, 'Group "devs"', id="group"),
    pytest.param(
        {"kind": "ServiceAccount", "name": "robot", "namespace": "ns"},
        ROBOT,
        'ServiceAccount "robot/ns"',
        id="account",
    ),
]


@pytest.mark.parametrize(("subject", "user", "named"), SUBJECTS)
def test_the_reason_names_the_binding(subject, user, named):
    decision = Rbac(store_of(rule(), subject=subject)).decide(wish(user))

    assert decision.reason == f'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to {named}'


def test_a_role_binding_reaches_its_namespace_only():
    rbac = Rbac(store_of(rule(), role="Role", binding="RoleBinding"))

    assert rbac.decide(wish()).reason == 'RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "alice"'
    assert not rbac.decide(wish(namespace="other")).allowed


def test_masters_may_do_everything():
    assert Rbac(Store()).decide(wish(User(name="x", groups=("system:masters",)))).allowed


def test_a_missing_role_is_part_of_the_reason():
    store = store_of(rule())
    store.remove(store.get((RBAC, "clusterroles"), ("", "r")))

    assert Rbac(store).decide(wish()).reason == f'RBAC: clusterrole.{RBAC} "r" not found'


REFUSALS = [
    pytest.param(
        wish(verb="list"),
        'pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "ns"',
        id="in a namespace",
    ),
    pytest.param(
        wish(namespace="", resource="jobs", group="batch", name="j"),
        'jobs.batch "j" is forbidden: User "alice" cannot get resource "jobs" in API group "batch" at the cluster scope',
        id="in the cluster",
    ),
    pytest.param(
        wish(name="p", subresource="log"),
        'pods "p" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "ns"',
        id="subresource",
    ),
    pytest.param(wish(path="/x"), 'forbidden: User "alice" cannot get path "/x"', id="path"),
]


@pytest.mark.parametrize(("attributes", "expected"), REFUSALS)
def test_a_refusal_says_who_cannot_do_what(attributes, expected):
    assert str(refusal_of(attributes)) == expected


AUTHENTICATOR = Authenticator({"secret": ALICE})
TOKEN = ("authorization", "Bearer secret")
FROM_PROXY = (("x-remote-user", "carol"), ("x-remote-group", "g"), ("x-remote-extra-a.b%2fc", "1"))
CREDENTIALS = [
    pytest.param(None, [TOKEN], "alice", id="token"),
    pytest.param(User(name="bob"), [TOKEN], "bob", id="certificate before token"),
    pytest.param(None, [], "system:anonymous", id="nothing"),
    pytest.param(None, [("authorization", "Basic secret")], "system:anonymous", id="another scheme"),
    pytest.param(None, [("authorization", "Bearer ")], "system:anonymous", id="empty token"),
    pytest.param(None, [("authorization", "Bearer  secret")], "system:anonymous", id="two spaces"),
    pytest.param(User(name="bob"), FROM_PROXY, "bob", id="proxy headers beside another certificate"),
    pytest.param(None, [*FROM_PROXY, TOKEN], "alice", id="proxy headers beside a token"),
    pytest.param(None, FROM_PROXY, "system:anonymous", id="proxy headers alone"),
]


@pytest.mark.parametrize(("certificate", "headers", "expected"), CREDENTIALS)
def test_credentials_tell_who_asks_fk_390(certificate, headers, expected):
    assert AUTHENTICATOR.of_request(certificate, tuple(headers)).name == expected


PROXIED = [
    pytest.param(None, FROM_PROXY, "carol", id="user"),
    pytest.param(None, [*FROM_PROXY, TOKEN], "carol", id="user before token"),
    pytest.param(User(name="bob"), FROM_PROXY, "carol", id="user before certificate"),
    pytest.param(None, [TOKEN], "alice", id="token"),
]


@pytest.mark.parametrize(("certificate", "headers", "expected"), PROXIED)
def test_a_front_proxy_is_believed_before_other_credentials_fk_390(certificate, headers, expected):
    user = AUTHENTICATOR.of_request(certificate, tuple(headers), proxy=True, refused=certificate is None)

    assert user.name == expected


@pytest.mark.parametrize(
    "headers", [(), FROM_PROXY[1:], (("x-remote-user", ""),)], ids=["none", "group alone", "empty"]
)
def test_a_front_proxy_that_names_no_user_is_not_known_vc_19(headers):
    with pytest.raises(UnauthenticatedError):
        AUTHENTICATOR.of_request(None, headers, proxy=True, refused=True)


def test_a_front_proxy_tells_all_about_a_user_fk_390():
    headers = (*FROM_PROXY, ("x-remote-uid", "7"))

    user = AUTHENTICATOR.of_request(None, headers, proxy=True, refused=True)

    assert (user.uid, user.groups, user.extra) == ("7", ("g", "system:authenticated"), {"a.b/c": ("1",)})


def test_what_is_told_to_servers_behind_reads_back_fk_437():
    user = User(name="u", uid="7", groups=("g", "h"), extra={"a.b/c%": ("1", "2")})

    headers = tuple((name.lower(), value) for name, value in front_proxy.identity_headers(user))

    assert front_proxy.user_of_headers(headers) == user


def test_a_wrong_token_is_never_anonymous_fk_391():
    with pytest.raises(UnauthenticatedError):
        AUTHENTICATOR.of_request(None, (("authorization", "Bearer wrong"),))


def test_whoever_is_known_is_in_the_group_of_the_authenticated_fk_390():
    assert AUTHENTICATOR.of_request(None, (TOKEN,)).groups == ("devs", "system:authenticated")


MASKS = [
    pytest.param([("impersonate-user", "bob")], "bob", ("system:authenticated",), id="user"),
    pytest.param(
        [("impersonate-user", "bob"), ("impersonate-group", "a"), ("impersonate-group", "b")],
        "bob",
        ("a", "b", "system:authenticated"),
        id="groups",
    ),
    pytest.param(
        [("impersonate-user", "system:serviceaccount:ns:x")],
        "system:serviceaccount:ns:x",
        ("system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"),
        id="service account",
    ),
    pytest.param(
        [("impersonate-user", "system:anonymous")],
        "system:anonymous",
        ("system:unauthenticated",),
        id="nobody",
    ),
]


@pytest.mark.parametrize(("headers", "name", "groups"), MASKS)
def test_impersonation_becomes_somebody_else(headers, name, groups):
    user = Impersonation(AlwaysAllow()).acting(ALICE, tuple(headers), wish())

    assert (user.name, user.groups) == (name, groups)


UNMASKED = [
    pytest.param(
        [("impersonate-group", "g")],
        400,
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)}'
        " without impersonating a user name",
        id="group without user",
    ),
    pytest.param(
        [("impersonate-user", "bob")],
        403,
        'pods is forbidden: User "alice" cannot impersonate-on:user-info:get resource "pods" in API group "" in the namespace "ns"',
        id="user without the right",
    ),
    pytest.param(
        [("impersonate-user", "system:serviceaccount:ns:x")],
        403,
        'pods is forbidden: User "alice" cannot impersonate-on:serviceaccount:get resource "pods" in API group ""'
        ' in the namespace "ns"',
        id="account without the right",
    ),
]


@pytest.mark.parametrize(("headers", "code", "message"), UNMASKED)
def test_impersonation_is_refused(headers, code, message):
    with pytest.raises(StatusError) as caught:
        Impersonation(Rbac(Store())).acting(ALICE, tuple(headers), wish())

    assert (caught.value.code, str(caught.value)) == (code, message)
    assert caught.value.headers == (("X-Content-Type-Options", "nosniff"),)
