"""Who asks, and what they may do: identities, certificates, RBAC, access reviews."""
