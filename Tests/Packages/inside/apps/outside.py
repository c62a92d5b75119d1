"""What a child tries with programs of her own, outside of every guarded app."""

import ctypes
import glob
import os
import pathlib
import signal
import subprocess
import time

import kit
from kit import GAMES, HATCH, HOME, ROOM, Refused, attack, reads, tried

ALWAYS = ("before", "during", "after")
PROGRAMS = ("program",)
FILES = ("program", "script")


@attack(*ALWAYS)
def start_it_by_its_path(game):
    return tried([game.program, *game.words])


@attack(*ALWAYS, on=PROGRAMS)
def start_it_through_the_loader(game):
    return tried([kit.LOADER, game.program, *game.words])


@attack(*ALWAYS, on=("script", "modules"))
def start_it_through_its_interpreter(game):
    return tried(["bash" if game.kind == "script" else "python3", game.program])


@attack(*ALWAYS)
def copy_it(game):
    return reads(os.path.realpath(game.program))


@attack(*ALWAYS)
def copy_what_it_loads(game):
    return reads(game.inner)


@attack(*ALWAYS, on=FILES)
def lead_a_hard_link_to_it(game):
    link = ROOM / "hard"
    link.unlink(missing_ok=True)
    os.link(game.program, link)
    return tried([link, *game.words])


@attack(*ALWAYS)
def lead_a_symbolic_link_to_it(game):
    link = ROOM / "soft"
    link.unlink(missing_ok=True)
    link.symlink_to(game.program)
    return tried([link, *game.words])


@attack(*ALWAYS)
def start_it_as_root_of_a_user_namespace(game):
    return tried(["unshare", "--user", "--map-root-user", game.program, *game.words])


@attack(*ALWAYS)
def read_it_as_root_of_a_user_namespace(game):
    return tried(["unshare", "--user", "--map-root-user", "cat", game.inner])


@attack(*ALWAYS)
def bind_it_to_another_place(game):
    (ROOM / "place").touch()
    script = f"mount --bind '{game.inner}' {ROOM}/place && cat {ROOM}/place"
    return tried(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script])


@attack(*ALWAYS)
def bind_its_folder_to_another_place(game):
    (ROOM / "folder").mkdir(exist_ok=True)
    folder, name = os.path.split(game.inner)
    script = f"mount --bind '{folder}' {ROOM}/folder && cat {ROOM}/folder/{name}"
    return tried(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script])


@attack(*ALWAYS)
def lay_a_file_system_of_two_folders_over_it(game):
    for name in ("upper", "work", "folder"):
        (ROOM / name).mkdir(exist_ok=True)
    folder, name = os.path.split(game.inner)
    layers = f"lowerdir={folder},upperdir={ROOM}/upper,workdir={ROOM}/work"
    script = f"mount -t overlay -o {layers} x {ROOM}/folder && cat {ROOM}/folder/{name}"
    try:
        return tried(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script])
    finally:
        subprocess.run(["chmod", "-R", "u+rwx", ROOM], check=False)


@attack(*ALWAYS, on=FILES)
def start_it_by_a_descriptor_without_rights(game):
    descriptor = os.open(game.program, os.O_PATH)
    try:
        return tried([f"/proc/self/fd/{descriptor}", *game.words], pass_fds=[descriptor])
    finally:
        os.close(descriptor)


@attack(*ALWAYS, on=FILES)
def open_it_by_a_handle_of_its_file_system(game):
    handle = (ctypes.c_ubyte * 136)(128)
    mount = ctypes.c_int()
    kit.system_call(303, -100, game.program.encode(), handle, ctypes.byref(mount), 0)
    root = os.open("/usr", os.O_RDONLY)
    return f"descriptor {kit.system_call(304, root, handle, os.O_RDONLY)}"


@attack(*ALWAYS, on=("modules",))
def import_its_modules(game):
    return tried(["python3", "-c", "import adventure.game"], env={"PYTHONPATH": game.held})


@attack(*ALWAYS, on=("modules",))
def import_its_compiled_modules(game):
    folder = f"{game.held}/adventure/__pycache__"
    names = glob.glob(f"{folder}/game.*.pyc") or [f"{folder}/game.cpython-311.pyc"]
    return reads(names[0])


@attack(*ALWAYS, on=("modules",))
def list_its_folder(game):
    return os.listdir(game.held)


@attack(*ALWAYS)
def change_its_mode(game):
    os.chmod(os.path.realpath(game.held), 0o755)


