"""Users under the roles that are printed for them, on a cluster with RBAC (VIS-442, VIS-451)."""

import pytest

from kueue_conformance.wire.transport import connect

from .site import Site
from .users import HOMES, MAY, Users


@pytest.fixture(scope="module")
def users(tmp_path_factory):
    """Two users whose Jobs are admitted."""
    folder = tmp_path_factory.mktemp("site")
    with Site(folder) as site:
        assert site.replica(site.port).stdout.readline().startswith("ready ")
        site.await_trust()
        site.cluster.kubeconfig(folder / "admin")
        users = Users(connect(str(folder / "admin")))
        users.settle()
        site.wait(users.may_begin)
        users.submit()
        site.wait(users.are_admitted)
        yield users


@pytest.mark.parametrize("user", HOMES)
@pytest.mark.parametrize(("verb", "resource", "where", "code"), MAY)
def test_what_a_user_may(users, user, verb, resource, where, code):
    assert users.code(user, verb, resource, where) == code
