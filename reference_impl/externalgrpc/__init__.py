"""The wire form of cluster-autoscaler's `externalgrpc` protocol, for its clients and its servers; needs
grpcio and protobuf.
"""
