import Foundation
import Glibc

/// The lines of a program's output and errors, each channel read by a thread of its own as they come.
final class LineBuffer: @unchecked Sendable {
    struct Silence: Error {}

    // Guarded by the condition.
    private let changed = NSCondition()
    private var unread: [(channel: ChildProcess.Channel, text: String)] = []
    private var heard: [(channel: ChildProcess.Channel, text: String)] = []
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
            // This reads what is there: FileHandle's own functions would wait until a count is full.
            let count = Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                hear(channel, String(decoding: rest[..<end], as: UTF8.self))
                rest = Data(rest[(end + 1)...])
            }
        }
        // The text behind the last newline.
        if !rest.isEmpty { hear(channel, String(decoding: rest, as: UTF8.self)) }
        changed.withLock {
            openChannels -= 1
            changed.broadcast()
        }
    }

    private func hear(_ channel: ChildProcess.Channel, _ line: String) {
        changed.withLock {
            unread.append((channel, line))
            heard.append((channel, line))
            changed.broadcast()
        }
    }

    /// Waits for the next line; `nil` at the end of all channels.
    func next() throws -> (channel: ChildProcess.Channel, text: String)? {
        // The wait is long, for busy machines.
        let patience = Date(timeIntervalSinceNow: 60)
        return try changed.withLock {
            while unread.isEmpty, openChannels > 0 {
                guard changed.wait(until: patience) else { throw Silence() }
            }
            return unread.isEmpty ? nil : unread.removeFirst()
        }
    }

    /// Drops the lines that `next` would return at once.
    func skip() {
        changed.withLock { unread.removeAll() }
    }

    /// Everything that was ever read from a channel.
    func all(_ channel: ChildProcess.Channel) -> String {
        changed.withLock { heard.filter { $0.channel == channel }.map { $0.text + "\n" }.joined() }
    }
}
