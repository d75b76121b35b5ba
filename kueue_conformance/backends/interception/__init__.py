"""What stands between the subject and the API server: it knows the subject by its user, tells its requests, and disturbs them.

On backend fake that is the server itself, on a real cluster a front before it (`front`). Both have the same rules, the same journal and
the same users, and are a `Interceptor`.
"""
