"""A purchase on one device counts on all: between real devices, over a broker that works, and over one that lies."""

import base64
import os
import sys
import time

from cases import case
from family import POLICY, check, until, words
from forging import signed

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python"))

from store_signing import Store  # noqa: E402

PRODUCTS = ("premium", "gold", "silver")
ENTITLEMENTS = f"entitlements: {{{', '.join(f'{name}: {{title: {name}}}' for name in PRODUCTS)}}}\n"
PROVIDERS = f"""
storekit:
  bundle-ids: [{Store.bundle_id}]
  roots: [root.cer]
  products: {{{', '.join(f'gate.{name}: {name}' for name in PRODUCTS)}}}
"""
# Time enough from when the broker has a receipt until a device has checked it.
CHECKED_AFTER_SECONDS = 1.5
MONTH = 30 * 86_400_000


def now():
    return int(time.time() * 1000)


def sells(device, store):
    """Configures products of the store on the device."""
    for name, content in (("policy.yaml", POLICY + ENTITLEMENTS), ("providers.yaml", PROVIDERS)):
        with open(f"{device.etc}/{name}", "w") as file:
            file.write(content)
    with open(f"{device.etc}/root.cer", "wb") as file:
        file.write(store.root)
    device.gatectl("reload")


def submit(device, text):
    path = f"{device.folder}/receipt.jws"
    with open(path, "wb") as file:
        file.write(text)
    device.gatectl("entitlements", "submit", path)


def status(device, name):
    """The status of what is sold, like "subscribed" or "revoked"; `None` if nobody bought it."""
    for entitlement in device.gatectl("entitlements")[0]["state"].get("entitlements", []):
        if entitlement["name"] == name and "source" in entitlement:
            return entitlement["source"]["status"].removeprefix("STATUS_").lower()
    return None


def topic(family, device, number):
    return f"{family.root}/shared/receipts/{device.id}/{number}"


def shared(family, device, text, key=None, account=None):
    """A receipt as a device signs it for the others."""
    said = {"version": 1, "household": family.root.removeprefix("gate/"), "device": device.id, "kind": "transaction", "receipt": text.decode()}
    return signed("gate-receipt", said | ({"account": account} if account else {}), key)


@case("bought on the tablet, it is active on each device that sells it, also on one that was away; a refund on the laptop ends it on all")
def bought(family):
    store, (tablet, laptop, phone, tv) = Store(), (family.tablet, family.laptop, family.phone, family.tv)
    bought_at = now()
    for device in (tablet, laptop, phone):
        sells(device, store)
    phone.cable.cut()
    try:
        submit(tablet, store.transaction("gate.premium", "1", bought_at, bought_at + MONTH, bought_at))
        seconds = until("it is active on the laptop", lambda: status(laptop, "premium") == "subscribed")
        check("the phone does not know of it yet", status(phone, "premium") is None)
    finally:
        phone.cable.mend()
    until("it is active on the phone", lambda: status(phone, "premium") == "subscribed", 90)
    # A device that sells the product later accepts the receipt as soon as its gate-household has read its configuration
    # again.
    sells(tv, store)
    tv.carrier.end()
    tv.start_carrier()
    until("it is active on the television", lambda: status(tv, "premium") == "subscribed")

    family.broker.kill()
    family.broker.forget()
    family.broker.start()
    family.restart_carriers()
    submit(laptop, store.transaction("gate.premium", "1", bought_at, bought_at + MONTH, now(), revoked_at=now()))
    for device in family.devices:
        until(f"it is over on {device.name}", lambda: status(device, "premium") == "revoked")
    # What the tablet shared is gone. What the laptop shares now stays at the broker for devices that come later.
    until("the tablet shares the old word no more", lambda: kept(family) == {f"{laptop.id}/1"})
    return f"{seconds * 1000:.0f} ms from one device to another"


def kept(family):
    """The topics under which the broker keeps receipts."""
    with family.broker.reading(family.laptop, f"{family.root}/shared/receipts/+/+") as lines:
        time.sleep(0.5)
        return {line.split(" ", 1)[0].split("/receipts/")[1] for _, line in lines.all()}


@case("a broker that lies about purchases: what is made up, changed, signed by another or out of date gives nothing", after=bought)
def lying(family):
    store, (tablet, laptop, tv) = Store(), (family.tablet, family.laptop, family.tv)
    at = now()
    gold = store.transaction("gate.gold", "2", at, at + MONTH, at)
    place = len(gold) - 30
    changed = gold[:place] + (b"A" if gold[place:place + 1] != b"A" else b"B") + gold[place + 1:]
    key, stranger = tablet.key, os.urandom(32)
    # Without access rules, any device can do what the broker could do.
    with family.broker.rules("pattern readwrite #\n"):
        lies = [
            shared(family, tablet, gold, stranger),
            shared(family, tablet, gold, tv.key),
            shared(family, tablet, changed, key),
            shared(family, tablet, b"garbage", key),
            shared(family, tablet, gold, key, account="nobody"),
        ]
        for number, lie in enumerate(lies, 50):
            family.broker.publish(tv, topic(family, tablet, number), lie, "-r")
        time.sleep(CHECKED_AFTER_SECONDS)
        check("nothing of that is bought on the laptop", status(laptop, "gold") is None)
        # The tablet itself removes what it has not shared.
        until("the tablet has taken it away", lambda: not any(one.startswith(f"{tablet.id}/5") for one in kept(family)))

        # A valid receipt that is repeated after a newer one.
        silver = store.transaction("gate.silver", "3", at, at + MONTH, at)
        with family.broker.reading(tv, f"{family.root}/shared/receipts/{tablet.id}/+") as lines:
            submit(tablet, silver)
            until("it is active on the laptop", lambda: status(laptop, "silver") == "subscribed")
            true = words(lines.all()[-1])
        check("its words can be read", b"gate.silver" in decoded(decoded(true.split(".")[1].encode()).split(b'"receipt":"')[1].split(b".")[1]))
        submit(tablet, store.transaction("gate.silver", "3", at, at + MONTH, now(), revoked_at=now()))
        until("it is over on the laptop", lambda: status(laptop, "silver") == "revoked")
        family.broker.publish(tv, topic(family, tablet, 60), true)
        time.sleep(CHECKED_AFTER_SECONDS)
        check("it stays over", status(laptop, "silver") == "revoked")
    family.restart_carriers()
    check("below another device's id nobody writes", not writes(family, tv, tablet))
    check("below its own id a device does", writes(family, tv, tv))


def decoded(text):
    return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))


def writes(family, sender, owner):
    """Whether the broker accepts a receipt in a device's name from the certificate of another."""
    with family.broker.reading(family.laptop, f"{family.root}/shared/receipts/{owner.id}/99") as lines:
        family.broker.publish(sender, topic(family, owner, 99), "x", may_fail=True)
        time.sleep(0.5)
        return any(line.endswith(" x") for _, line in lines.all())


GROUPS = [[bought], [lying]]
