"""Drop-in for `KUBEBUILDER_ASSETS`: the two executables that Go's envtest starts, played by a fake cluster
(apiserver.md §2.8, F-09).

`install` writes them, `flags` reads what kube-apiserver is told, `apiserver` and `etcd` are what they do.
"""
