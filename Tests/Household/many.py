"""A household with as many devices as a school has. All but four are only on the list."""

import hashlib
import os
import re
import time

from cases import case
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from family import check, until
from forging import encoded, signed
from restoring import kept_file

DEVICES = 400
LIFE_MILLISECONDS = 29 * 86_400_000


def household_key(device):
    """The household's private key, which follows from the recovery key as docs/household.md says."""
    with open(f"{device.etc}/household/household.key") as file:
        digits = re.sub("[^A-Z2-7]", "", file.read().removeprefix("GATE-RECOVERY"))
    number = int("".join(f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.index(digit):05b}" for digit in digits)[: 8 * 32], 2)
    secret = number.to_bytes(32, "big")
    return HKDF(SHA256(), 32, None, b"gate household 1: household key").derive(secret)


def with_members(device, members):
    """Signs the next list of the household, with the household's key, and writes it to the first device's files."""
    now = int(time.time() * 1000)
    listed = kept_file(device) | {"members": members, "issued": now, "expires": now + LIFE_MILLISECONDS}
    listed["number"] += 1
    with open(f"{device.etc}/household/list.jws", "w") as file:
        file.write(signed("gate-household", listed, household_key(device)))


def stranger(number):
    key = Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    words = {"id": hashlib.sha256(key).hexdigest()[:32], "name": f"Classroom tablet {number}", "key": encoded(key)}
    return words | {"sealing": encoded(os.urandom(32)), "revoked": False}


@case(f"a household of {DEVICES} devices admits one more, and all of them have its list")
def one_more(family):
    laptop, tv = family.laptop, family.tv
    tv.carrier.end()
    laptop.household("revoke", "tv")
    members = [member for member in kept_file(laptop)["members"] if member["id"] != tv.id]
    with_members(laptop, members + [stranger(number) for number in range(DEVICES - len(members))])
    laptop.household("renew")
    family.join(tv, replaces=True)
    joined = tv.id
    check(f"the list has {DEVICES + 1} devices", len(tv.list["members"]) == DEVICES + 1)
    tv.start_carrier()
    until("the tablet has the long list", lambda: len(family.tablet.list["members"]) == DEVICES + 1)
    until("the laptop sees the television", lambda: laptop.sees_connected(tv))
    check("the television obeys", laptop.commands("lock", "tv") == {"tv": "done"})
    with_members(laptop, members + [member for member in kept_file(laptop)["members"] if member["id"] == joined])
    laptop.household("renew")
    until("the others are gone", lambda: len(tv.list["members"]) < 10)
    return f"{os.path.getsize(f'{tv.etc}/household/list.jws') >> 10} KiB"


GROUPS = [[one_more]]
