"""Protobuf bodies of built-in kinds: the wire, the field table,
the special types, reading and writing (FK-530…FK-532).
"""

from .reader import ProtobufError, decode

__all__ = ["ProtobufError", "decode"]
