"""Strangers at the broker's port for joining, which accepts every connection: what the broker keeps of them, and
that they can't prevent others from joining."""

import subprocess
import threading
import time

from cases import case
from family import BROKER, JOIN_PORT, Lines, check, until

LARGE_BYTES = 3_000_000
TOPICS = 20
# The broker sends what it keeps at once.
KEPT_SECONDS = 1
# One message is kept, and another one is on its way in or out.
MOST_KIB = 4 * LARGE_BYTES >> 10


def memory_kib(process):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def leaves(family, topic):
    """Publishes a retained message, as a stranger can."""
    words = ["-h", BROKER, "-p", str(JOIN_PORT), "-V", "mqttv5", "-q", "1", "--cafile", f"{family.tv.etc}/household/ca.pem", "-r", "-t", topic, "-s"]
    subprocess.run(["mosquitto_pub", *words], input=b"x" * LARGE_BYTES, capture_output=True, check=False, timeout=20)


def kept(family):
    """The topics under which the broker keeps messages of strangers."""
    with family.broker.reading(family.laptop, f"{family.root}/join/+/request") as lines:
        time.sleep(KEPT_SECONDS)
        return {line.split(" ", 1)[0] for _, line in lines.all()}


@case("a stranger has the broker keep one message at most, the next invitation takes it away, and one meanwhile keeps nobody from joining")
def retained(family):
    laptop, tv, place = family.laptop, family.tv, f"{family.root}/join/newcomer/request"
    before = memory_kib(family.broker.process.process)
    for number in range(TOPICS):
        leaves(family, f"{family.root}/join/{number}/request")
    for _ in range(3):
        leaves(family, place)
    grown = memory_kib(family.broker.process.process) - before
    check(f"the broker grew by {grown} KiB at most", grown < MOST_KIB)
    check("it keeps one message", kept(family) == {place})
    tv.carrier.end()
    laptop.household("revoke", "tv")
    stop = threading.Event()

    def disturb():
        while not stop.is_set():
            leaves(family, place)

    stranger = threading.Thread(target=disturb, daemon=True)
    stranger.start()
    try:
        family.join(tv, replaces=True)
    finally:
        stop.set()
        stranger.join()
    tv.start_carrier()
    until("the laptop sees the television", lambda: laptop.sees_connected(tv))
    words = ["invite", "--yes", "--config-directory", laptop.etc, "--socket", laptop.socket]
    with Lines("ip", "netns", "exec", "laptop", f"{family.programs}/gate-household", *words) as inviting:
        until("there is a code", inviting.all)
    check("an invitation takes away what a stranger has left", kept(family) == set())
    return f"{grown >> 10} MiB"


GROUPS = [[retained]]
