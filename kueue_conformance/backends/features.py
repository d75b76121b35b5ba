"""Features that not every backend's clusters have; a scenario names those that it needs."""

VIRTUAL_TIME = "virtual time"
JOURNAL = "journal"
PODS = "pods"
"""The cluster runs pods, so that a subject can be deployed."""
WEBHOOKS = "webhooks"
"""The API server calls the control plane's webhooks: v1beta1 is converted, and Kueue's validation applies."""

FAULTS = "faults"
"""The requests and watches of the subject can be disturbed on purpose."""
SERVER_RESTART = "server restart"
"""The API server can be stopped and started again."""
REACHES_HOST = "pods that reach this machine"
"""Pods of the cluster can connect to this machine."""
GARBAGE = "garbage collection"
"""Objects are deleted after their owners."""
CLOCK_SKEW = "clock skew"
"""The API server's clock can differ from the subject's."""
FRONT = frozenset({JOURNAL, FAULTS, SERVER_RESTART})
"""What a front between the subject and a foreign API server adds,
for a subject whose requests pass through it.
"""
KUEUE_FAULTS = "faults of Kueue"
"""The requests and watches of the control plane can be disturbed on purpose."""
AUTOSCALER_FAULTS = "faults of the autoscaler"
"""The requests and watches of the autoscaler can be disturbed on purpose."""
KUEUE_RESTART = "restart of Kueue"
"""The control plane works for one case alone, which may stop and start it."""
OWN = "a cluster of its own"
"""The cluster is made for the run, which may write anywhere in it."""
SERVERS = "servers of this process"
"""The API server calls servers of the harness on loopback."""
AGGREGATED_ROLES = "aggregated ClusterRoles"
"""A controller fills the rules of aggregated ClusterRoles, as kube-controller-manager does."""
CONTROLLERS = "kube-controller-manager"
"""The backend can start an API server with kube-controller-manager and every default admission plugin,
without scheduler and kubelets.
"""
UNATTENDED = "no built-in controllers"
"""The only controllers, scheduler and kubelets of the cluster are those that the run starts."""
BARE_API_SERVER = frozenset({OWN, SERVERS, "users by token", UNATTENDED})
"""The API server was started to be judged itself:
it knows alice and bob by their tokens, and runs no built-in controllers.
"""
SLOW_REVIEWS = "slow access reviews"
"""A scenario can delay the API server's answers to SubjectAccessReviews."""
