"""ADM: what the answers of checks do: Ready, Rejected, Retry, alone and together."""
