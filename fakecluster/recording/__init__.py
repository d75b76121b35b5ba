"""Record what clients and a real cluster say to each other, and play it to another server (F-08).

`proxy` stands between a client and a cluster, `transcript` is the file, `replay` asks another server the
same, `comparison` says which values may differ.
"""
