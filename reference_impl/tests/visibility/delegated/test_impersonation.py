"""Acting as another user: which rights are asked for, who one becomes, what is refused (VIS-409, VC-22)."""

import asyncio

import pytest

from reference_impl.kueue.visibility.attributes import GROUP, Attributes, User
from reference_impl.kueue.visibility.delegated.impersonation import Impersonation
from reference_impl.kueue.visibility.guards import BadImpersonationError, Decision, ForbiddenError
from reference_impl.runtime.serving.exchange import Request

CQ = Attributes(verb="get", path="/x", group=GROUP, resource="clusterqueues", name="cq")
ADMIN = User(name="admin")


class Rights:
    """Allows what a rule says, and notes what it was asked."""

    def __init__(self, allows):
        self.allows, self.asked = allows, []

    async def authorize(self, user, attributes):
        self.asked.append((attributes.verb, attributes.group, attributes.resource, attributes.name))
        return Decision(self.allows(attributes), "no rule")


def act(*headers, allows=lambda _: True):
    rights = Rights(allows)
    request = Request(method="GET", target="/x", headers=headers)
    work = Impersonation(rights).impersonate(ADMIN, request, CQ)
    return rights, asyncio.run(work)


def legacy(attributes):
    return attributes.verb == "impersonate"


def test_without_headers_one_stays_oneself():
    rights, user = act(("accept", "*/*"))

    assert (user, rights.asked) == (ADMIN, [])


def test_the_constrained_rights_are_asked_for_first():
    rights, user = act(("impersonate-user", "bob"), ("impersonate-group", "g"))

    assert user == User(name="bob", groups=("g", "system:authenticated"))
    assert rights.asked == [
        ("impersonate-on:user-info:get", GROUP, "clusterqueues", "cq"),
        ("impersonate:user-info", "authentication.k8s.io", "users", "bob"),
        ("impersonate:user-info", "authentication.k8s.io", "groups", "g"),
    ]


def test_the_older_right_does_as_well():
    rights, user = act(
        ("impersonate-user", "bob"),
        ("impersonate-uid", "7"),
        ("impersonate-group", "g"),
        ("impersonate-extra-scopes", "s"),
        allows=legacy,
    )

    assert user == User(
        name="bob", uid="7", groups=("g", "system:authenticated"), extra=(("scopes", ("s",)),)
    )
    assert rights.asked[1:] == [
        ("impersonate", "", "users", "bob"),
        ("impersonate", "authentication.k8s.io", "uids", "7"),
        ("impersonate", "", "groups", "g"),
        ("impersonate", "authentication.k8s.io", "userextras", "s"),
    ]


@pytest.mark.parametrize(
    ("name", "verb", "resource", "groups"),
    [
        pytest.param(
            "system:serviceaccount:ns:sa",
            "impersonate:serviceaccount",
            "serviceaccounts",
            ("system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"),
            id="account",
        ),
        pytest.param(
            "system:node:n1",
            "impersonate:arbitrary-node",
            "nodes",
            ("system:nodes", "system:authenticated"),
            id="node",
        ),
        pytest.param(
            "system:anonymous",
            "impersonate:user-info",
            "users",
            ("system:unauthenticated",),
            id="anonymous",
        ),
    ],
)
def test_names_that_mean_more(name, verb, resource, groups):
    rights, user = act(("impersonate-user", name))

    assert user.groups == groups
    assert rights.asked[1][0::2] == (verb, resource)


def test_the_first_refusal_is_told():
    with pytest.raises(ForbiddenError) as refused:
        act(("impersonate-user", "bob"), allows=lambda _: False)

    assert (refused.value.user, refused.value.reason) == (ADMIN, "no rule")
    assert refused.value.attributes.verb == "impersonate-on:user-info:get"


@pytest.mark.parametrize(
    ("group", "reason"),
    [
        pytest.param("system:masters", "impersonating the system:masters group is not allowed", id="masters"),
        pytest.param("", "impersonating the empty string group is not allowed", id="empty"),
    ],
)
def test_groups_that_no_constrained_right_gives(group, reason):
    with pytest.raises(ForbiddenError) as refused:
        act(("impersonate-user", "bob"), ("impersonate-group", group), allows=lambda wish: not legacy(wish))

    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("headers", "printed"),
    [
        pytest.param(
            [("impersonate-group", "g")],
            'UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)',
            id="group",
        ),
        pytest.param(
            [("impersonate-uid", "u")],
            'UID:"u", Groups:[]string(nil), Extra:map[string][]string(nil)',
            id="uid",
        ),
        pytest.param(
            [("impersonate-extra-k", "v")],
            'UID:"", Groups:[]string(nil), Extra:map[string][]string{"k":[]string{"v"}}',
            id="extra",
        ),
    ],
)
def test_without_a_name_nobody_is_meant(headers, printed):
    """VC-22."""
    with pytest.raises(BadImpersonationError) as bad:
        act(*headers)

    assert (
        str(bad.value)
        == f'requested &user.DefaultInfo{{Name:"", {printed}}} without impersonating a user name'
    )
