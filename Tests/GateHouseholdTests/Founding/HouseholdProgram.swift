import Foundation
import ProcessSupport

/// Starts `gate-household` on the device of this daemon.
func start(_ gate: RunningGate, _ words: [String]) throws -> ChildProcess {
    try ChildProcess(
        builtProgram("gate-household"),
        words + [
            "--config-directory", gate.configurationDirectory, "--socket", gate.socket, "--server-user", NSUserName(),
        ])
}

/// Runs `gate-household` on the device of this daemon until it has ended.
func run(_ gate: RunningGate, _ words: String..., input: String? = nil) throws -> ChildProcess.Result {
    let process = try start(gate, words)
    if let input { process.write(input) }
    process.closeInput()
    return try process.ended()
}