@attack(*ALWAYS, on=PROGRAMS)
def write_over_it(game):
    with open(game.program, "r+b") as file:
        return file


def become_a_member(command):
    # On a terminal, with an empty password.
    on_terminal = f"printf '\\n' | script --quiet --return --command '{command}' /dev/null"
    said = subprocess.run(["sh", "-c", on_terminal], stdout=subprocess.PIPE, timeout=20, check=False).stdout.decode()
    if "nvalid password" in said or "ermission denied" in said:
        raise Refused(said)
    return said


@attack(*ALWAYS, on=PROGRAMS)
def become_a_member_with_sg(game):
    return become_a_member(f"sg gate-app-{game.name} -c {game.program}")


@attack(*ALWAYS, on=PROGRAMS)
def become_a_member_with_newgrp(game):
    return become_a_member(f"newgrp gate-app-{game.name}")


@attack(*ALWAYS, on=PROGRAMS)
def give_the_group_a_password(game):
    return tried(["gpasswd", "--remove-password", f"gate-app-{game.name}"])


@attack(*ALWAYS, on=PROGRAMS)
def take_the_group_into_a_namespace_with_newgidmap(game):
    with subprocess.Popen(["unshare", "--user", "sleep", "20"]) as sleeper:
        time.sleep(0.3)
        try:
            return tried(["newgidmap", str(sleeper.pid), "0", str(game.group), "1"])
        finally:
            sleeper.kill()


@attack(*ALWAYS, on=PROGRAMS)
def start_it_by_her_own_systemd(game):
    before = len(kit.starts())
    said = tried(["systemd-run", "--user", "--wait", "--quiet", "--collect", "--pipe", game.program, *game.words])
    if "203" in said or not kit.started_outside(before) and "status 1" in said:
        raise Refused(said)
    return said


@attack(*ALWAYS, on=PROGRAMS)
def have_her_own_systemd_give_the_group(game):
    before = len(kit.starts())
    for how in (f"SupplementaryGroups={game.group}", f"Group={game.group}"):
        command = ["systemd-run", "--user", "--wait", "--quiet", "--collect", "-p", how, game.program, *game.words]
        ran = subprocess.run(command, capture_output=True, timeout=20, check=False)
        if ran.returncode == 0 or kit.started_outside(before):
            return how
    raise Refused("systemd may not")


@attack(*ALWAYS, on=PROGRAMS)
def ask_the_systems_systemd_for_a_unit(game):
    return tried(["systemd-run", "--uid=mia", f"--gid={game.group}", "--no-ask-password", game.program, *game.words])


@attack(*ALWAYS, on=PROGRAMS)
def start_it_with_at(game):
    return started_by(["sh", "-c", f"echo '{game.program} {' '.join(game.words)} 2> {ROOM}/at' | at now"], ROOM / "at")


