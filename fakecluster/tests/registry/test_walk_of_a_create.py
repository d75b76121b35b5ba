"""How often a POST goes from one folder of fakecluster to another, and through how many files:
limits that are lowered whenever the way becomes shorter.
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
MOST_STAYS, MOST_FOLDERS, MOST_FILES = 97, 16, 49


def post(name):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"a": "b"}}
    path, headers = "/api/v1/namespaces/default/configmaps", {"content-type": "application/json"}
    return Request(
        method="POST", path=path, headers=headers, body=orjson.dumps(body), user=ADMIN, audit_id=name
    )


def file_of(code):
    """The path of a function's file below the package; None for other code and for tests."""
    file = Path(code.co_filename)
    if not file.is_relative_to(ROOT):
        return None
    inner = file.relative_to(ROOT)
    return None if inner.parts[0] == "tests" else inner


def folder_of(code):
    """The folder of a function's file, the file itself at the top of the package; None for other code."""
    inner = file_of(code)
    return inner and str(inner.parent if inner.parts[1:] else inner)


def walk(act, station_of):
    """The stations at which an act stays, one after the other, with every return."""
    stays, stack = [], []

    def enter(station):
        if not stays or stays[-1] != station:
            stays.append(station)

    def observe(frame, event, _):
        if event not in {"call", "return"} or (station := station_of(frame.f_code)) is None:
            return
        if event == "call":
            stack.append(station)
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


@pytest.fixture(name="handle", scope="module")
def handler_of_a_cluster():
    with FakeCluster(controllers="none") as cluster:
        handle = cluster._core.api.handle
        assert cluster.call(lambda: handle(post("first"))).code == 201
        yield lambda request, station_of: cluster.call(lambda: walk(lambda: handle(request), station_of))


@pytest.fixture(name="stays", scope="module")
def stays_of_a_create(handle):
    return handle(post("second"), folder_of)


def test_a_create_stays_in_few_folders(stays):
    assert len(stays) <= MOST_STAYS, stays
    assert len(set(stays)) <= MOST_FOLDERS, sorted(set(stays))


def test_a_create_goes_through_few_files(handle):
    files = set(handle(post("third"), file_of))

    assert len(files) <= MOST_FILES, sorted(map(str, files))


def test_a_create_comes_through_the_stations_in_order(stays):
    stations = ["registry", "registry/verbs/writes", "admission", "kinds/core", "journal"]
    assert [folder for folder in dict.fromkeys(stays) if folder in stations] == stations
