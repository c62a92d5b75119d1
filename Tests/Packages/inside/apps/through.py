"""What a child tries with code of her own inside of a game that was allowed, together with programs outside."""

import os
import pathlib
import stat
import subprocess
import time

import kit
from kit import HATCH, ROOM, Refused, ask_inside, attack, copy_of, gives_the_group, tried

ID = "/usr/bin/id"
USER_NAMESPACE = 0x10000000


def set_group_id_outside(path):
    os.chmod(path, 0o2755)
    if not path.stat().st_mode & stat.S_ISGID:
        raise Refused("the kernel leaves the bit out")
    return gives_the_group(path)


@attack("during", on=("program",))
def start_another_guarded_app_inside(game):
    if game is HATCH:
        raise Refused("that is the next one")
    return ask_inside("run", game.program)


@attack("during", on=())
def read_its_own_program_inside(_):
    return ask_inside("open_it", HATCH.program, "O_RDONLY")


@attack("during", on=())
def have_code_inside_traced_by_code_inside(_):
    process, _ = ask_inside("parent")
    return ask_inside("trace", process)


@attack("during", on=())
def read_the_memory_of_the_game_inside(_):
    process, _ = ask_inside("parent")
    return ask_inside("memory_of", process)


def each_way_inside(name, mode=0o2755, made_before=True):
    path = ROOM / "shell"
    path.unlink(missing_ok=True)
    if made_before:
        copy_of(ID, "shell")
        os.chmod(path, 0o755)
        try:
            ask_inside("chgrp", str(path))
        except Refused:
            # What the game writes has the group anyway.
            path.unlink()
            ask_inside("write", str(path), "x")
    ask_inside(name, str(path), mode)
    if not path.stat().st_mode & stat.S_ISGID:
        raise Refused("the bit is not there")
    return oct(path.stat().st_mode), path.stat().st_gid


@attack("during", on=())
def set_the_bit_inside_with_chmod(_):
    return each_way_inside("chmod")


@attack("during", on=())
def set_the_bit_inside_with_fchmod(_):
    return each_way_inside("fchmod")


@attack("during", on=())
def set_the_bit_inside_with_fchmodat2(_):
    return each_way_inside("fchmodat2")


@attack("during", on=())
def create_a_file_with_the_bit_inside(_):
    return each_way_inside("create", made_before=False)


@attack("during", on=())
def create_a_file_with_the_bit_by_openat2(_):
    return each_way_inside("create_by_openat2", made_before=False)


@attack("during", on=())
def create_a_file_without_a_name_with_the_bit(_):
    return each_way_inside("create_without_name", made_before=False)


@attack("during", on=())
def make_a_node_with_the_bit(_):
    return each_way_inside("make_node", made_before=False)


@attack("during", on=())
def make_a_folder_with_the_bit(_):
    path = ROOM / "set"
    if path.exists():
        path.rmdir()
    ask_inside("make_folder", str(path), 0o2777)
    if not path.stat().st_mode & stat.S_ISGID:
        raise Refused("the bit is not there")
    return oct(path.stat().st_mode)


@attack("during", on=())
def set_the_bit_by_io_uring(_):
    return ask_inside("io_uring")


@attack("during", on=())
def give_a_shell_the_group_inside_and_set_the_bit_outside(_):
    path = copy_of(ID, "shell")
    ask_inside("chgrp", str(path))
    return set_group_id_outside(path)


@attack("during", on=())
def set_the_bit_outside_on_what_the_game_has_written(_):
    path = ROOM / "written"
    path.unlink(missing_ok=True)
    ask_inside("write", str(path), "#!/usr/bin/id\n")
    path.write_bytes(pathlib.Path(ID).read_bytes())
    return set_group_id_outside(path)


@attack("during", on=())
def set_the_bit_without_x_outside_and_x_by_an_access_list_inside(_):
    path = copy_of(ID, "shell", 0o2644)
    ask_inside("chgrp", str(path))
    ask_inside("set_list", str(path))
    return gives_the_group(path)


@attack("during", on=())
def the_same_by_a_new_system_call(_):
    path = copy_of(ID, "shell", 0o2644)
    try:
        ask_inside("chgrp", str(path))
    except Refused:
        pass
    ask_inside("setxattrat", str(path))
    return path.stat()


@attack("during", on=())
def write_from_outside_into_a_folder_that_has_group_and_bit(_):
    path = ROOM / "set-before"
    path.mkdir(exist_ok=True)
    os.chmod(path, 0o2777)
    ask_inside("chgrp", str(path))
    shell = path / "shell"
    shell.write_bytes(pathlib.Path(ID).read_bytes())
    return set_group_id_outside(shell)


@attack("during", on=())
def join_a_user_namespace_that_was_made_inside(_):
    process, _ = ask_inside("own_namespace", USER_NAMESPACE)
    return joined(process)


def joined(process):
    child = os.fork()
    if child == 0:
        descriptor = os.open(f"/proc/{process}/ns/user", os.O_RDONLY)
        if kit.LIBC.setns(descriptor, USER_NAMESPACE) == 0:
            os.setresgid(0, 0, 0)
            os._exit(0)
        os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise Refused("it can't be joined")
    return process


@attack("during", on=())
def make_a_mount_namespace_inside(_):
    return ask_inside("own_namespace", USER_NAMESPACE | 0x20000)


@attack("during", on=())
def join_inside_a_user_namespace_that_was_made_outside(_):
    with subprocess.Popen(["unshare", "--user", "--map-root-user", "sleep", "20"]) as sleeper:
        time.sleep(0.3)
        try:
            return ask_inside("join", f"/proc/{sleeper.pid}/ns/user")
        finally:
            sleeper.kill()


