"""Kinds that are stored, defaulted and shown, and that nothing in this cluster acts on: networking, storage."""

from __future__ import annotations

from ..api.kind import Kind
from . import protection
from .rows import STATUS, row
from .rules import addressing, ingresses, networkpolicies, signing, storage

KINDS: tuple[Kind, ...] = (
    row(
        "certificates.v1.CertificateSigningRequest",
        "certificatesigningrequests",
        short="csr",
        namespaced=False,
        subresources=STATUS | {"approval"},
        validate=signing.request,
    ),
    row(
        "networking.v1.IngressClass",
        "ingressclasses",
        namespaced=False,
        generation="all",
        validate=ingresses.ingress_class,
        validate_update=ingresses.same_controller,
    ),
    row(
        "networking.v1.Ingress",
        "ingresses",
        short="ing",
        subresources=STATUS,
        generation="spec",
        validate=ingresses.ingress,
        validate_status=ingresses.ingress_status,
    ),
    row(
        "networking.v1.IPAddress",
        "ipaddresses",
        short="ip",
        namespaced=False,
        name_rule="address",
        validate=addressing.address,
        validate_update=addressing.same_parent,
    ),
    row(
        "networking.v1.NetworkPolicy",
        "networkpolicies",
        short="netpol",
        generation="spec",
        validate=networkpolicies.policy,
    ),
    row(
        "networking.v1.ServiceCIDR",
        "servicecidrs",
        namespaced=False,
        subresources=STATUS,
        validate=addressing.ranges,
        validate_update=addressing.same_ranges,
    ),
    row(
        "storage.v1.CSIDriver",
        "csidrivers",
        namespaced=False,
        validate=storage.driver,
        validate_update=storage.same_driver,
    ),
    row(
        "storage.v1.CSINode",
        "csinodes",
        namespaced=False,
        validate=storage.node,
        validate_update=storage.same_drivers,
    ),
    row(
        "storage.v1.CSIStorageCapacity",
        "csistoragecapacities",
        unconditional_update=False,
        validate=storage.capacity,
        validate_update=storage.same_capacity,
    ),
    row(
        "storage.v1.StorageClass",
        "storageclasses",
        short="sc",
        namespaced=False,
        returns_deleted=True,
        validate=storage.storage_class,
        validate_update=storage.same_class,
    ),
    row(
        "storage.v1.VolumeAttachment",
        "volumeattachments",
        namespaced=False,
        subresources=STATUS,
        validate=storage.attachment,
        validate_update=storage.same_attachment,
    ),
    row(
        "storage.v1.VolumeAttributesClass",
        "volumeattributesclasses",
        short="vac",
        namespaced=False,
        prepare=protection.of_attributes,
        validate=storage.attributes_class,
        validate_update=storage.same_attributes,
    ),
)
