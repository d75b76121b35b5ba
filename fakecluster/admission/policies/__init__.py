"""ValidatingAdmissionPolicies: rules of administrators on writes, in CEL (FK-304, FK-320)."""
