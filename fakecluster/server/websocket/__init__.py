"""WebSockets, imported when a client first asks for one: opening handshake, messages of a watch, and what the
client sends (RFC 6455).
"""
