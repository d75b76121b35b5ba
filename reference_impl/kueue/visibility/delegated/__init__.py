"""Authentication, authorization and impersonation by
questions to the API server of the cluster (VIS-401…427).
"""
