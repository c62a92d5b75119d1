import Glibc
import Synchronization

/// Reads standard input line by line.
final class InputLines: Sendable {
    enum Line: Hashable {
        case text(String)
        case tooLong
    }

    private let maximumBytes: Int
    private let stop: Wakeup
    /// The bytes that were read, but belong to no line yet.
    private let rest = Mutex<[UInt8]>([])

    /// `nil` if the process has no descriptors left.
    init?(maximumBytes: Int) {
        guard let stop = Wakeup() else { return nil }
        (self.maximumBytes, self.stop) = (maximumBytes, stop)
    }

    /// The next line, without its end; `nil` after the last one, or if the task was cancelled. For one task at a time.
    func next() async -> Line? {
        await stop.wokenByCancellation { [self] in read() } ?? nil
    }

    private func read() -> Line? {
        var bytes = rest.withLock { $0 }
        var isTooLong = false
        var seen = 0
        while true {
            if let end = bytes[seen...].firstIndex(of: UInt8(ascii: "\n")) {
                rest.withLock { $0 = Array(bytes[(end + 1)...]) }
                guard !isTooLong, end <= maximumBytes else { return .tooLong }
                return .text(String(decoding: bytes[..<end], as: UTF8.self))
            }
            // Drop the bytes of a line that is too long.
            if bytes.count > maximumBytes { (bytes, isTooLong) = ([], true) }
            seen = bytes.count
            guard let more = readMore() else { return nil }
            guard !more.isEmpty else {
                rest.withLock { $0 = [] }
                if isTooLong { return .tooLong }
                return bytes.isEmpty ? nil : .text(String(decoding: bytes, as: UTF8.self))
            }
            bytes += more
        }
    }

    /// Some bytes; empty at the end of the input; `nil` if the task was cancelled.
    private func readMore() -> [UInt8]? {
        while true {
            var descriptors = [stop.descriptor, STDIN_FILENO].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&descriptors, 2, -1) > 0 else { continue }
            if descriptors[0].revents != 0 { return nil }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return Array(bytes.prefix(max(0, count)))
        }
    }
}
