"""The cloud behind the `externalgrpc` protocol; loaded only where it is served, since it needs grpcio."""
