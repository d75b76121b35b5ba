"""Authorization: RBAC and what it keeps users from granting, approving and signing (FK-393…399)."""
