"""`make bench-oracle`: the fake API server beside a real
kube-apiserver with etcd, asked the same in one call.

Both are started as the same two programs of an assets folder, on the first core; this client has the second
one. `servers` starts them, `client` asks, the other modules are the questions.
"""
