"""Recorded stories of a real Kueue, which any control plane
can be compared with (profile KUEUE-RECORDED, design.md §8).

`document` is a story's file, `story_formats` tells how the stories of a file were recorded, `view` and
`quota_view` what is compared of objects, `comparison` finds differences, `actor` plays the users and
controllers of a story (`renaming` has their names), `replay` plays a whole one, `known_differences` holds the
differences that are known, `examiner` judges.
"""
