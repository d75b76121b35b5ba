"""What may change or refuse a write between decoding and storing: plugins, quotas, webhooks (FK-300)."""
