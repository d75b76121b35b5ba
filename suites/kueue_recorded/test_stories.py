"""KRC: the control plane does what Kueue v0.19.2 was seen to do.

The scenarios are the rows of `fixtures/recordings/kueue-stories.yaml`: one compares what was done, one at
`may` how it was told.
"""

from kueue_conformance import recorded_stories, scenario


def acting(one):
    @scenario(**one.behaviour)
    def test(recorded_kueue):
        recorded_kueue.must_act_alike(one.story)

    return test


def telling(one):
    @scenario(**one.telling)
    def test(recorded_kueue):
        recorded_kueue.must_tell_alike(one.story)

    return test


for each in recorded_stories():
    name = each.story.replace("-", "_").replace("/", "_")
    globals()[f"test_{name}"] = acting(each)
    globals()[f"test_{name}_texts"] = telling(each)
