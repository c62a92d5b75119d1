import CProcess
import Glibc

/// Runs short system programs to ask about the system, and waits for them.
enum Program {
    /// When this many bytes of output are kept, everything after them is read and dropped.
    private static let outputByteCount = 64 << 10

    /// The standard output, whatever the exit status; `nil` if the program can't be started.
    static func output(of arguments: [String]) -> String? {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = started(arguments, output: ends[1])
        close(ends[1])
        guard let process else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &piece, piece.count)
            guard count != 0, count > 0 || errno == EINTR else { break }
            if bytes.count < outputByteCount { bytes += piece.prefix(max(0, count)) }
        }
        _ = exitStatus(of: process)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `nil` if the program can't be started, or a signal ended it.
    static func exitStatus(of arguments: [String]) -> CInt? {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        return started(arguments, output: null).flatMap(exitStatus)
    }

    private static func started(_ arguments: [String], output: CInt) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0,
            // Error messages would appear between our own lines.
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0,
            add_close_from(&actions, 3) == 0
        else { return nil }
        var process = pid_t()
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        guard posix_spawnp(&process, arguments[0], &actions, nil, &pointers, environ) == 0 else { return nil }
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