@attack(*ALWAYS, on=PROGRAMS)
def start_it_by_her_own_service_of_the_session_bus(game):
    services = HOME / ".local/share/dbus-1/services"
    services.mkdir(parents=True, exist_ok=True)
    name = f"org.example.Own.{game.name}"
    log = ROOM / "activated"
    words = " ".join([game.program, *game.words])
    (services / f"{name}.service").write_text(f"[D-BUS Service]\nName={name}\nExec=/bin/sh -c '{words} 2> {log}'\n")
    return started_by(["busctl", "--user", "call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "StartServiceByName", "su", name, "0"], log)


def started_by(command, log):
    """Has another program start it, and looks at what that says."""
    before = len(kit.starts())
    log.unlink(missing_ok=True)
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=40, check=False)
    for _ in range(50):
        if log.exists() and "denied" in log.read_text():
            break
        time.sleep(0.1)
    if kit.started_outside(before):
        return kit.starts()[before:]
    if log.exists() and "denied" in log.read_text():
        raise Refused(log.read_text())
    return f"nobody knows: {ran.stdout.decode()}"


@attack(*ALWAYS)
def start_the_menu_entry_of_its_package(game):
    entry = pathlib.Path(f"/usr/share/applications/{game.name}.desktop")
    if not entry.exists():
        raise Refused("there is none")
    copy = HOME / ".local/share/applications" / entry.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(entry.read_text())
    command = next(line for line in copy.read_text().splitlines() if line.replace(" ", "").startswith("Exec="))
    copy.unlink()
    return tried(["sh", "-c", command.split("=", 1)[1], "sh"], env={"PATH": "/usr/games:/usr/bin:/bin", "HOME": str(HOME)})


@attack(*ALWAYS, on=PROGRAMS, works="a copy that the child brings along")
def unpack_its_package_which_everybody_can_fetch(game):
    packages = glob.glob(f"{kit.FOLDER}/packages/{game.name}_*.deb")
    if not packages:
        raise Refused("it is not there")
    subprocess.run(["dpkg-deb", "--extract", packages[0], ROOM / "own"], check=True)
    return reads(ROOM / "own" / game.program[1:])


def each_process(game, look):
    """Tries something with each process of a game that runs."""
    processes = game.processes()
    if not processes:
        raise RuntimeError(f"{game.name} does not run")
    for process in processes:
        try:
            return f"process {process}: {look(process)}"
        except (OSError, Refused) as error:
            if isinstance(error, OSError) and error.errno not in kit.REFUSED:
                raise
    raise Refused("of no process")


@attack("during")
def read_its_program_through_proc(game):
    return each_process(game, lambda process: reads(f"/proc/{process}/exe"))


@attack("during")
def start_its_program_through_proc(game):
    return each_process(game, lambda process: tried([f"/proc/{process}/exe", "--once"]))


@attack("during")
def see_what_it_has_loaded(game):
    return each_process(game, lambda process: reads(f"/proc/{process}/maps"))


@attack("during")
def open_a_mapped_file_of_it(game):
    return each_process(game, lambda process: os.listdir(f"/proc/{process}/map_files"))


@attack("during")
def read_its_memory(game):
    return each_process(game, lambda process: reads(f"/proc/{process}/mem"))


@attack("during")
def read_its_environment(game):
    return each_process(game, lambda process: reads(f"/proc/{process}/environ"))


@attack("during")
def open_its_descriptors(game):
    return each_process(game, lambda process: os.readlink(f"/proc/{process}/fd/0"))


@attack("during")
def go_to_its_working_folder(game):
    return each_process(game, lambda process: os.readlink(f"/proc/{process}/cwd"))


@attack("during")
def go_to_its_root(game):
    return each_process(game, lambda process: os.listdir(f"/proc/{process}/root/"))


@attack("during")
def go_to_the_root_of_one_of_its_threads(game):
    return each_process(game, lambda process: os.listdir(f"/proc/{process}/task/{process}/root/"))


@attack("during")
def read_its_memory_from_a_user_namespace(game):
    return each_process(game, lambda process: tried(["unshare", "--user", "--map-root-user", "head", "-c", "1", f"/proc/{process}/mem"]))


@attack("during")
def enter_its_namespaces(game):
    return each_process(game, lambda process: os.open(f"/proc/{process}/ns/mnt", os.O_RDONLY))


@attack("during")
def trace_it(game):
    def seize(process):
        if kit.LIBC.ptrace(ctypes.c_long(0x4206), ctypes.c_long(process), None, None) < 0:
            error = ctypes.get_errno()
            raise OSError(error, os.strerror(error))

    return each_process(game, seize)


@attack("during")
def copy_from_its_memory(game):
    def copy(process):
        here = ctypes.create_string_buffer(16)
        local = (ctypes.c_uint64 * 2)(ctypes.addressof(here), 16)
        remote = (ctypes.c_uint64 * 2)(0x400000, 16)
        return kit.system_call(310, process, local, 1, remote, 1, 0)

    return each_process(game, copy)


@attack("during")
def take_its_descriptors(game):
    def take(process):
        return kit.system_call(438, os.pidfd_open(process), 0, 0)

    return each_process(game, take)


@attack("during", on=("modules",))
def have_it_leave_its_memory_behind(game):
    # A shell in the middle of it: the game itself goes on.
    left = set(glob.glob("/home/mia/core*") + glob.glob("/var/lib/systemd/coredump/*"))
    process = game.processes()[-1]
    os.kill(process, signal.SIGABRT)
    time.sleep(1)
    found = set(glob.glob("/home/mia/core*") + glob.glob("/var/lib/systemd/coredump/*")) - left
    if not found:
        raise Refused("nothing is left")
    return found


@attack(*ALWAYS, on=("modules",))
def find_its_modules_by_a_copy_of_its_script(game):
    script = "import sys; sys.path.insert(0, '%s'); import adventure.__main__" % game.held
    return tried(["python3", "-c", script])


assert all(game.kind in ("program", "script", "modules") for game in GAMES) and HATCH.kind == "program"