@attack("during", on=())
def pass_a_descriptor_of_the_program_out_and_start_it(_):
    _, (descriptor,) = ask_inside("open_it", HATCH.program, "O_PATH")
    return tried([f"/proc/self/fd/{descriptor}", "--once"], pass_fds=[descriptor])


@attack("during", on=())
def pass_a_descriptor_of_the_program_out_and_read_it(_):
    _, (descriptor,) = ask_inside("open_it", HATCH.program, "O_PATH")
    return kit.reads(f"/proc/self/fd/{descriptor}")


@attack("during", on=())
def pass_a_copy_in_memory_out(_):
    return ask_inside("memory_file", HATCH.program)


@attack("during", on=())
def set_the_bit_outside_on_a_memory_file_of_the_game(_):
    _, (descriptor,) = ask_inside("memory_file", ID)
    os.fchmod(descriptor, 0o2755)
    if not os.fstat(descriptor).st_mode & stat.S_ISGID:
        raise Refused("the kernel leaves the bit out")
    return gives_the_group(f"/proc/self/fd/{descriptor}")


@attack("during", on=())
def load_a_library_of_her_own_inside(_):
    return ask_inside("native_code", str(copy_of(kit.LOADER, "library.so")))


@attack("during", on=())
def start_a_program_of_her_own_inside(_):
    return ask_inside("run", str(copy_of(ID, "mine")))


@attack("during", on=())
def preload_a_library_into_a_second_start_inside(_):
    library = copy_of(kit.LOADER, "library.so")
    said, _ = ask_inside("run", "env", f"LD_PRELOAD={library}", HATCH.program, "--once")
    if "cannot be preloaded" in said:
        raise Refused(said)
    return said


@attack("during", on=(), works="what code inside the app does")
def preload_a_library_from_memory_into_a_second_start_inside(_):
    said, _ = ask_inside("preload_from_memory", os.path.realpath("/lib/x86_64-linux-gnu/libm.so.6"), HATCH.program)
    if "cannot be preloaded" in said:
        raise Refused(said)
    return said


@attack("during", on=(), works="what code inside the app does")
def start_it_a_second_time_inside(_):
    return ask_inside("run", HATCH.program, "--once")


@attack("during", on=())
def start_it_by_her_own_systemd_from_inside(_):
    before = len(kit.starts())
    ask_inside("run", "systemd-run", "--user", "--wait", "--collect", "--quiet", HATCH.program, "--once")
    if not kit.started_outside(before):
        raise Refused("it did not start")
    return kit.starts()[before:]


@attack("during", on=())
def kill_what_holds_it(_):
    units = subprocess.run(["pidof", "gate-launcher", "systemd-run", "gated"], stdout=subprocess.PIPE, check=False)
    for process in units.stdout.split():
        for kill in (lambda: os.kill(int(process), 9), lambda: ask_inside("signal", int(process), 9)):
            try:
                kill()
                return process
            except (PermissionError, Refused):
                pass
    raise Refused("nobody")


@attack("during", on=())
def stop_the_unit_or_give_it_more_time(_):
    for words in (["kill", "--signal=STOP"], ["stop"], ["set-property"], ["freeze"], ["reset-failed"]):
        units = subprocess.run(
            ["systemctl", "list-units", "--plain", "--no-legend", "gate-app-*"], stdout=subprocess.PIPE, check=True)
        unit = units.stdout.split()[0].decode()
        more = ["RuntimeMaxSec=2d"] if words == ["set-property"] else []
        try:
            return tried(["systemctl", "--no-ask-password", *words, unit, *more]), words
        except Refused:
            pass
    raise Refused("of five ways")


# What follows is looked at once more when the app is over: nothing of it may be left. See `left` in `attack`.
MARKS = {"daemon": "1001", "scope": "1002", "moved": "1003", "group": "1004"}


def left_behind(name):
    ask_inside("leave_behind", MARKS[name])
    time.sleep(0.5)
    found = subprocess.run(["pgrep", "--full", f"^sleep {MARKS[name]}"], stdout=subprocess.PIPE, check=True)
    return found.stdout.split()[0].decode()


@attack("during", on=(), works="is gone")
def leave_a_process_behind(_):
    return ask_inside("leave_behind", MARKS["daemon"])


@attack("during", on=(), works="is gone")
def move_a_process_into_a_unit_of_her_own_systemd(_):
    return ask_inside("scope", MARKS["scope"])


@attack("during", on=(), works="is gone")
def have_the_systems_systemd_move_a_process(_):
    process = left_behind("moved")
    return tried([
        "busctl", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
        "AttachProcessesToUnit", "ssau", f"user@{os.getuid()}.service", "/app.slice", "1", process,
    ])


@attack("during", on=(), works="is gone")
def move_a_process_into_a_control_group_of_her_own(_):
    # The kernel allows it only where systemd uses the first version of control groups.
    process = left_behind("group")
    found = list(pathlib.Path("/sys/fs/cgroup").glob(f"**/user@{os.getuid()}.service"))
    for folder in found:
        try:
            (folder / "cgroup.procs").write_text(process)
            return folder
        except PermissionError:
            pass
    raise Refused(f"{len(found)} groups take nobody")


@attack("during", on=(), works="is gone")
def fork_again_and_again_in_a_unit_of_her_own_systemd(_):
    kit.BEAT.touch()
    ask_inside("chain", str(kit.BEAT))
    time.sleep(1)
    if not kit.is_beating():
        raise Refused("nothing forks")
