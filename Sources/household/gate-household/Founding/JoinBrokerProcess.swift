import CProcess
import GateHousehold
import GateTexts
import Glibc

/// The broker for devices that join, as a process on this device for as long as an invitation waits.
///
/// A shell starts the broker, waits for the end of its own standard input, and then ends the broker. The input is a
/// pipe whose other end only this program has. So the broker ends with this program, even if that is killed: its port
/// must not outlast the invitation. The shell also limits what strangers can take from the device: open files and
/// memory.
struct JoinBrokerProcess {
    /// Where mosquitto may be. PATH is ignored, because this runs as root.
    private static let programs = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"].map {
        "\($0)/mosquitto"
    }
    /// The users for mosquitto if root starts it: the first that exists. mosquitto itself falls back to the second.
    private static let users = ["mosquitto", "nobody"]
    private static let memoryKiB = 512 << 10
    private static let script = """
        ulimit -n \(JoinBroker.openFiles); ulimit -v \(memoryKiB); ulimit -c 0
        "$1" -c "$2/join.conf" &
        broker=$!
        read -r end
        kill $broker
        wait $broker
        rm -rf "$2"
        """

    private let shell: pid_t
    /// This program's end of the pipe to the shell. Closing it ends the broker.
    private let lifeline: CInt

    /// mosquitto's path; `nil` if it is not installed here.
    static var program: String? { programs.first { access($0, X_OK) == 0 } }

    /// Runs the broker while `body` runs. It does not listen at once, and does not listen at all if another program has
    /// its port. `files` are its certificates, its key, and who may do what there.
    /// - Throws: `file` if it can't be started; what `body` throws.
    static func with(
        _ program: String, _ broker: JoinBroker, packetBytes: Int, _ files: [HouseholdFile],
        _ body: () async throws -> Void
    ) async throws {
        try await TemporaryFolder.with(files) { folder in
            let user = geteuid() == 0 ? users.lazy.compactMap { getpwnam($0) }.first?.pointee : nil
            var configuration = broker.configuration(in: folder, packetBytes: packetBytes)
            if let user { configuration += "user \(String(cString: user.pw_name))\n" }
            try FileSystem.write(Array(configuration.utf8), to: "\(folder)/join.conf", 0o600, nil)
            if let user {
                let names = try FileSystem.names(in: folder).map { "\(folder)/\($0)" }
                // The folder gets its new owner last, because that user can replace files from then on.
                for path in names + [folder] where chown(path, user.pw_uid, user.pw_gid) != 0 {
                    throw FoundingError.file(path)
                }
            }
            let process = try JoinBrokerProcess(program, folder)
            defer { process.end() }
            try await body()
        }
    }

    private init(_ program: String, _ folder: String) throws(FoundingError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .file(program) }
        defer { close(ends[0]) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO)
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // The shell and the broker inherit no other descriptor. With this program's end of the pipe they would outlive
        // the program, and the connection to gated has root's rights, while strangers talk to the broker.
        var problem = add_close_from(&files, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The shell starts with the usual signals, although this thread may block some, and this program ignores
        // SIGPIPE. It has a process group of its own, or Ctrl-C would end the shell before it has ended the broker.
        if problem == 0 { problem = set_own_group(&attributes) }
        let texts = ["/bin/sh", "-c", Self.script, "sh", program, folder]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        var environment = [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil]
        defer { for word in words + environment { free(word) } }
        var process: pid_t = 0
        if problem == 0 {
            problem = posix_spawn(&process, "/bin/sh", &files, &attributes, &words, &environment)
        }
        guard problem == 0 else {
            close(ends[1])
            throw .file(path: "/bin/sh", problem: String(cString: strerror(problem)))
        }
        (shell, lifeline) = (process, ends[1])
    }

    static func isNotThere(_ host: String, _ port: UInt16) -> FoundingError {
        .broker(
            localized(
                "mosquitto does not listen at {host}:{port}. Is the port another program's?",
                ["host": host, "port": "\(port)"]))
    }

    /// Ends the broker, and returns when it has ended.
    private func end() {
        close(lifeline)
        var ended = siginfo_t()
        while waitid(P_PID, id_t(shell), &ended, WEXITED | WNOWAIT) < 0 { guard errno == EINTR else { return } }
        // If somebody has killed only the shell, the broker still runs in the shell's process group. The group's
        // number, which is that of the shell, is not used again before waitpid(2).
        kill(-shell, SIGKILL)
        waitpid(shell, nil, 0)
    }
}
