"""How often a POST goes from one folder of fakecluster to another:
a limit that is lowered whenever the way becomes shorter.
"""

import sys
from pathlib import Path

import orjson
import pytest

import fakecluster
from fakecluster import FakeCluster
from fakecluster.api.outcome import Request, User

ROOT = Path(fakecluster.__file__).parent
ADMIN = User(name="admin", groups=("system:masters", "system:authenticated"))
MOST_STAYS, MOST_FOLDERS = 97, 16


def post(name):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"a": "b"}}
    path, headers = "/api/v1/namespaces/default/configmaps", {"content-type": "application/json"}
    return Request(
        method="POST", path=path, headers=headers, body=orjson.dumps(body), user=ADMIN, audit_id=name
    )


def folder_of(code):
    """The folder of a function's file below the package,
    the file itself at its top; None for other code and for tests.
    """
    file = Path(code.co_filename)
    if not file.is_relative_to(ROOT):
        return None
    inner = file.relative_to(ROOT)
    if inner.parts[0] == "tests":
        return None
    return str(inner.parent if inner.parts[1:] else inner)


def walk(act):
    """The folders in which an act stays, one after the other, with every return."""
    stays, stack = [], []

    def enter(folder):
        if not stays or stays[-1] != folder:
            stays.append(folder)

    def observe(frame, event, _):
        if event not in {"call", "return"} or (folder := folder_of(frame.f_code)) is None:
            return
        if event == "call":
            stack.append(folder)
        else:
            stack[-1:] = []
        if stack:
            enter(stack[-1])

    before = sys.getprofile()
    sys.setprofile(observe)
    try:
        act()
    finally:
        sys.setprofile(before)
    return stays


@pytest.fixture(name="stays", scope="module")
def stays_of_a_create():
    with FakeCluster(controllers="none") as cluster:
        handle = cluster._core.api.handle
        assert cluster.call(lambda: handle(post("first"))).code == 201
        return cluster.call(lambda: walk(lambda: handle(post("second"))))


def test_a_create_stays_in_few_folders(stays):
    assert len(stays) <= MOST_STAYS, stays
    assert len(set(stays)) <= MOST_FOLDERS, sorted(set(stays))


def test_a_create_comes_through_the_stations_in_order(stays):
    stations = ["registry", "registry/verbs/writes", "admission", "kinds/core", "journal"]
    assert [one for one in dict.fromkeys(stays) if one in stations] == stations
