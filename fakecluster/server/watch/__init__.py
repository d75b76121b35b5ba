"""Watch streams: positions in the store's history, written piece by piece (S3, FK-140…143)."""
