"""Protobuf request bodies of built-in kinds: the wire, the field table, the special types (FK-530, FK-531).

Answers in protobuf (FK-532) come in a later release; `reader` has the table they need.
"""

from .reader import ProtobufError, decode

__all__ = ["ProtobufError", "decode"]
