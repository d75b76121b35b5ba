"""Watch streams: positions in the store's history, written chunk by chunk (S3, FK-140…143)."""
