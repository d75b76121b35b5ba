"""Kueue's admission, visibility and provisioning stack in Python: the executable meaning of the documents.

Not a library for others: run it with `kueue-reference`,
or in a thread through `reference_impl.runtime.manager`.
"""

__version__ = "0.2.0"
