"""A copy of a device's disk, as schools make them: two devices have one key. Afterwards the copy is a device of its
own."""

import copy
import os
import shutil
from signal import SIGKILL, SIGTERM

from cases import case
from family import check, until, words
from restoring import back_up

REFUSED = 1
# The two take turns, each after two to four seconds, and later after longer times. That many turns take at most this
# long.
TAKING_TURNS_SECONDS = 45


def copy_of(device, name):
    """A device with the same disk. It shares the first device's network cable, as two devices behind a router do."""
    device.carrier.end()
    device.gated.end()
    clone = copy.copy(device)
    clone.folder = f"{device.family.folder}/{name}"
    os.makedirs(f"{clone.folder}/run")
    back_up(device, clone.folder)
    clone.etc, clone.state, clone.socket = f"{clone.folder}/etc", f"{clone.folder}/state", f"{clone.folder}/run/gate.sock"
    for each in (device, clone):
        each.start_gated()
        each.start_carrier()
    return clone


def has_twin(device, other):
    return device.sees(other).get("hasTwin", False)


@case("a copy of a device that goes does not take the device's \"online\" along, and the device is still locked")
def gone(family):
    laptop, tablet = family.laptop, family.tablet
    clone = copy_of(tablet, "gone")
    until("it is known that there are two", lambda: has_twin(laptop, tablet), TAKING_TURNS_SECONDS)
    with family.broker.reading(laptop, f"{family.root}/devices/{tablet.id}/availability") as lines:
        for number in (SIGTERM, SIGKILL):
            until("both are connected", lambda: family.broker.connections(tablet) == 2, TAKING_TURNS_SECONDS)
            before = len(lines.all())
            tablet.set_mode("parent")
            clone.carrier.end(number)
            until("the broker says that the copy is gone", lambda: "offline" in [words(line) for line in lines.all()[before:]])
            until("the tablet says that it is there", lambda: words(lines.all()[-1]) == "online")
            until("the laptop sees it", lambda: laptop.sees_connected(tablet))
            # The laptop goes on to know for an hour that there are two.
            check("a lock reaches it", laptop.commands("lock", "tablet", status=REFUSED) == {"tablet": "twin"})
            until("it is locked", lambda: tablet.mode == "child")
            clone.start_carrier()
    clone.carrier.end()
    clone.gated.end()
    tablet.carrier.end()
    tablet.start_carrier()
    until("the laptop sees no twin any more", lambda: laptop.sees_connected(tablet) and not has_twin(laptop, tablet))
    shutil.rmtree(clone.folder)


@case("two devices with one key: both are locked, and it is not told as done; doctor, the list and the log name the twin, and the copy becomes a device of its own")
def cloned(family):
    laptop, tablet = family.laptop, family.tablet
    clone = copy_of(tablet, "clone")
    for device in (laptop, tablet, clone):
        until("it is known that there are two", lambda: has_twin(device, tablet), TAKING_TURNS_SECONDS)
    until("both are connected, which takes a name of its own for one of them", lambda: family.broker.connections(tablet) == 2, TAKING_TURNS_SECONDS)
    for device in (tablet, clone):
        device.set_mode("parent")
        with open(f"{device.folder}/household.log") as log:
            check("its log says so", "Another device has this one's key" in log.read())
        check("doctor says so", device.tries("household", "doctor") == 1)
    check("a lock is not told as done", laptop.commands("lock", "tablet", status=REFUSED) == {"tablet": "twin"})
    until("both are locked", lambda: tablet.mode == clone.mode == "child")
    check("nor is one for all", laptop.commands("lock", "--all", status=REFUSED)["tablet"] == "twin")

    family.join(clone, "--guardian", "Tom", name="copy", options=["--replace", "--new-key"])
    check("the copy has another id", clone.id != tablet.id)
    clone.carrier.end()
    clone.start_carrier()
    tablet.carrier.end()
    tablet.start_carrier()
    until("the laptop sees both", lambda: laptop.sees_connected(tablet) and laptop.sees_connected(clone))
    check("none has a twin", not has_twin(laptop, tablet) and not has_twin(laptop, clone))
    check("each is locked by itself", laptop.commands("lock", "tablet", "copy") == {"tablet": "done", "copy": "done"})
    laptop.household("revoke", "copy")
    clone.carrier.end()
    clone.gated.end()
    shutil.rmtree(clone.folder)


GROUPS = [[gone], [cloned]]
