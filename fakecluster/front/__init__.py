"""A front: a server on loopback that passes everything on to another API server, and can be disturbed and asked like the fake one (F-01, F-03).

`door` knows the users, `passing` asks the server behind and keeps the journal, `watching` streams its events, `earlier` answers from the
past, `front` puts them together. Nothing is stored here.
"""

from .front import Front

__all__ = ["Front"]
