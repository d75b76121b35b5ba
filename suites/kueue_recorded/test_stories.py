"""KRC: the control plane does what Kueue v0.19.2 was seen to do.

The scenarios are the rows of `fixtures/recordings/kueue-stories.yaml`: one compares what was done, one at
`may` how it was told.
"""

from kueue_conformance import recorded_stories, scenario


def acting(story):
    @scenario(**story.behaviour)
    def test(recorded_kueue):
        recorded_kueue.must_act_alike(story.story)

    return test


def telling(story):
    @scenario(**story.telling)
    def test(recorded_kueue):
        recorded_kueue.must_tell_alike(story.story)

    return test


for story in recorded_stories():
    name = story.story.replace("-", "_").replace("/", "_")
    globals()[f"test_{name}"] = acting(story)
    globals()[f"test_{name}_texts"] = telling(story)
