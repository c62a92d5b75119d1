"""The first device gets a backup back from before a device was revoked. Afterwards the phone is a guardian's again,
under another id."""

import os
import shutil
import time

from cases import case
from family import check, payload, run, until, words
from forging import command

OPENS = {"mode": "parent", "reason": "test"}
BROKER_IS_AWAY = 69
# By then the broker has accepted and sent everything.
KEPT_SECONDS = 1


def back_up(device, place):
    """Copies what an administrator copies: the configuration and the state."""
    for name, folder in (("etc", device.etc), ("state", device.state)):
        shutil.copytree(folder, f"{place}/{name}")


def restore(device, place, names):
    device.gated.end()
    for name in names:
        folder = device.etc if name == "etc" else device.state
        shutil.rmtree(folder)
        shutil.copytree(f"{place}/{name}", folder)
    device.start_gated()


def kept_list(family):
    """The list that the broker keeps."""
    with family.broker.reading(family.laptop, f"{family.root}/shared/guardians") as lines:
        until("the broker hands out the list", lines.all)
        return payload(words(lines.all()[-1]))


def kept_file(device):
    with open(f"{device.etc}/household/list.jws") as file:
        return payload(file.read())


def is_revoked(listed, device_id):
    return next((member["revoked"] for member in listed["members"] if member["id"] == device_id), None)


def serial(pem):
    return run("openssl", "x509", "-in", pem, "-noout", "-serial").strip().removeprefix("serial=")


@case("a first device that is restored from a backup takes no revocation back: it finds the newest list at the broker, or in its own gated")
def restored(family):
    laptop, phone, tablet = family.laptop, family.phone, family.tablet
    backup, former, revoked = f"{family.folder}/backup", phone.id, f"{laptop.etc}/household/mosquitto/revoked.pem"
    certificate = serial(f"{phone.etc}/household/device.pem")
    laptop.carrier.end()
    laptop.gated.end()
    back_up(laptop, backup)
    laptop.start_gated()
    laptop.household("revoke", "phone")
    phone.is_guardians = False
    newest = kept_list(family)["number"]
    for folders, broker_forgets in ((("etc", "state"), False), (("etc",), True), (("etc",), False)):
        restore(laptop, backup, folders)
        if broker_forgets:
            family.broker.process.end()
            family.broker.forget()
            family.broker.start()
            laptop.start_carrier()
            until("gate-household is connected", lambda: family.broker.connections(laptop) == 1)
            time.sleep(KEPT_SECONDS)
            with family.broker.reading(laptop, f"{family.root}/shared/guardians") as lines:
                time.sleep(KEPT_SECONDS)
                check("it gives the broker no list that is older than what its gated knows", not lines.all())
            laptop.carrier.end()
        for _ in range(2):
            laptop.household("renew")
            kept = kept_list(family)
            check(f"the broker has a newer list than {newest}: {kept['number']}", kept["number"] > newest)
            check("the phone stays revoked at the broker", is_revoked(kept, former))
            check("the first device's gated has it so, too", is_revoked(laptop.list, former))
            newest = kept["number"]
        check("the broker is told to refuse its certificate", certificate in run("openssl", "crl", "-in", revoked, "-noout", "-text"))
    until("the tablet has the newest list", lambda: tablet.list_number == newest, 75)
    family.say(phone, tablet, command(family, phone, tablet, "override", phone.key, family.challenge(tablet), **OPENS))
    check("the phone opens nothing", tablet.mode == "child")
    laptop.start_carrier()


@case("a first device that is restored from a backup publishes a policy that all take, with a number that none had before")
def published(family):
    laptop, tablet, backup, policy = family.laptop, family.tablet, f"{family.folder}/backup-of-policy", f"{family.folder}/family-policy"

    def publish(name):
        os.makedirs(f"{policy}/policy.d", 0o755, exist_ok=True)
        with open(f"{policy}/policy.d/a.yaml", "w") as file:
            file.write(f"gated-actions: {{{name}: {{title: A, requires: {{mode: parent}}}}}}\n")
        laptop.household("publish", policy, "--yes")
        number = laptop.gatectl("household", "devices")[0]["devices"]
        return next(int(device["report"]["policyNumber"]) for device in number if device.get("isThisDevice"))

    first = publish("first.one")
    laptop.gated.end()
    laptop.carrier.end()
    back_up(laptop, backup)
    laptop.start_gated()
    second = publish("second.one")
    restore(laptop, backup, ("etc", "state"))
    third = publish("third.one")
    check(f"numbers grow: {first}, {second}, {third}", first < second < third)
    laptop.start_carrier()
    until("the tablet has the third one", lambda: laptop.sees(tablet).get("policyNumber") == str(third))
    shutil.rmtree(f"{policy}/policy.d")
    laptop.household("publish", policy, "--yes")


@case("without the broker the first device signs nothing, since nobody knows whether its list is the newest")
def alone(family):
    laptop, tablet = family.laptop, family.tablet
    before = (laptop.list_number, os.listdir(f"{laptop.etc}/household/certificates"))
    family.broker.process.end()
    try:
        for words_of_verb in (["renew"], ["revoke", "tablet"], ["invite", "--yes"]):
            check(f"{words_of_verb} says that the broker is away", laptop.tries_household(*words_of_verb) == BROKER_IS_AWAY)
    finally:
        family.broker.start()
    check("nothing was changed", before == (laptop.list_number, os.listdir(f"{laptop.etc}/household/certificates")))
    check("no list was written", kept_file(laptop)["number"] == before[0])
    check("the tablet is a member", not is_revoked(laptop.list, tablet.id))


@case("a device that was taken off the list joins again, under another id", after=restored)
def rejoined(family):
    family.phone.carrier.end()
    family.join(family.phone, "--guardian", "Tom", replaces=True)
    family.phone.is_guardians = True
    family.restart_carriers()


GROUPS = [[restored], [published], [alone], [rejoined]]
