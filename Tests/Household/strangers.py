"""Strangers at the broker's port for joining, which accepts every connection while somebody is invited: what the broker
keeps of them, that they can't prevent others from joining, and that they take nothing from the members' port."""

import os
import resource
import socket
import subprocess
import threading
import time

from cases import case
from family import BROKER, JOIN_OPEN_FILES, JOIN_PORT, check, until

LARGE_BYTES = 3_000_000
TOPICS = 20
# The broker sends what it keeps at once.
KEPT_SECONDS = 1
# One message is kept, and another one is on its way in or out.
MOST_KIB = 4 * LARGE_BYTES >> 10
# What a few commands of members take.
MEMBERS_KIB = 2 << 10
UNAVAILABLE = 69


def memory_kib(process):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def open_files(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def leaves(family, topic):
    """Publishes a retained message, as a stranger can."""
    words = ["-h", BROKER, "-p", str(JOIN_PORT), "-V", "mqttv5", "-q", "1", "--cafile", f"{family.tv.etc}/household/ca.pem", "-r", "-t", topic, "-s"]
    subprocess.run(["mosquitto_pub", *words], input=b"x" * LARGE_BYTES, capture_output=True, check=False, timeout=20)


def joins_anew(family, join):
    """Has the television join once more, in the way that is given."""
    laptop, tv = family.laptop, family.tv
    tv.carrier.end()
    laptop.household("revoke", "tv")
    join(tv, replaces=True)
    tv.start_carrier()
    until("the laptop sees the television", lambda: laptop.sees_connected(tv))


@case("a stranger has the broker for devices that join keep one message at most, one meanwhile keeps nobody from joining, and the members' broker has nothing of it")
def retained(family):
    place = f"{family.root}/join/newcomer/request"
    members = memory_kib(family.broker.process.process)
    with family.broker.joining() as broker:
        before = memory_kib(broker)
        for number in range(TOPICS):
            leaves(family, f"{family.root}/join/{number}/request")
        for _ in range(3):
            leaves(family, place)
        grown = memory_kib(broker) - before
        check(f"the broker grew by {grown} KiB at most", grown < MOST_KIB)
        stop = threading.Event()

        def disturb():
            while not stop.is_set():
                leaves(family, place)

        stranger = threading.Thread(target=disturb, daemon=True)
        stranger.start()
        try:
            joins_anew(family, family.join_at_open_port)
        finally:
            stop.set()
            stranger.join()
    members = memory_kib(family.broker.process.process) - members
    check(f"the members' broker grew by {members} KiB at most", members < MEMBERS_KIB)
    with family.broker.reading(family.laptop, f"{family.root}/join/#") as lines:
        time.sleep(KEPT_SECONDS)
        check("it keeps nothing of a stranger's", place not in {line.split(" ", 1)[0] for _, line in lines.all()})
    return f"{grown >> 10} MiB"


@case("a stranger who takes all connections at the port for joining takes none of the members': a device comes back, a lock is done, and a device is revoked")
def crowd(family):
    laptop, tablet, tv = family.laptop, family.tablet, family.tv
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held = []
    with family.broker.joining() as broker:
        try:
            for _ in range(JOIN_OPEN_FILES + 50):
                held.append(socket.create_connection((BROKER, JOIN_PORT), 10))
            until("the stranger has all places", lambda: open_files(broker) >= JOIN_OPEN_FILES - 8)
            tablet.set_mode("parent")
            tablet.carrier.end()
            until("the laptop sees that the tablet is gone", lambda: not laptop.sees_connected(tablet))
            tablet.start_carrier()
            until("the laptop sees the tablet", lambda: laptop.sees_connected(tablet) and laptop.sees_mode(tablet) == "parent")
            check("a lock is done", laptop.commands("lock", "tablet") == {"tablet": "done"})
            laptop.household("renew")
            laptop.household("revoke", "tv")
            until("the phone knows that the television is revoked", lambda: family.phone.list_number == laptop.list_number)
            check("the broker has this few open files", open_files(broker) <= JOIN_OPEN_FILES)
        finally:
            for connection in held:
                connection.close()
    tv.carrier.end()
    family.join(tv, replaces=True)
    tv.start_carrier()
    until("the laptop sees the television", lambda: laptop.sees_connected(tv))
    return f"{len(held)} connections"


@case("where nobody has opened the port for joining, an invitation has no code, and says how to open it")
def closed(family):
    laptop = family.laptop
    words = ["invite", "--yes", "--config-directory", laptop.etc, "--socket", laptop.socket]
    done = subprocess.run(
        ["ip", "netns", "exec", "laptop", f"{family.programs}/gate-household", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, timeout=60)
    check(f"it ends with {done.returncode}: {done.stderr}", done.returncode == UNAVAILABLE)
    check("there is no code", "GATE-" not in done.stdout)
    check(f"it says how: {done.stderr}", "systemctl start mosquitto-gate-join" in done.stderr)


GROUPS = [[retained], [crowd], [closed]]
