"""Recorded stories of a real Kueue, which any control plane
can be compared with (profile KUEUE-RECORDED, design.md §8).

`document` is a story's file, `story_formats` tells how the stories of a file were recorded, `view` and
`quota_view` what is compared of objects, `comparing` finds differences, `actor` plays the users and
controllers of a story (`workload_manifests` their Workloads, `renaming` their names), `replay` plays a
whole one, `known` holds the differences that are known, `examiner` judges.
"""
