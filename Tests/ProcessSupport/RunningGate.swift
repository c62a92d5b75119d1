import Foundation
import Glibc

/// A real `gated` in a folder of its own, and `gatectl` to talk with it.
public final class RunningGate: @unchecked Sendable {
    public let directory: String
    public private(set) var daemon: ChildProcess!
    private let options: [String]
    private let launcher: [String]

    public var socket: String { directory + "/gate.sock" }
    public var stateDirectory: String { directory + "/state" }

    /// A sum with a choice in front of parent mode and of links; photos want parent mode.
    public static let policy = """
        mode: {challenge: arithmetic-choice}
        gated-actions:
          link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}
          photos.delete: {title: Delete photos, requires: {mode: parent}}

        """

    /// Starts the daemon and waits until it serves.
    /// - Parameters:
    ///   - policy: what its policy.yaml says.
    ///   - files: what else is in its configuration directory, by path.
    ///   - isOpenToOthers: other users may come as far as the socket.
    ///   - options: more of the daemon's own.
    ///   - launcher: a program that becomes the daemon, and its arguments.
    public init(
        policy: String = policy, files: [String: [UInt8]] = [:], isOpenToOthers: Bool = false, options: [String] = [],
        launcher: [String] = []
    ) throws {
        directory = NSTemporaryDirectory() + "gate-" + UUID().uuidString.prefix(8)
        (self.options, self.launcher) = (options, launcher)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: isOpenToOthers ? 0o755 : 0o700])
        try writePolicy(policy)
        for (path, bytes) in files { try writeConfiguration(bytes, to: path) }
        try start()
    }

    public var configurationDirectory: String { directory + "/etc" }

    /// Writes the policy for the next start or reload.
    public func writePolicy(_ text: String) throws {
        try writeConfiguration(Array(text.utf8), to: "policy.yaml")
    }

    /// Writes a file that the daemon trusts into its configuration directory, or below.
    public func writeConfiguration(_ bytes: [UInt8], to path: String) throws {
        let file = configurationDirectory + "/" + path
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try Data(bytes).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    }

    deinit {
        daemon?.signal(SIGKILL)
        try? FileManager.default.removeItem(atPath: directory)
    }

    public var daemonArguments: [String] {
        [
            "--socket", socket, "--state-directory", stateDirectory, "--runtime-directory", directory,
            "--config-directory", configurationDirectory,
        ] + options
    }

    public func start() throws {
        let words = launcher + [builtProgram("gated")] + daemonArguments
        daemon = try ChildProcess(words[0], Array(words.dropFirst()))
        try eventually("gated is ready") { takesConnections }
    }

    /// Asks the socket itself, because each look by `gatectl` takes as long as a start of the daemon.
    private var takesConnections: Bool {
        guard let descriptor = try? connectedSocket(at: socket) else { return false }
        close(descriptor)
        return true
    }

    /// Starts a daemon none of whose files may grow past 64 KiB: its write-ahead log soon can't.
    public func startOnSmallDisk() throws -> ChildProcess {
        let limited = try startWithSmallFiles("ulimit -f 128")
        try eventually("gated is ready") { takesConnections }
        return limited
    }

    /// Starts a daemon whose files may not grow past 16 KiB: it can't even open its store. See `makeRoom(for:)`.
    public func startOnFullDisk() throws -> ChildProcess {
        try startWithSmallFiles("ulimit -S -f 32")
    }

    /// - Parameter limit: in blocks of 512 bytes. Past it, a write fails as it does on a full disk.
    public func startWithSmallFiles(_ limit: String) throws -> ChildProcess {
        try ChildProcess(
            "/bin/sh", ["-c", "trap '' XFSZ; \(limit); exec \"$0\" \"$@\"", builtProgram("gated")] + daemonArguments)
    }

    public func makeRoom(for daemon: ChildProcess) throws {
        let change = try ChildProcess("/usr/bin/prlimit", ["--pid", "\(daemon.pid)", "--fsize=unlimited"])
        guard try change.ended().status == 0 else { throw change.failure("there is no more room") }
    }

    /// kill -9.
    public func crash() throws {
        daemon.signal(SIGKILL)
        _ = try daemon.ended()
    }

    /// An orderly stop; returns its exit status.
    public func stop() throws -> Int32 {
        daemon.signal(SIGTERM)
        return try daemon.ended().status
    }

    /// A copy of a built executable that other users may run.
    public func copied(_ name: String) throws -> String {
        let copy = directory + "/" + name
        if !FileManager.default.fileExists(atPath: copy) {
            // In a process of its own: one that this process forks meanwhile would hold the file open for writing, and
            // nobody could start it.
            let copying = try ChildProcess("/bin/cp", [builtProgram(name), copy], hasInput: false)
            guard try copying.ended().status == 0 else { throw copying.failure("no copy") }
        }
        return copy
    }

    /// Starts `gatectl` and leaves it running.
    public func gatectlRunning(_ arguments: String..., hasInput: Bool = true) throws -> ChildProcess {
        try ChildProcess(
            builtProgram("gatectl"), arguments + ["--socket", socket, "--server-user", NSUserName()],
            hasInput: hasInput)
    }

    /// Runs `gatectl` to its end.
    public func gatectl(_ arguments: String..., input: String? = nil) throws -> ChildProcess.Result {
        let process = try ChildProcess(
            builtProgram("gatectl"), arguments + ["--socket", socket, "--server-user", NSUserName()],
            hasInput: input != nil)
        if let input {
            process.write(input)
            process.closeInput()
        }
        return try process.ended()
    }

    /// Anonymous memory of the daemon, in bytes; under a sanitizer, which says nothing of it, always 0.
    public func anonymousBytes() throws -> Int {
        isSanitized ? 0 : try kernelCount("RssAnon") * 1024
    }

    /// Descriptors of the daemon that the kernel has room for just now.
    public func roomForDescriptors() throws -> Int { try kernelCount("FDSize") }

    /// A number that the kernel counts for the daemon; bytes are in KiB.
    private func kernelCount(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count > 1, let count = Int(words[1]) else {
            throw ProcessFailure("The kernel doesn't say \(name).")
        }
        return count
    }
}

/// The right answer to a question in `gatectl`'s JSON, and a wrong one.
public struct Answers {
    public let right: String
    public let wrong: String

    /// - Parameter json: a line that holds a `presentation`.
    public init?(json: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any],
            let presentation = object["presentation"] as? [String: Any],
            let problem = (presentation["arithmeticChoice"] ?? presentation["arithmeticEntry"]) as? [String: Any],
            let left = problem["left"] as? Int, let right = problem["right"] as? Int,
            let sign = problem["operation"] as? String
        else { return nil }
        let result: Int
        switch sign {
        case "OPERATOR_PLUS": result = left + right
        case "OPERATOR_MINUS": result = left - right
        case "OPERATOR_TIMES": result = left * right
        case "OPERATOR_DIVIDED_BY": result = left / right
        default: return nil
        }
        self.right = "\(result)"
        let choices = problem["choices"] as? [Int] ?? [result + 1]
        wrong = "\(choices.first { $0 != result } ?? result + 1)"
    }
}
