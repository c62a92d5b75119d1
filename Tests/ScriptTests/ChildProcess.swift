import Foundation
import Glibc

/// A program with its input and output in our hands. Every wait ends after a while with an error: a test that hangs
/// says nothing.
final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let lines: LineBuffer
    private var isInputOpen = true

    /// Starts it.
    init(_ program: URL, _ arguments: [String]) throws {
        let outputPipe = Pipe()
        let errorPipe = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "TERM": "dumb"]
        process.standardInput = input
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        // A program that is gone does not read what we write: an error of the write, not our death.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        lines = LineBuffer([.output: outputPipe.fileHandleForReading, .error: errorPipe.fileHandleForReading])
    }

    deinit {
        if process.isRunning {
            Glibc.kill(process.processIdentifier, SIGKILL)
        }
    }

    /// Where it says something.
    enum Channel {
        case output
        case error
    }

    /// The next line of its output; `nil` where there are no more.
    func nextLine() throws -> String? {
        while let line = try nextLineAnywhere() {
            if line.channel == .output { return line.text }
        }
        return nil
    }

    /// The next line of either channel; `nil` where there are no more.
    func nextLineAnywhere() throws -> (channel: Channel, text: String)? {
        do {
            return try lines.next()
        } catch {
            throw failure("it says nothing")
        }
    }

    /// Lets it read a line. Nothing happens where it has ended.
    func write(_ line: String) {
        guard isInputOpen else { return }
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    func closeInput() {
        guard isInputOpen else { return }
        isInputOpen = false
        try? input.fileHandleForWriting.close()
    }

    /// kill -9.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Its exit status, once it has ended by itself.
    func waitForEnd() throws -> Int32 {
        while try nextLine() != nil {}
        process.waitUntilExit()
        guard process.terminationReason == .exit else {
            throw failure("it died of signal \(process.terminationStatus)")
        }
        return process.terminationStatus
    }

    func failure(_ problem: String) -> ProcessFailure {
        let command = [process.executableURL?.lastPathComponent ?? ""] + (process.arguments ?? [])
        return ProcessFailure(program: command.joined(separator: " "), problem: problem, said: lines.all)
    }
}

/// A program did not do what it is there for.
struct ProcessFailure: Error, CustomStringConvertible {
    let program: String
    let problem: String
    /// Everything that it said, on both channels.
    let said: [String]

    var description: String { (["\(program): \(problem)"] + said).joined(separator: "\n") }
}

/// The lines of a program's output and errors, each channel read by a thread of its own as they come.
private final class LineBuffer: @unchecked Sendable {
    private struct Silence: Error {}

    // Guarded by the condition.
    private let changed = NSCondition()
    private var unread: [(channel: ChildProcess.Channel, text: String)] = []
    private var heard: [String] = []
    private var openChannels: Int

    init(_ channels: [ChildProcess.Channel: FileHandle]) {
        openChannels = channels.count
        for (channel, handle) in channels {
            Thread.detachNewThread { [self] in read(channel, from: handle) }
        }
    }

    private func read(_ channel: ChildProcess.Channel, from handle: FileHandle) {
        var rest = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // Whatever is there: FileHandle's own functions would wait until a count is full.
            let count = Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest = Data(rest[(end + 1)...])
                changed.withLock {
                    unread.append((channel, line))
                    heard.append(line)
                    changed.broadcast()
                }
            }
        }
        changed.withLock {
            openChannels -= 1
            changed.broadcast()
        }
    }

    /// Waits for the next line; `nil` at the end of all channels.
    func next() throws -> (channel: ChildProcess.Channel, text: String)? {
        let patience = Date(timeIntervalSinceNow: 30)
        return try changed.withLock {
            while unread.isEmpty, openChannels > 0 {
                guard changed.wait(until: patience) else { throw Silence() }
            }
            return unread.isEmpty ? nil : unread.removeFirst()
        }
    }

    /// Everything it ever read.
    var all: [String] { changed.withLock { heard } }
}
