"""Sockets: the port, its connections, and the pace and the bounds at which bytes leave (FK-007, S4)."""
