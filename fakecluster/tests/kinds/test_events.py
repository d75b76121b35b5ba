"""The two kinds Event show one stored object (FK-490)."""

from fakecluster.kinds.events import from_core, to_core

NEW = {
    "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "e", "namespace": "default"},
    "eventTime": "2020-01-01T00:00:00.000001Z", "series": {"count": 2, "lastObservedTime": "2020-01-01T00:00:01.000000Z"},
    "reportingController": "example.com/c", "reportingInstance": "c-0", "action": "Act", "reason": "R",
    "regarding": {"kind": "Pod", "name": "p"}, "note": "n", "type": "Normal",
    "deprecatedSource": {"component": "c"}, "deprecatedFirstTimestamp": None, "deprecatedLastTimestamp": None, "deprecatedCount": 3,
}  # fmt: skip


def test_fields_are_renamed_fk_490():
    core = to_core(NEW)

    assert (core["apiVersion"], core["message"], core["reportingComponent"]) == ("v1", "n", "example.com/c")
    assert (core["involvedObject"], core["source"], core["count"]) == (
        NEW["regarding"],
        {"component": "c"},
        3,
    )


def test_nothing_is_lost_on_the_way_back_fk_490():
    assert from_core(to_core(NEW)) == NEW
