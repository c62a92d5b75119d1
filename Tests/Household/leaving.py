"""A device that leaves, is revoked, and joins again, as Home Assistant sees it (H-07): what the broker keeps is what Home Assistant shows."""

import time

from assisting import Assistant
from cases import case
from family import check, until

SECTION = "home-assistant: {discovery: true, may: [extend], words: true}\n"
# The broker hands out what it keeps at once.
KEPT_SECONDS = 0.5


def kept(family, assistant):
    """The devices of which the broker keeps something, by the topic's second level under homeassistant/, and what else is kept of them."""
    found = {}
    for topic in ("homeassistant/#", f"{family.root}/devices/#"):
        with family.broker.reading(assistant, topic) as lines:
            time.sleep(KEPT_SECONDS)
            for _, line in lines.all():
                name, _, payload = line.partition(" ")
                levels = name.split("/")
                if payload:
                    found.setdefault(levels[2] if levels[0] == "homeassistant" else levels[3], set()).add(name)
    return found


def discovered(family, assistant):
    return {device for device, topics in kept(family, assistant).items() if any(topic.startswith("homeassistant/lock/") for topic in topics)}


def settings_of(device):
    with open(f"{device.etc}/household.yaml") as file:
        return file.read()


@case("a device that leaves is gone from Home Assistant, and once it has joined again it is there once")
def leaves(family):
    tv, laptop, assistant = family.tv, family.laptop, Assistant(family)
    with open(f"{tv.etc}/household.yaml", "a") as file:
        file.write(SECTION)
    tv.gatectl("reload")
    tv.carrier.end()
    tv.start_carrier()
    until("Home Assistant finds it", lambda: discovered(family, assistant) == {tv.id})
    former = tv.id
    tv.carrier.end()
    tv.household("leave", "--yes")
    check("nothing of it is kept", former not in kept(family, assistant))
    laptop.household("revoke", former)
    family.join(tv)
    check("it has another id", tv.id != former)
    with open(f"{tv.etc}/household.yaml", "a") as file:
        file.write(SECTION)
    tv.gatectl("reload")
    tv.start_carrier()
    until("Home Assistant finds it once", lambda: discovered(family, assistant) == {tv.id})


@case("a device that was taken off the list is gone from Home Assistant, also where the broker's access list was an older one; joining anew keeps its settings")
def revoked(family):
    tv, laptop, assistant = family.tv, family.laptop, Assistant(family)
    former = tv.id
    with open(f"{family.broker.folder}/devices.acl") as file:
        lines = file.read().splitlines(keepends=True)
    older = [line for line in lines if not line.startswith(("topic write homeassistant/+/", f"topic write {family.root}/devices/+/state"))]
    check("there are rules to take away", len(older) == len(lines) - 2)
    with family.broker.rules("".join(older)):
        laptop.household("revoke", "tv")
        check("its description is still there", former in discovered(family, assistant))
    laptop.household("renew")
    # It is connected still, and has said nothing since.
    check("nothing of it is kept", former not in kept(family, assistant))
    tv.carrier.end()
    family.join(tv, replaces=True)
    check("it says what it said about Home Assistant", "home-assistant: {discovery: true, may: [extend], words: true}" in settings_of(tv))
    tv.start_carrier()
    until("Home Assistant finds it once", lambda: discovered(family, assistant) == {tv.id})
    laptop.household("renew")
    check("what the members have said stays", set(kept(family, assistant)) >= {device.id for device in family.devices})
    family.settle()


GROUPS = [[leaves], [revoked]]
