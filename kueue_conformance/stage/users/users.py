"""The clients and users of a cluster: the administrator,
anonymous ones, impersonated ones, ServiceAccounts with tokens.
"""

from __future__ import annotations

from ...wire.resource import Resource
from ..making.maker import Maker
from .request_sender import RequestSender, administrator, stranger
from .user import User, group_subject, user_subject

ACCOUNT = Resource("", "v1", "ServiceAccount", "serviceaccounts")


class Users(Maker):
    """Makes users without rights."""

    namespace: str

    def administrator(self, *, direct: bool = False) -> RequestSender:
        """Return a client with the rights of the harness that can send any request; `direct` asks the
        visibility server itself.
        """
        return administrator(self.context, direct=direct)

    def anonymous_client(self, *, direct: bool = False) -> RequestSender:
        """Return a client without credentials; `direct` asks the visibility server itself."""
        return stranger(self.context, direct=direct)

    def bearer_client(self, token: str, *, direct: bool = False) -> RequestSender:
        """Return a client with a bearer token, valid or not."""
        return stranger(self.context, ("Authorization", f"Bearer {token}"), direct=direct)

    def make_user(self, *, group: str = "", bound: str = "user") -> User:
        """Make a user without rights, in a `group` of the same rights where that is what is `bound`."""
        name = self.names.name("user")
        member = [("Impersonate-Group", group)] if group else []
        asker = administrator(self.context, ("Impersonate-User", name), *member)
        subject = group_subject(group) if bound == "group" else user_subject(name)
        return User(self.context, self.names, name, asker, subject)

    def make_account(self, *, direct: bool = False) -> User:
        """Make a ServiceAccount that shows a token of its own;
        `direct` asks the visibility server itself.
        """
        name = self.names.name("account")
        self.client.create(
            {"kind": "ServiceAccount", "metadata": {"name": name, "namespace": self.namespace}}, ACCOUNT
        )
        request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
        path = ACCOUNT.path(self.namespace, name, "token")
        token = self.client.call("POST", path, request)["status"]["token"]
        subject = {"kind": "ServiceAccount", "name": name, "namespace": self.namespace}
        return User(self.context, self.names, name, self.bearer_client(token, direct=direct), subject)

    def delete_account(self, user: User) -> None:
        """Delete the ServiceAccount of a user."""
        self.client.call("DELETE", ACCOUNT.path(self.namespace, user.name))
