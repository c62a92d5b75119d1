import Glibc
import NIOCore
import TTRPC

@testable import TTRPCTransport

/// A client that writes and reads bytes as it likes. Its calls block, at most for twenty seconds.
final class RawPeer: Sendable {
    let descriptor: CInt

    init(to path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        guard var address = sockaddr_un(path: path) else { throw IOError(errnoCode: ENAMETOOLONG, reason: path) }
        guard address.withSocketAddress({ connect(descriptor, $0, $1) }) == 0 else {
            throw IOError(errnoCode: errno, reason: "connect to \(path)")
        }
    }

    deinit {
        Glibc.close(descriptor)
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard written > 0 else { throw IOError(errnoCode: errno, reason: "send") }
            rest = rest.dropFirst(written)
        }
    }

    func write(_ frames: Frame...) throws {
        try write(frames.flatMap(\.bytes))
    }

    /// The next frame; `nil` at the end of the connection.
    func readFrame() throws -> Frame? {
        guard let head = try read(FrameHeader.byteCount) else { return nil }
        guard let header = head.withUnsafeBytes({ FrameHeader(decoding: $0) }) else { return nil }
        let data = try read(Int(header.length)) ?? []
        return Frame(type: header.type, flags: header.flags, streamID: header.streamID, data: data)
    }

    private func read(_ count: Int) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var position = 0
        while position < count {
            let received = bytes[position...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if received == 0 { return nil }
            guard received > 0 else { throw IOError(errnoCode: errno, reason: "recv") }
            position += received
        }
        return bytes
    }

    /// What the far end has sent says nothing more will come; a reset counts.
    func readsEnd() -> Bool {
        do {
            return try readFrame() == nil
        } catch {
            return (error as? IOError)?.errnoCode == ECONNRESET
        }
    }

    /// Closes the writing side.
    func finishWriting() {
        shutdown(descriptor, CInt(SHUT_WR))
    }
}
