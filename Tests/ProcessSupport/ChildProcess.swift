import Foundation
import Synchronization

/// A real process whose lines are read as they come. Ends with the value that holds it.
public final class ChildProcess: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) {
            self.description = description
        }
    }

    /// How it ended, and all that it said.
    public struct Result: Sendable {
        public let status: Int32
        public let output: String
        public let errors: String
    }

    /// How long anything is waited for before a test is given up: long, for machines that are busy.
    public static let patience = Duration.seconds(60)

    private struct Collected {
        var output = ""
        var errors = ""
        var takenLines = 0
        var isOutputOver = false
        var areErrorsOver = false
    }

    private let process = Process()
    private let input = Pipe()
    private let collected = Mutex(Collected())
    private let name: String

    public var pid: Int32 { process.processIdentifier }

    /// - Parameter hasInput: false: its standard input is /dev/null.
    public init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], hasInput: Bool = true
    ) throws {
        name = ([executable] + arguments).joined(separator: " ")
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"]) { $1 }.merging(environment) { $1 }
        process.standardInput = hasInput ? input : FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        collect(output, into: \.output, over: \.isOutputOver)
        collect(errors, into: \.errors, over: \.areErrorsOver)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private func collect(
        _ pipe: Pipe, into text: any WritableKeyPath<Collected, String> & Sendable,
        over: any WritableKeyPath<Collected, Bool> & Sendable
    ) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            while true {
                let data = handle.availableData
                guard !data.isEmpty, let self else { break }
                collected.withLock { $0[keyPath: text] += String(decoding: data, as: UTF8.self) }
            }
            self?.collected.withLock { $0[keyPath: over] = true }
        }
    }

    public var output: String { collected.withLock { $0.output } }
    public var errors: String { collected.withLock { $0.errors } }

    /// The next line of its output that was not taken before.
    /// - Throws: `Failure` when it ends without one, or past patience.
    public func nextLine() async throws -> String {
        try await waiting(for: "a line") {
            self.collected.withLock { state in
                let lines = state.output.split(separator: "\n", omittingEmptySubsequences: false)
                // What stands behind the last newline is not a line yet.
                guard lines.count - 1 > state.takenLines else { return nil }
                state.takenLines += 1
                return String(lines[state.takenLines - 1])
            }
        }
    }

    /// Takes lines until one contains the text; returns all that were taken.
    @discardableResult
    public func lines(through text: String) async throws -> [String] {
        var lines: [String] = []
        repeat { lines.append(try await nextLine()) } while !lines.last!.contains(text)
        return lines
    }

    public func write(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    public func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    public func signal(_ number: Int32) {
        kill(pid, number)
    }

    /// Waits for its end.
    public func ended() async throws -> Result {
        try await waiting(for: "its end", evenIfEnded: true) {
            let isOver = self.collected.withLock { $0.isOutputOver && $0.areErrorsOver }
            guard isOver, !self.process.isRunning else { return nil }
            let (output, errors) = self.collected.withLock { ($0.output, $0.errors) }
            let isSignal = self.process.terminationReason == .uncaughtSignal
            return Result(
                status: isSignal ? 128 + self.process.terminationStatus : self.process.terminationStatus,
                output: output, errors: errors)
        }
    }

    private func waiting<Value>(
        for what: String, evenIfEnded: Bool = false, _ look: () -> Value?
    ) async throws -> Value {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let isOver = collected.withLock { $0.isOutputOver }
            if let value = look() { return value }
            if isOver, !evenIfEnded {
                throw Failure(description: "\(name) ended without \(what): \(output)\(errors)")
            }
            if ContinuousClock.now > deadline {
                throw Failure(description: "waited in vain for \(what) of \(name): \(output)\(errors)")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

/// Waits until something is so.
public func eventually(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + ChildProcess.patience
    while try await !isSo() {
        if ContinuousClock.now > deadline { throw ChildProcess.Failure(description: "waited in vain: \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Where the built executables are: beside the tests, or in `GATE_BIN`.
public func builtExecutable(_ name: String) -> String {
    let folder =
        ProcessInfo.processInfo.environment["GATE_BIN"]
        ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    return folder + "/" + name
}
