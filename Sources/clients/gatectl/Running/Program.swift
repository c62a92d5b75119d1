import CProcess
import Glibc

/// Runs other programs: short ones of the system that answer a question, and those that go on when gatectl has ended.
enum Program {
    /// So many bytes of output are kept, if nobody says how many.
    static let outputByteCount = 64 << 10

    /// `POSIX_SPAWN_SETSID` of spawn.h, which Swift's Glibc module lacks.
    private static let startsSession: Int16 = 0x80

    /// The standard output, whatever the exit status; `nil` if the program can't be started.
    static func output(of arguments: [String]) -> String? { result(of: arguments)?.output }

    /// The standard output and the exit status, which is `nil` if a signal ended it; `nil` if the program can't be
    /// started. Output after `limit` bytes is read and dropped.
    static func result(of arguments: [String], limit: Int = outputByteCount) -> (output: String, status: CInt?)? {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = started(arguments, output: ends[1])
        close(ends[1])
        guard let process else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(ends[0], &piece, piece.count)
            guard count != 0, count > 0 || errno == EINTR else { break }
            if bytes.count < limit { bytes += piece.prefix(max(0, count)) }
        }
        let status = exitStatus(of: process)
        return (String(decoding: bytes, as: UTF8.self), status)
    }

    /// `nil` if the program can't be started, or a signal ended it.
    static func exitStatus(of arguments: [String]) -> CInt? {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        return started(arguments, output: null).flatMap(exitStatus)
    }

    /// The exit status of a program that runs as another user, who can take over what it has open (`ptrace`). So it
    /// runs in a session of its own, without a terminal, input and output: with our terminal that user could read and
    /// type on it. They can also stop it for ever, so it is killed with its process group after `time`. `nil` if the
    /// program can't be started, or a signal ended it.
    static func exitStatusWithoutTerminal(of arguments: [String], within time: Duration = .seconds(10)) -> CInt? {
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        guard posix_spawnattr_setsigmask(&attributes, &none) == 0,
            posix_spawnattr_setflags(&attributes, startsSession | Int16(POSIX_SPAWN_SETSIGMASK)) == 0
        else { return nil }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard null >= 0 else { return nil }
        defer { close(null) }
        guard let process = started(arguments, input: null, output: null, &attributes) else { return nil }
        if !ends(process, within: time) {
            // The session's first process leads its group. The user may have moved their own processes out of it, but
            // not this one, if it is root's.
            kill(-process, SIGKILL)
            kill(process, SIGKILL)
        }
        return exitStatus(of: process)
    }

    /// Waits until the program has ended, and leaves its exit status to `exitStatus`. Returns false after `time`.
    private static func ends(_ process: pid_t, within time: Duration) -> Bool {
        let deadline = ContinuousClock.now.advanced(by: time)
        while ContinuousClock.now < deadline {
            var ended = siginfo_t()
            let result = waitid(P_PID, id_t(process), &ended, WEXITED | WNOHANG | WNOWAIT)
            // If there is nothing to wait for, no process is killed in its place.
            if result == 0 ? ended.si_signo == SIGCHLD : errno != EINTR { return true }
            usleep(5_000)
        }
        return false
    }

    /// Starts a program that goes on by itself after gatectl has ended: in a process group of its own, so that signals
    /// to gatectl's group do not reach it, without input and output, and with the usual signals. A name is looked for
    /// in PATH. Returns false if the program can't be started.
    static func startApart(_ arguments: [String]) -> Bool {
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return false }
        defer { posix_spawnattr_destroy(&attributes) }
        guard set_own_group(&attributes) == 0 else { return false }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        return started(arguments, input: null, output: null, &attributes) != nil
    }

    private static func started(
        _ arguments: [String], input: CInt = STDIN_FILENO, output: CInt,
        _ attributes: UnsafePointer<posix_spawnattr_t>? = nil
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) == 0,
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0,
            // Error messages would appear between our own lines.
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0,
            add_close_from(&actions, 3) == 0
        else { return nil }
        var process = pid_t()
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        guard posix_spawnp(&process, arguments[0], &actions, attributes, &pointers, environ) == 0 else { return nil }
        return process
    }

    private static func exitStatus(of process: pid_t) -> CInt? {
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        // The lowest seven bits are the signal that ended it; the second byte is the exit status.
        return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    }
}
