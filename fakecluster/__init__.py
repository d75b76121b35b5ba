"""A Kubernetes API server in one process that knows nothing about the APIs installed in it.

Public: `FakeCluster` and the `fakecluster` command line. Everything else may change between releases.
"""
