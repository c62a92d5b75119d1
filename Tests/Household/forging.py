"""Messages that are signed with a key of the tests: an attacker's own, or one that was taken from a device."""

import base64
import json
import os
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

LIFE_SECONDS = 300


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(kind, words, key):
    """A JWS in compact form. `key`: the private key, 32 bytes; None: a new one."""
    key = Ed25519PrivateKey.from_private_bytes(key) if key else Ed25519PrivateKey.generate()
    header = json.dumps({"alg": "EdDSA", "typ": kind}, separators=(",", ":"))
    text = encoded(header.encode()) + "." + encoded(json.dumps(words).encode())
    return text + "." + encoded(key.sign(text.encode()))


def command(family, guardian, target, verb, key=None, challenge="", lasts=LIFE_SECONDS, **arguments):
    """A guardian's command for a device."""
    words = {
        "version": 1,
        "id": os.urandom(16).hex(),
        "household": family.root.removeprefix("gate/"),
        "device": target.id,
        "guardian": guardian.id,
        "verb": verb,
        "arguments": arguments,
        "challenge": challenge,
        "expires": int((time.time() + lasts) * 1000),
    }
    return signed("gate-command", words, key)


def result(family, device, command_id, key=None):
    """The answer of a device that it has executed a command."""
    words = {"version": 1, "household": family.root.removeprefix("gate/"), "device": device.id, "command": command_id, "mode": "child"}
    return signed("gate-result", words, key)
