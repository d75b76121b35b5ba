"""A cloud behind the `externalgrpc` protocol of cluster-autoscaler;
loaded only where it is used, since it needs grpcio.
"""
