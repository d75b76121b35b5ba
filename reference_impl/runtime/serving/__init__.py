"""Serving: requests and answers as values, the HTTPS server, its certificate, and its client CAs."""
