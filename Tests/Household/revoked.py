"""A device that is revoked, with its certificate, its key and its guardian. After these, the phone is out of the household."""

import time
from signal import SIGKILL

from cases import case
from family import check, payload, until
from forging import command
from waiting import ALLOWED, WAITS, asks_again, ends_with, kept, number_on_tablet, prepare, seen, stop

DAY_MILLISECONDS = 86_400_000
DENIED = 77


@case("a broker that withholds the newest list: a revoked guardian counts until the list runs out, after 30 days at most")
def withheld(family):
    tablet, laptop, phone = family.tablet, family.laptop, family.phone
    rule = f"pattern read {family.root}/shared/guardians\n"
    with open(f"{family.broker.folder}/devices.acl") as file:
        rules = file.read()
    check("there is a rule to take away", rule in rules)
    with family.broker.rules(rules.replace(rule, "")):
        laptop.household("revoke", "phone")
        check("the tablet has not heard of it", tablet.list_number < laptop.list_number)
        check("the revoked guardian still opens", phone.commands("override", "parent", "tablet", "--reason", "test") == {"tablet": "done"})
        check("the list is good for 30 days at most", 0 < tablet.list["expires"] - tablet.list["issued"] <= 30 * DAY_MILLISECONDS)
        check("it is locked", laptop.commands("lock", "tablet") == {"tablet": "done"})
    phone.is_guardians = False
    family.restart_carriers()
    for device in (tablet, phone, family.tv):
        until(f"{device.name} has the newest list", lambda: device.list_number == laptop.list_number)


@case("a revoked guardian counts for nothing, over a broker that still takes the certificate, too", after=withheld)
def guardian(family):
    tablet, laptop, phone = family.tablet, family.laptop, family.phone
    check("the broker still takes it", laptop.sees_connected(phone))
    phone.gatectl("household", "override", "parent", "tablet", "--reason", "test", status=DENIED)
    opens = {"mode": "parent", "reason": "test"}
    family.say(phone, tablet, command(family, phone, tablet, "override", phone.key, family.challenge(tablet), **opens))
    check("with its key nothing is opened", tablet.mode == "child")
    family.say(phone, tablet, command(family, laptop, tablet, "override", phone.key, family.challenge(tablet), **opens))
    check("in another guardian's name neither", tablet.mode == "child")
    tablet.set_mode("parent")
    family.say(phone, tablet, command(family, phone, tablet, "lock", phone.key))
    check("nothing is locked either", tablet.mode == "parent")
    check("the other guardian locks", laptop.commands("lock", "tablet") == {"tablet": "done"})


@case("a revoked guardian's yes to a question that waits does nothing, with the question's own nonce neither; the other guardian's counts", after=withheld)
def answer(family):
    prepare(family)
    tablet, laptop, phone = family.tablet, family.laptop, family.phone
    ends_with(family, "of a revoked guardian", WAITS)
    number, own = seen(family, laptop, "of a revoked guardian"), number_on_tablet(family, "of a revoked guardian")
    stop(tablet)
    laptop.gatectl("allow", str(number))
    until("the broker has the answer", lambda: len(kept(family, laptop)) == 1)
    nonce = payload(next(iter(kept(family, laptop).values())))["arguments"]["nonce"]
    # While they run, the phone's gate-household clears an answer that its gated does not know, and the laptop's publishes its own again.
    for guardian in (laptop, phone):
        guardian.carrier.end(SIGKILL)
    family.broker.publish(laptop, family.topic(laptop, tablet, f"answers/{own}"), "", "-r")
    for choice in ("once", "always"):
        yes = command(family, phone, tablet, "approve", phone.key, lasts=3600, request=own, nonce=nonce, choice=choice)
        family.broker.publish(phone, family.topic(phone, tablet, f"answers/{own}"), yes, "-r")
    tablet.start_gated()
    tablet.start_carrier()
    until("the tablet is connected", lambda: tablet.gatectl("household", "devices")[0].get("hasBroker"))
    time.sleep(1)
    check("it still waits", asks_again(family, "of a revoked guardian") == WAITS)
    check("the broker has kept the yes until then", len(kept(family, phone)) == 1)
    laptop.start_carrier()
    phone.start_carrier()
    family.settle(60)
    until("the other guardian's yes counts", lambda: asks_again(family, "of a revoked guardian") == ALLOWED)
    family.broker.publish(phone, family.topic(phone, tablet, f"answers/{own}"), "", "-r")


@case("a stolen certificate of a revoked device: the broker takes it no more", after=withheld)
def certificate(family):
    laptop, phone = family.laptop, family.phone
    family.broker.install(laptop)
    phone.is_revoked = True
    family.broker.restart()
    family.restart_carriers()
    check("the phone is not connected", not laptop.sees_connected(phone))
    check("its certificate is refused", not family.broker.publish(phone, family.topic(phone, laptop, "commands"), "x", may_fail=True))
    answers = laptop.commands("lock", "--all")
    check(f"all others are locked, and it is not asked: {answers}", answers == {"tablet": "done", "tv": "done"})


GROUPS = [[withheld], [guardian], [answer], [certificate]]
