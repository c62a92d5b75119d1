import Foundation
import ProcessSupport

/// A peer that writes any bytes it likes, frames or not.
final class RawPeer {
    struct Frame: Equatable {
        let stream: UInt32
        let type: UInt8
        let flags: UInt8
        let data: [UInt8]
    }

    private let descriptor: CInt
    private var received: [UInt8] = []

    init(_ path: String) throws {
        descriptor = try connectedSocket(at: path)
        // A server that never answers fails the test, not the machine.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Writes all of it; false where the server has closed the connection meanwhile.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes the same bytes again and again until the kernel takes no more. Returns how often they were written whole.
    @discardableResult
    func flood(with bytes: [UInt8]) -> Int {
        let many = Array(repeatElement(bytes, count: 64).joined())
        var sent = 0
        while sent < 64 << 20 {
            let rest = sent % bytes.count
            let count = many[rest...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
                continue
            }
            // The buffer is full. After the server had its turn, one more try shows whether it stays full.
            usleep(20_000)
            var pending = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&pending, 1, 0) == 0 { break }
        }
        return sent / bytes.count
    }

    /// The next frame; nil at the end of the connection.
    func read() -> Frame? {
        while true {
            if received.count >= 10 {
                let length = received[0..<4].reduce(0) { $0 << 8 | Int($1) }
                if received.count >= 10 + length {
                    let frame = Frame(
                        stream: received[4..<8].reduce(0) { $0 << 8 | UInt32($1) }, type: received[8],
                        flags: received[9], data: Array(received[10..<10 + length]))
                    received.removeFirst(10 + length)
                    return frame
                }
            }
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }

    static func frame(stream: UInt32, type: UInt8, flags: UInt8, data: [UInt8], length: Int? = nil) -> [UInt8] {
        func bigEndian(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        return bigEndian(UInt32(length ?? data.count)) + bigEndian(stream) + [type, flags] + data
    }

    /// A request frame with an encoded envelope.
    static func request(
        stream: UInt32, _ service: String, _ method: String, payload: [UInt8] = [], flags: UInt8 = 0
    ) -> [UInt8] {
        func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(bytes.count)] + bytes }
        return frame(
            stream: stream, type: 1, flags: flags,
            data: field(1, Array(service.utf8)) + field(2, Array(method.utf8)) + field(3, payload))
    }

    /// Whether `Mode/GetMode` gets a regular answer.
    func isServed(stream: UInt32 = 101) -> Bool {
        guard write(Self.request(stream: stream, "gate.v1.Mode", "GetMode")) else { return false }
        while let frame = read() {
            if frame.stream == stream { return frame.type == 2 && Self.code(frame) == nil }
        }
        return false
    }

    /// The status code of a response frame: Response{status = 1 {code = 1}}; nil on success.
    static func code(_ frame: Frame) -> UInt8? {
        guard frame.data.count > 3, frame.data[0] == 0x0a else { return nil }
        // The length of the status takes one or two bytes; its first field is the code.
        let start = frame.data[1] < 0x80 ? 2 : 3
        return frame.data[start] == 0x08 ? frame.data[start + 1] : nil
    }
}
