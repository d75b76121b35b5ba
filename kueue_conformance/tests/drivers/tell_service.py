"""Tells the service of `troubled_controllers`: `tell_service.py PORT PATH [STATE]`, none to forget."""

import sys

import urllib3

port, path, *state = sys.argv[1:]
method = "PUT" if state else "DELETE"
urllib3.request(method, f"http://127.0.0.1:{port}/{path}", body="".join(state).encode(), retries=False)
