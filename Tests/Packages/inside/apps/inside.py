"""The child's code inside of hatch: does what the attacks outside ask for, with the group of the game."""

import ctypes
import json
import mmap
import os
import socket
import subprocess
import sys
import time

import kit

CALLS = {}


def call(function):
    CALLS[function.__name__] = function
    return function


@call
def who():
    return " ".join(str(number) for number in (os.getuid(), os.getgid(), *os.getgroups()))


@call
def variables():
    return dict(os.environ)


@call
def run(*argv):
    return kit.tried(list(argv))


@call
def open_it(path, *flags):
    flag = 0
    for name in flags:
        flag |= getattr(os, name)
    return path, os.open(path, flag)


@call
def chmod(path, mode):
    os.chmod(path, mode)


@call
def fchmod(path, mode):
    descriptor = os.open(path, os.O_RDONLY)
    os.fchmod(descriptor, mode)


@call
def fchmodat2(path, mode):
    kit.system_call(452, -100, path.encode(), ctypes.c_uint(mode), 0)


@call
def create(path, mode):
    os.umask(0)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))


@call
def create_by_openat2(path, mode):
    how = (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode, 0)
    kit.system_call(437, -100, path.encode(), how, ctypes.sizeof(how))


@call
def create_without_name(path, mode):
    os.umask(0)
    descriptor = os.open(os.path.dirname(path), os.O_TMPFILE | os.O_RDWR, mode)
    os.link(f"/proc/self/fd/{descriptor}", path, follow_symlinks=True)


@call
def make_folder(path, mode):
    os.umask(0)
    os.mkdir(path, mode)


@call
def make_node(path, mode):
    os.umask(0)
    os.mknod(path, mode | 0o100000)


@call
def chgrp(path):
    os.chown(path, -1, os.getegid())


@call
def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


# An access list of only owner, group and others becomes the file's mode.
ACL = bytes.fromhex("02000000" + "01000700ffffffff" + "04000500ffffffff" + "20000500ffffffff")


@call
def set_list(path):
    os.setxattr(path, "system.posix_acl_access", ACL)


@call
def setxattrat(path):
    class Arguments(ctypes.Structure):
        _fields_ = [("value", ctypes.c_uint64), ("size", ctypes.c_uint32), ("flags", ctypes.c_uint32)]

    value = ctypes.create_string_buffer(ACL, len(ACL))
    arguments = Arguments(ctypes.addressof(value), len(ACL), 0)
    kit.system_call(463, -100, path.encode(), 0, b"system.posix_acl_access", ctypes.byref(arguments), 16)


@call
def io_uring():
    return kit.system_call(425, 1, ctypes.create_string_buffer(120))


@call
def own_namespace(flag):
    # In a process of its own, which stays for as long as somebody may join it.
    user, group = os.getuid(), os.getgid()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        if kit.LIBC.unshare(flag) != 0:
            os.write(writer, str(ctypes.get_errno()).encode())
            os._exit(1)
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
        os.write(writer, b"0")
        time.sleep(60)
        os._exit(0)
    error = int(os.read(reader, 16))
    if error:
        raise OSError(error, os.strerror(error))
    return child


@call
def join(namespace):
    # In a process of its own, since this one goes on.
    child = os.fork()
    if child == 0:
        os._exit(0 if kit.LIBC.setns(os.open(namespace, os.O_RDONLY), 0) == 0 else ctypes.get_errno())
    error = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if error:
        raise OSError(error, os.strerror(error))


@call
def memory_of(process):
    # What a debugger would read: the text of hatch's own process.
    return kit.reads(f"/proc/{process}/mem")


@call
def trace(process):
    if kit.LIBC.ptrace(ctypes.c_long(16), ctypes.c_long(process), None, None) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    kit.LIBC.ptrace(ctypes.c_long(17), ctypes.c_long(process), None, None)


@call
def parent():
    return os.getppid()


@call
def native_code(path):
    # A library of the child's own.
    descriptor = os.open(path, os.O_RDONLY)
    mmap.mmap(descriptor, 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)


@call
def memory_file(source):
    descriptor = os.memfd_create("copy")
    with open(source, "rb") as file:
        os.write(descriptor, file.read())
    return source, descriptor


@call
def preload_from_memory(library, program):
    descriptor = os.memfd_create("library")
    with open(library, "rb") as file:
        os.write(descriptor, file.read())
    os.set_inheritable(descriptor, True)
    environment = dict(os.environ, LD_PRELOAD=f"/proc/self/fd/{descriptor}")
    try:
        return kit.tried([program, "--once"], env=environment, close_fds=False)
    finally:
        os.close(descriptor)


@call
def leave_behind(mark):
    # A process that has left its session and its parent.
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv("/usr/bin/sleep", ["sleep", mark])
        os._exit(0)
    os.wait()


@call
def scope(mark):
    # systemd moves what is inside into a unit of the child's own systemd.
    subprocess.Popen(
        ["systemd-run", "--user", "--scope", "--quiet", "sleep", mark],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )


@call
def chain(beat):
    # In a unit of the child's own systemd: each process forks, touches the file, and ends, so that the next one has another number.
    again = "import os, sys\nwhile True:\n    os.utime(sys.argv[1])\n    if os.fork():\n        os._exit(0)\n"
    subprocess.Popen(
        ["systemd-run", "--user", "--scope", "--quiet", "/usr/bin/python3", "-I", "-c", again, beat],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )


@call
def signal(process, number):
    os.kill(process, number)


def serve():
    try:
        os.unlink(kit.SOCKET)
    except FileNotFoundError:
        pass
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(kit.SOCKET)
    listener.listen(8)
    while True:
        connection, _ = listener.accept()
        message, passed, _, _ = socket.recv_fds(connection, 1 << 16, 16)
        name, *arguments = json.loads(message)
        given = []
        try:
            result = CALLS[name](*arguments)
            if isinstance(result, tuple):
                result, *given = result
            answer = [result, True]
        except (OSError, kit.Refused, subprocess.TimeoutExpired) as error:
            answer = [str(error), False]
        try:
            socket.send_fds(connection, [json.dumps(answer).encode()], given)
        except OSError:
            pass
        for descriptor in (*given, *passed):
            os.close(descriptor)
        connection.close()


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(__file__))
    serve()
