"""A cluster's authorities and keys in a folder, as kubeadm lays them out: for servers that are tested behind
the cluster (FK-390, FK-406).

A key of an authority makes certificates of any user: a reader of the folder is administrator of the cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import NameOID

from ..auth.authentication.jwt import Signer
from ..auth.certificates import CA_COMMON_NAME, Authority, Certificates
from ..base import files

FOLDER_MODE = 0o700
OTHER_USERS_MASK = 0o077
"""What users other than the owner may do with a folder."""


class PkiError(ValueError):
    """A folder that keys are not written to; the text says why, and what to do."""


def contents(authority: Certificates | None, signer: Signer) -> Mapping[str, bytes]:
    """Return the contents of each file by its name.

    Raises PkiError for certificates whose authority has no key here.
    """
    if not isinstance(authority, Authority):
        raise PkiError("this cluster has no authority of its own whose keys could be written")
    proxies, proxy, served = authority.proxies, authority.front_proxy, authority.server_pair
    return {
        "ca.crt": authority.pem,
        "ca.key": authority.private,
        "apiserver.crt": served.certificate,
        "apiserver.key": served.key,
        "front-proxy-ca.crt": proxies.pem,
        "front-proxy-ca.key": proxies.private,
        "front-proxy-client.crt": proxy.certificate,
        "front-proxy-client.key": proxy.key,
        "sa.key": signer.private_pem(),
        "sa.pub": signer.public_pem(),
    }


def write(folder: Path, contents_by_name: Mapping[str, bytes]) -> None:
    """Write the files, keys with mode 0600, into a folder with mode 0700, which is made when it is missing.

    Files of an earlier cluster are replaced.
    Raises PkiError for a folder with others' files or open to others, OSError.
    """
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    # mkdir keeps the mode of a folder that exists.
    if (mode := folder.stat().st_mode & 0o777) & OTHER_USERS_MASK:
        raise PkiError(
            f"{folder} is open to other users (mode {mode:04o}), and keys are to be written there:"
            f" name a folder that does not exist, or say chmod 700 {folder}"
        )
    existing = [name for name in contents_by_name if (folder / name).exists() or (folder / name).is_symlink()]
    if existing and not _is_ours(folder / "ca.crt"):
        raise PkiError(
            f"{folder} holds {', '.join(existing)} of another cluster, which would be lost: name another folder, or remove them"
        )
    for name, content in contents_by_name.items():
        # A link in the place of a key would have the key written elsewhere.
        (folder / name).unlink(missing_ok=True)
        files.write(folder / name, content, private=name.endswith(".key"))


def _is_ours(file: Path) -> bool:
    """Whether it is the certificate of a fake cluster."""
    try:
        subject = x509.load_pem_x509_certificate(file.read_bytes()).subject
    except (OSError, ValueError):
        return False
    return [attribute.value for attribute in subject.get_attributes_for_oid(NameOID.COMMON_NAME)] == [
        CA_COMMON_NAME
    ]
