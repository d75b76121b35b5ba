"""UPG: behind an upgrade, or a downgrade, everything is as it would be on the new release alone.

The scenarios are the rows of `fixtures/recordings/upgrades.yaml`: each recorded story is cut before its
first step, between two, and after its last one. There the control plane ends, and that of the other release
goes on.
"""

from kueue_conformance import scenario, upgraded_stories, within


def must_go_on(make_queue):
    """Wait until a Workload that fits is admitted: a Kueue that does nothing would pass the stories in which
    no quota is reserved.
    """
    workload = make_queue(checks=0).submit()

    within("admit", workload.is_admitted, clause="b")


def effects(row):
    @scenario(**row.effects)
    def test(upgraded_kueue, make_queue, cut):
        upgraded_kueue.must_have_the_same_effects(row.story.story, cut, recorded_until=row.recorded_until)
        must_go_on(make_queue)

    return test


def conditions(row):
    @scenario(**row.conditions)
    def test(upgraded_kueue, make_queue, cut):
        upgraded_kueue.must_have_the_same_conditions(row.story.story, cut)
        must_go_on(make_queue)

    return test


for row in upgraded_stories():
    name = row.story.story.replace("-", "_").replace("/", "_")
    globals()[f"test_{name}"] = effects(row)
    globals()[f"test_{name}_conditions"] = conditions(row)
