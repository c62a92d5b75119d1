"""Signs what the App Store signs, with a test authority that has a root, an intermediate and a leaf, as Apple's has."""

import base64
import datetime
import functools
import json

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

#: Apple's extensions in the intermediate and the leaf certificate. Their content is NULL.
INTERMEDIATE_MARKER = "1.2.840.113635.100.6.2.1"
LEAF_MARKER = "1.2.840.113635.100.6.11.1"


def _name(text):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def _certificate(key, name, years, marker, issuer, issuer_key):
    is_authority = marker != LEAF_MARKER
    builder = x509.CertificateBuilder(
        issuer_name=_name(issuer), subject_name=_name(name), public_key=key.public_key(),
        serial_number=x509.random_serial_number(), not_valid_before=datetime.datetime(years[0], 1, 1),
        not_valid_after=datetime.datetime(years[1], 1, 1),
    )
    usage = dict.fromkeys(
        "content_commitment key_encipherment data_encipherment key_agreement encipher_only decipher_only".split(), False
    )
    usage |= {"digital_signature": not is_authority, "key_cert_sign": is_authority, "crl_sign": is_authority}
    builder = builder.add_extension(x509.BasicConstraints(is_authority, None), critical=True)
    builder = builder.add_extension(x509.KeyUsage(**usage), critical=True)
    if marker:
        mark = x509.UnrecognizedExtension(x509.ObjectIdentifier(marker), b"\x05\x00")
        builder = builder.add_extension(mark, critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def _der(certificate):
    return certificate.public_bytes(serialization.Encoding.DER)


def _url_safe(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@functools.cache
def _chain():
    root_key, intermediate_key, leaf_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
    root_name, intermediate_name = "Test Root CA - G3", "Test Developer Relations"
    root = _certificate(root_key, root_name, (2014, 2039), None, root_name, root_key)
    intermediate = _certificate(
        intermediate_key, intermediate_name, (2021, 2036), INTERMEDIATE_MARKER, root_name, root_key
    )
    leaf = _certificate(leaf_key, "Test Receipt Signing", (2025, 2028), LEAF_MARKER, intermediate_name, intermediate_key)
    return [leaf, intermediate, root], leaf_key


class Store:
    """A store that signs transactions of one app."""

    bundle_id = "com.example.gate"

    def __init__(self):
        self._certificates, self._key = _chain()

    @property
    def root(self):
        """The root certificate, as an administrator installs it."""
        return _der(self._certificates[-1])

    def transaction(self, product, original, purchased_at, expires_at, signed_at, revoked_at=None):
        """The JWS of a transaction for a subscription or, if it never expires, for a product that is bought once.

        Times are in milliseconds since 1970.
        """
        payload = {
            "originalTransactionId": original, "transactionId": "2000000000000002", "bundleId": self.bundle_id,
            "productId": product, "purchaseDate": purchased_at, "originalPurchaseDate": purchased_at, "quantity": 1,
            "type": "Non-Consumable" if expires_at is None else "Auto-Renewable Subscription",
            "inAppOwnershipType": "PURCHASED", "signedDate": signed_at, "environment": "Production",
        }
        if expires_at is not None:
            payload["expiresDate"] = expires_at
        if revoked_at is not None:
            payload |= {"revocationDate": revoked_at, "revocationReason": 1}
        return self._signed(payload)

    def renewal_info(self, original, grace_ends_at, signed_at):
        """The JWS of a renewal that was not paid for."""
        payload = {
            "originalTransactionId": original, "autoRenewProductId": "gate.premium", "productId": "gate.premium",
            "autoRenewStatus": 1, "environment": "Production", "signedDate": signed_at, "isInBillingRetryPeriod": True,
        }
        if grace_ends_at is not None:
            payload["gracePeriodExpiresDate"] = grace_ends_at
        return self._signed(payload)

    def _signed(self, payload):
        header = {"alg": "ES256", "x5c": [base64.b64encode(_der(one)).decode() for one in self._certificates]}
        text = ".".join(_url_safe(json.dumps(part).encode()) for part in (header, payload))
        r, s = utils.decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{text}.{_url_safe(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}".encode()
