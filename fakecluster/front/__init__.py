"""A front: a server on loopback that passes everything on to another API server, and can be disturbed and
asked like the fake one (F-01, F-03).

`authentication` knows the users, `round_tripper` asks the server behind and keeps the journal, `watching`
streams its events, `stale_reads` answers from the past, `front` puts them together. Nothing is stored here.
"""

from .front import Front

__all__ = ["Front"]
