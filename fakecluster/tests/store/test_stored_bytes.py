"""An object is encoded once for each revision:
for its size, the answer, reads and watchers (design.md §7).
"""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster, store
from fakecluster.codec import object_encoders
from fakecluster.store import Store

MAPS = "/api/v1/namespaces/default/configmaps"
PATCH = {"content-type": "application/merge-patch+json"}
RESOURCE, NAME = ("", "configmaps"), ("default", "a")
OBJECT = {"metadata": {"name": "a"}}


@pytest.fixture
def encoded(monkeypatch):
    """The names of the objects that are encoded, in order."""
    names, encode = [], store.encode

    def counting(obj):
        names.append(obj["metadata"]["name"])
        return encode(obj)

    for module in (store, object_encoders):
        monkeypatch.setattr(module, "encode", counting)
    return names


def test_a_write_encodes_its_object_once(encoded):
    with FakeCluster(controllers="none", tls=False) as cluster:
        encoded.clear()
        cluster.request("POST", MAPS, OBJECT)
        cluster.request("PATCH", f"{MAPS}/a", {"data": {"k": "v"}}, headers=PATCH)
        cluster.request("GET", f"{MAPS}/a")

    assert encoded == ["a", "a"]


def test_what_was_prepared_before_another_write_is_not_stored():
    recorded_store = Store()
    prepared = recorded_store.prepare(RESOURCE, NAME, OBJECT)
    recorded_store.commit(RESOURCE, ("default", "b"), {"metadata": {"name": "b"}}, expected=None)

    with pytest.raises(ValueError, match="prepared for revision 1001, but 1001 is stored already"):
        recorded_store.put(prepared, expected=None)
