"""A device leaves, is revoked, and joins again, and Home Assistant shows what the broker keeps of it."""

import json
import time

from assisting import Assistant
from cases import case
from family import check, until, words

SECTION = "home-assistant: {discovery: true, may: [extend], words: true}\n"
# The broker sends what it keeps at once.
KEPT_SECONDS = 0.5


def kept(family, assistant):
    """The devices of which the broker keeps something, by the topic's second level under homeassistant/, and what
    else it keeps of them."""
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


def tells_home_assistant(family, device, assistant):
    """Lets the device tell Home Assistant of itself, and waits until it has."""
    if "home-assistant:" not in settings_of(device):
        with open(f"{device.etc}/household.yaml", "a") as file:
            file.write(SECTION)
        device.gatectl("reload")
        device.carrier.end()
        device.start_carrier()
    until("Home Assistant finds it", lambda: discovered(family, assistant) == {device.id})


@case("a device that leaves is gone from Home Assistant, and once it has joined again it is there once")
def leaves(family):
    tv, laptop, assistant = family.tv, family.laptop, Assistant(family)
    tells_home_assistant(family, tv, assistant)
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
    tells_home_assistant(family, tv, assistant)
    former = tv.id
    with open(f"{family.broker.folder}/devices.acl") as file:
        lines = file.read().splitlines(keepends=True)
    older = [line for line in lines if not line.startswith(("topic write homeassistant/+/", f"topic write {family.root}/devices/+/state"))]
    check("there are rules to take away", len(older) == len(lines) - 2)
    with family.broker.rules("".join(older)):
        laptop.household("revoke", "tv")
        check("its description is still there", former in discovered(family, assistant))
    laptop.household("renew")
    # The device is still connected, and has published nothing since.
    check("nothing of it is kept", former not in kept(family, assistant))
    tv.carrier.end()
    family.join(tv, replaces=True)
    check("it says what it said about Home Assistant", "home-assistant: {discovery: true, may: [extend], words: true}" in settings_of(tv))
    tv.start_carrier()
    until("Home Assistant finds it once", lambda: discovered(family, assistant) == {tv.id})
    laptop.household("renew")
    check("what the members have said stays", set(kept(family, assistant)) >= {device.id for device in family.devices})
    family.settle()


@case("a revoked device has left what no program of ours leaves: commands that are kept, questions and descriptions with other names; all of it goes, and its report of use")
def rubbish(family):
    tv, laptop, assistant = family.tv, family.laptop, Assistant(family)
    former, devices = tv.id, f"{family.root}/devices"
    own = [f"{devices}/{former}/to/{target}/{kind}" for target in ("all", laptop.id, "nobody") for kind in ("commands", "results")]
    own += [f"{devices}/{former}/requests/rubbish", f"{family.root}/shared/receipts/{former}/rubbish", f"{family.root}/shared/usage/{former}"]
    own += [f"homeassistant/lock/{former}/rubbish/config"]
    of_member = f"{devices}/{family.tablet.id}/to/nobody/commands"
    for topic in own:
        family.broker.publish(tv, topic, "x", "-r")
    family.broker.publish(family.tablet, of_member, "x", "-r")

    def left():
        topics = set()
        for filter in (f"{devices}/+/to/#", f"{devices}/+/requests/#", f"{family.root}/shared/receipts/#", f"{family.root}/shared/usage/#", "homeassistant/+/+/+/config"):
            with family.broker.reading(laptop, filter) as lines:
                time.sleep(KEPT_SECONDS)
                topics |= {line[1].split(" ", 1)[0] for line in lines.all() if words(line)}
        return topics & {*own, of_member}

    check("the broker keeps it", left() == {*own, of_member})
    laptop.household("revoke", "tv")
    check(f"nothing of it is kept: {left()}", not left())
    check("nor anything else of it", former not in kept(family, assistant))
    tv.carrier.end()
    family.join(tv, replaces=True)
    tv.start_carrier()
    family.settle()


@case("a device is renamed without leaving: lists, its own state and Home Assistant have the new name; its id, its entities and its certificate stay")
def renamed(family):
    tv, laptop, tablet, assistant = family.tv, family.laptop, family.tablet, Assistant(family)
    tells_home_assistant(family, tv, assistant)

    def described():
        """The device's name and the entities, as they are announced to Home Assistant."""
        with family.broker.reading(assistant, f"homeassistant/+/{tv.id}/+/config") as lines:
            time.sleep(KEPT_SECONDS)
            found = [json.loads(words(line)) for line in lines.all() if words(line)]
            return {one["device"]["name"] for one in found}, {one["unique_id"] for one in found}

    def named(device):
        return next(member["name"] for member in device.list["members"] if member["id"] == tv.id)

    until("Home Assistant has its name", lambda: described()[0] == {"tv"})
    former, (_, entities) = tv.id, described()
    check("without the household's key it can't be renamed", tablet.tries_household("rename", "tv", "Living room") == 1)
    check("another device's name is refused", laptop.tries_household("rename", "tv", "TabIet") == 1)
    check("a device that is not there is named", laptop.tries_household("rename", "radio", "Living room") == 65)
    check("a name has no commas", laptop.tries_household("rename", "tv", "a, b") == 64)
    text = laptop.household("rename", "tv", "Living room")
    check(f"it says so: {text}", "tv is now called Living room." in str(text))
    for device in family.devices:
        until(f"{device.name} has the new list", lambda: named(device) == "Living room")
    until("it says its name itself", lambda: family.state(tv)["name"] == "Living room")
    until("Home Assistant has the name", lambda: described()[0] == {"Living room"})
    check("the entities are the same", described()[1] == entities and tv.id == former)
    check("a command reaches it by its name", laptop.commands("lock", "Living room") == {"Living room": "done"})
    tv.carrier.end()
    tv.start_carrier()
    until("the laptop sees it again", lambda: laptop.sees_connected(tv))
    check("after a start it has the name still", family.state(tv)["name"] == "Living room")
    # A device that was away learns of it when it is back.
    tv.carrier.end()
    laptop.household("rename", tv.id, "tv")
    tv.start_carrier()
    until("it is called as before", lambda: family.state(tv)["name"] == "tv" and described()[0] == {"tv"})
    family.settle()


GROUPS = [[leaves], [revoked], [rubbish], [renamed]]
