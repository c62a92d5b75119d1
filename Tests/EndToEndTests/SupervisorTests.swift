import Foundation
import ProcessSupport
import Testing

@Suite("gated under a service manager", .serialized, .waitsForProcesses)
struct SupervisorTests {
    @Test("the doctor reports a hanging daemon, and does not hang itself")
    func hangingDaemon() throws {
        let gate = try RunningGate()
        gate.daemon.signal(SIGSTOP)
        let doctor = try gate.gatectl("doctor")
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("it does not answer"))
    }

    @Test(
        "gated accepts a passed socket, reports that it is ready, feeds the watchdog, and reports that it stops",
        arguments: [true, false])
    func activation(hasArguments: Bool) throws {
        let folder = NSTemporaryDirectory() + "gate-activation-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let notifications = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(notifications) }
        try bindSocket(notifications, folder + "/notify")
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listening) }
        try bindSocket(listening, folder + "/gate.sock")
        listen(listening, 16)

        // A client that connects before the daemon starts is served by it.
        let early = try RawPeer(folder + "/gate.sock")
        early.write(RawPeer.request(stream: 1, "gate.v1.Mode", "GetMode"))

        let daemon = try spawn(
            [
                "/bin/sh", "-c", "LISTEN_PID=$$ exec \"$0\" \"$@\"", builtProgram("gated"),
            ]
                + (hasArguments
                    ? [
                        "--state-directory", folder + "/state", "--socket", folder + "/not-used.sock",
                        "--runtime-directory", folder,
                    ] : []),
            environment: (hasArguments
                ? []
                : [
                    "STATE_DIRECTORY=\(folder)/state:/not/used", "RUNTIME_DIRECTORY=\(folder)",
                    "CONFIGURATION_DIRECTORY=\(folder)/configuration",
                ]) + [
                    "NOTIFY_SOCKET=\(folder)/notify", "WATCHDOG_USEC=200000", "LISTEN_FDS=1",
                    "SWIFT_BACKTRACE=enable=no",
                ] + sanitizerOptions.map { "\($0.key)=\($0.value)" },
            third: listening)
        defer { kill(daemon, SIGKILL) }
        #expect(receive(notifications).contains("READY=1"))
        #expect(RawPeer.code(try #require(early.read())) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder + "/not-used.sock"))
        #expect(FileManager.default.fileExists(atPath: folder + "/state/gate.sqlite"))
        #expect(FileManager.default.fileExists(atPath: folder + "/status"))
        for _ in 0..<3 { #expect(receive(notifications) == "WATCHDOG=1") }

        kill(daemon, SIGTERM)
        var last = ""
        repeat { last = receive(notifications) } while last == "WATCHDOG=1"
        #expect(last.contains("STOPPING=1"))
        var status: CInt = -1
        waitpid(daemon, &status, 0)
        #expect(status == 0)
        // The socket belongs to the service manager, so it stays.
        #expect(FileManager.default.fileExists(atPath: folder + "/gate.sock"))
    }

    /// Starts a program whose descriptor 3 is this one.
    private func spawn(_ arguments: [String], environment: [String], third: CInt) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The descriptor goes by way of a free number: dup2 onto itself would leave close-on-exec set.
        let copy = fcntl(third, F_DUPFD_CLOEXEC, 100)
        defer { close(copy) }
        posix_spawn_file_actions_adddup2(&actions, copy, 3)
        let argumentPointers = arguments.map { strdup($0) }
        let environmentPointers = environment.map { strdup($0) }
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var pid: pid_t = 0
        let result = posix_spawn(
            &pid, arguments[0], &actions, nil, argumentPointers + [nil], environmentPointers + [nil])
        try #require(result == 0)
        return pid
    }

    private func bindSocket(_ descriptor: CInt, _ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    private func receive(_ descriptor: CInt) -> String {
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
}
