"""Resets the device of the tests, so that every gate asks."""
import json
import subprocess

from device import OFFERS, gatectl, report_offers


def tool(*words):
    return subprocess.run(gatectl(*words), capture_output=True, text=True, check=True).stdout


def begin_afresh():
    """Afterwards nobody is signed in, nothing is paid for, no form is filled in, and premium has two offers."""
    tool("logout")
    for claim in tool("entitlements", "claims").splitlines():
        tool("entitlements", "revoke", *claim.split()[:2])
    for line in tool("form", "responses", "--json").splitlines():
        for response in json.loads(line).get("responses", []):
            tool("form", "withdraw", str(response["id"]))
    for name in ("consent", "motor-insurance", "child-profile"):
        subprocess.run(gatectl("form", "discard", name), capture_output=True, check=False)
    report_offers(OFFERS)
