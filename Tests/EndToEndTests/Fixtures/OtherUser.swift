import Foundation
import Glibc
import ProcessSupport

/// Another user of the device, by number: it needs no name. Only root can become one.
struct OtherUser {
    let uid: UInt32

    static let isPossible = geteuid() == 0

    /// Starts `gatectl` as this user, and leaves it running.
    func gatectl(_ gate: RunningGate, _ arguments: [String]) throws -> ChildProcess {
        try start(try Self.gatectlForAll(gate), arguments + ["--socket", gate.socket, "--server-user", "root"])
    }

    /// `gatectl`, where every user can reach it.
    static func gatectlForAll(_ gate: RunningGate) throws -> String {
        let copy = gate.directory + "/gatectl"
        if !FileManager.default.fileExists(atPath: copy) {
            try copyProgram(builtProgram("gatectl"), to: copy)
        }
        return copy
    }

    /// Runs `gatectl` as this user to its end.
    func run(_ gate: RunningGate, _ arguments: String..., input: String = "") throws -> ChildProcess.Result {
        let process = try gatectl(gate, arguments)
        process.write(input)
        process.closeInput()
        return try process.ended()
    }

    /// Starts any program as this user.
    func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> ChildProcess {
        try ChildProcess("/usr/bin/setpriv", words + [program] + arguments, environment: environment)
    }

    /// The arguments of `setpriv`.
    var words: [String] { ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups"] }
}
