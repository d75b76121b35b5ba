"""The small controller runtime: client, informers, queues, events, metrics, health. Knows no Kueue."""
