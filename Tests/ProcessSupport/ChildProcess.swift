import Foundation
import Glibc

/// A program whose input and output a test controls. Every wait ends with an error after a while, because a test that
/// hangs shows nothing.
public final class ChildProcess: @unchecked Sendable {
    /// The channel that a line comes from.
    public enum Channel: Sendable {
        case output
        case error
    }

    /// Its end and all its output.
    public struct Result: Sendable {
        /// The exit status; 128 and the signal's number where one ended it.
        public let status: Int32
        public let output: String
        public let errors: String
    }

    /// One at a time: a program would have what Foundation has opened meanwhile for another one, and anyone who waits
    /// for that one's end would wait for both.
    private static let starting = NSLock()

    private let process = Process()
    private let input: Pipe
    private let lines: LineBuffer
    private var isInputOpen = true

    public var pid: Int32 { process.processIdentifier }

    public var isRunning: Bool { process.isRunning }

    /// Starts it.
    /// - Parameter hasInput: false: its standard input is /dev/null.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], hasInput: Bool = true
    ) throws {
        Self.starting.lock()
        defer { Self.starting.unlock() }
        input = Pipe()
        let outputPipe = Pipe()
        let errorPipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "TERM": "dumb"]
            .merging(sanitizerOptions) { $1 }.merging(environment) { $1 }
        process.standardInput = hasInput ? input : FileHandle.nullDevice
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        // Writing to a program that has ended gives an error, and does not kill this process.
        Glibc.signal(SIGPIPE, SIG_IGN)
        try process.run()
        lines = LineBuffer([.output: outputPipe.fileHandleForReading, .error: errorPipe.fileHandleForReading])
    }

    deinit {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    // MARK: What it says

    /// The next line of either channel; `nil` where there are no more.
    public func nextLineAnywhere() throws -> (channel: Channel, text: String)? {
        do {
            return try lines.next()
        } catch {
            throw failure("it says nothing")
        }
    }

    /// The next line of its output; `nil` where there are no more.
    public func nextLineOrEnd() throws -> String? {
        while let line = try nextLineAnywhere() {
            if line.channel == .output { return line.text }
        }
        return nil
    }

    /// The next line of its output; an error where there are no more.
    public func nextLine() throws -> String {
        guard let line = try nextLineOrEnd() else { throw failure("it has ended") }
        return line
    }

    /// Takes lines of its output until one contains the text; returns all that were taken.
    @discardableResult
    public func lines(through text: String) throws -> [String] {
        var taken: [String] = []
        repeat { taken.append(try nextLine()) } while !taken.last!.contains(text)
        return taken
    }

    /// Skips the lines that it has printed so far, so that the next line is a new one.
    public func skipLines() {
        lines.skip()
    }

    // MARK: What it is told

    /// Writes this to its input. Nothing happens if it has ended.
    public func write(_ text: String) {
        guard isInputOpen else { return }
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    public func closeInput() {
        guard isInputOpen else { return }
        isInputOpen = false
        try? input.fileHandleForWriting.close()
    }

    public func signal(_ number: Int32) {
        Glibc.kill(pid, number)
    }

    /// kill -9, and waits for its end.
    public func kill() {
        signal(SIGKILL)
        process.waitUntilExit()
    }

    // MARK: How it ends

    public var hasEnded: Bool { !process.isRunning }

    /// Waits for its end.
    public func ended() throws -> Result {
        while try nextLineAnywhere() != nil {}
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return Result(
            status: isSignal ? 128 + process.terminationStatus : process.terminationStatus,
            output: lines.all(.output), errors: lines.all(.error))
    }

    public func failure(_ problem: String) -> ProcessFailure {
        let command = [process.executableURL?.lastPathComponent ?? ""] + (process.arguments ?? [])
        return ProcessFailure(
            "\(command.joined(separator: " ")): \(problem)\n\(lines.all(.output))\(lines.all(.error))")
    }
}

/// A program that did not do what a test needs.
public struct ProcessFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Waits until this is true.
public func eventually(_ what: String, _ isSo: () throws -> Bool) throws {
    let patience = ContinuousClock.now + .seconds(60)
    // Checking the condition may start a process, which takes time from others.
    var pause: UInt32 = 5000
    while try !isSo() {
        if ContinuousClock.now > patience { throw ProcessFailure("It never happens that \(what).") }
        usleep(pause)
        pause = min(pause * 2, 20_000)
    }
}

/// Connects to a Unix socket. The caller closes the descriptor.
public func connectedSocket(at path: String) throws -> CInt {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard descriptor >= 0, result == 0 else {
        let reason = String(cString: strerror(errno))
        close(descriptor)
        throw ProcessFailure("connect: \(reason)")
    }
    return descriptor
}

/// The options of the sanitizers that the tests may be built with; the programs are built with the same ones.
public let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
}

/// Whether a sanitizer is on. It keeps freed memory, so that memory can't be measured.
public let isSanitized = dlsym(nil, "__asan_init") != nil || isThreadSanitized

/// Whether the thread sanitizer is on.
public let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

/// Where a built program is: beside the tests, or in `GATE_BIN`.
public func builtProgram(_ name: String) -> String {
    let folder =
        ProcessInfo.processInfo.environment["GATE_BIN"]
        ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    return folder + "/" + name
}
