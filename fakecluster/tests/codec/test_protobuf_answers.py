"""Protobuf out: reading what was written gives the object back,
watch frames carry their length (FK-020, FK-532).
"""

from __future__ import annotations

from random import Random

import orjson
import pytest

from fakecluster.codec import frames
from fakecluster.codec.protobuf.reader import decode, read
from fakecluster.codec.protobuf.table import message_for
from fakecluster.codec.protobuf.writer import encode, write
from fakecluster.crds import CRD
from fakecluster.kinds import BUILTIN_KINDS

from ..messages import make

KINDS = [pytest.param(kind, id=f"{kind.api_version} {kind.kind}") for kind in (*BUILTIN_KINDS, CRD)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_built_in_kind_has_a_message(kind):
    assert message_for(kind.api_version, kind.kind)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_written_reads_back(kind, seed):
    content = make(message_for(kind.api_version, kind.kind), Random(seed))
    obj = {"apiVersion": kind.api_version, "kind": kind.kind, **content}
    assert decode(encode(kind.api_version, kind.kind, obj)) == obj


@pytest.mark.parametrize("seed", range(3))
def test_keys_in_another_order_write_the_same_bytes(seed):
    content = make("core.v1.Pod", Random(seed))
    turned = orjson.loads(orjson.dumps(content, option=orjson.OPT_SORT_KEYS))
    assert write("core.v1.Pod", turned) == write("core.v1.Pod", content)


def test_members_that_are_no_pointers_are_written_empty():
    assert write("core.v1.LocalObjectReference", {}) == b"\x0a\x00"


def test_pointers_are_left_out():
    assert write("core.v1.EnvFromSource", {}) == b"\x0a\x00"


def test_a_frame_is_a_length_and_an_event():
    frame = frames.message("ADDED", b"[1]")
    assert frame[:4] == (len(frame) - 4).to_bytes(4, "big")
    assert read("meta.v1.WatchEvent", frame[4:]) == {"type": "ADDED", "object": [1]}
