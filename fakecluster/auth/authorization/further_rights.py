"""What a request needs beside the right to its own verb:
every place in which one verb does the work of another (FK-397).

  | request | needs | asked |
  |---|---|---|
  | PUT or apply that makes its object | `create` of the object by name | before admission validates |
  | a role, by any verb | the rights that it grants, or `escalate` on it | after mutation |
  | a binding, by any verb | the rights of its role, or `bind` on it | after mutation |
  | `…/approval` of a certificate request | `approve` on its signer | before admission validates |
  | `…/status` of a certificate request, if it signs | `sign` on its signer | before admission validates |
  | an admission policy with parameters | `get` on all of their kind | with validation |
  | a binding of such a policy | `get` on its parameter, `list` where it selects | with validation |
  | `…/status` of a ResourceClaim that allocates or reserves | the verb on `resourceclaims/binding`, cluster-wide | with validation |
  | `…/status` of a ResourceClaim about devices | `arbitrary-node:` and the verb on `resourceclaims/driver` | with validation |
  | a ResourceClaim or its template, or an allocation, with admin access | a label on the namespace | with validation |
  | GET of `exec`, `attach`, `portforward` | `create` of them | after admission |
  | headers `Impersonate-…` | `impersonate` on each of them (`auth.impersonation`) | before anything else |

Nothing else is needed: a subresource has rules of its own, which those of
its object do not cover, and neither owner references nor finalizers need
a right to the owner (`OwnerReferencesPermissionEnforcement` is off).
"""

from __future__ import annotations

from collections.abc import Collection

from ...api.admission import AuthorizationChecks
from ...api.registry import Registry
from ...store import Store
from .admin_access import AdminAccess
from .claim_statuses import ClaimStatuses
from .connections import Connections
from .creation import CreationByUpdate
from .escalation import Escalation
from .policy_parameters import PolicyParameters
from .rbac import Rbac
from .signers import Signers


def checks(
    rbac: Rbac, store: Store, registry: Registry, disabled: Collection[str] = ()
) -> AuthorizationChecks:
    """Return the checks of these rights, in the order in which they are asked at each moment of a write.

    disabled: names of admission plugins,
    of which CertificateApproval and CertificateSigning are checked here.
    """
    return AuthorizationChecks(
        mutated=(Escalation(rbac).check,),
        with_validation=(
            PolicyParameters(rbac, store, registry).errors,
            ClaimStatuses(rbac).errors,
            AdminAccess(store).errors,
        ),
        before_validation=(CreationByUpdate(rbac).check, Signers(rbac, disabled).check),
        admitted=(Connections(rbac).check,),
    )
