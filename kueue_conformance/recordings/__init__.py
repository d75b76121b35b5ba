"""Recorded stories of a real Kueue, which any control plane can be compared with (profile KUEUE-RECORDED,
design.md §8).

`document` is a story's file, `forms` tells how the stories of a file were recorded, `view` and
`queueing_view` what is compared of objects, `comparing` finds differences, `actor` plays the users and
controllers of a story (`submitting` their Workloads, `renaming` their names), `replay` plays a whole one,
`known` holds the differences that are known, `examiner` judges.
"""
