"""The wire: listener and TLS, HTTP/1.1, watch streams, calls to others."""
