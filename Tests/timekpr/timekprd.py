#!/usr/bin/python3
"""Runs the real timekprd, with all of its files in one folder, for a user of the system.

usage: timekprd.py PACKAGE FOLDER USER   PACKAGE: the unpacked package timekpr-next; USER: is counted like somebody's child
"""

import os
import pwd
import runpy
import sys

package, folder, user = sys.argv[1:]
library = f"{package}/usr/lib/python3/dist-packages"
sys.path.insert(0, library)

from timekpr.common.constants import constants  # noqa: E402

for name, place in {
    "TK_MAIN_CONFIG_DIR": "etc", "TK_CONFIG_DIR": "config", "TK_WORK_DIR": "work", "TK_LOGFILE_DIR": "log", "TK_LOG_TEMP_DIR": "run",
}.items():
    os.makedirs(f"{folder}/{place}", exist_ok=True)
    setattr(constants, name, f"{folder}/{place}")
main = f"{folder}/etc/{constants.TK_MAIN_CONFIG_FILE}"
if not os.path.exists(main):
    with open(f"{package}/etc/timekpr/timekpr.conf", encoding="utf-8") as shipped, open(main, "w", encoding="utf-8") as own:
        text = shipped.read().replace("/var/lib/timekpr", folder).replace("/var/log", f"{folder}/log")
        own.write(text)

from timekpr.server.config import userhelper  # noqa: E402

# timekpr counts the time of users from 1000 on who can log in. This one is of the system.
userhelper.verifyNormalUserID = lambda uid: True
child = pwd.getpwnam(user)
pwd.getpwall = lambda: [pwd.struct_passwd((*child[:6], "/bin/sh"))]
sys.argv = [f"{library}/timekpr/server/timekprd.py"]
runpy.run_path(sys.argv[0], run_name="__main__")
