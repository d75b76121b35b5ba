"""Interception between the subject and the API server: identifies the subject by its user, records its
requests, injects faults.

On backend fake that is the server itself, on a real cluster a front before it (`front`). Both have the same
rules, the same journal and the same users, and implement `Interceptor`.
"""
