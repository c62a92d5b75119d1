public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A connection whose calls block the calling thread, one at a time, and without streams, for programs that make a few
/// calls and exit. It starts no thread and no event loop, which would take such a program longer than everything else.
/// It does not wipe its memory, so don't use it for secrets.
public final class BlockingConnection {
    private let descriptor: CInt
    private var nextStreamID: UInt32 = 1
    private var unread: [UInt8] = []

    /// `serverUIDs`: the users that the server may run as (`nil`: any). `connectTimeout`: how long to wait if the
    /// server's queue of new connections is full.
    /// - Throws: `unreachable`, `untrustedServer`, `unmappedServer`, `connectionLost`.
    public init(to path: String, serverUIDs: Set<UInt32>?, connectTimeout: Duration) throws(TTRPCClientError) {
        guard var address = sockaddr_un(path: path) else {
            throw .unreachable("\(path): a socket's path has 1 to \(sockaddr_un.maximumPathBytes) bytes")
        }
        descriptor = unixSocket()
        guard descriptor >= 0 else { throw .unreachable("\(path): \(String(cString: strerror(errno)))") }
        setTimeout(SO_SNDTIMEO, connectTimeout)
        guard address.withSocketAddress({ connect(descriptor, $0, $1) }) == 0 else {
            throw .unreachable("\(path): \(String(cString: strerror(errno)))")
        }
        guard let serverUIDs else { return }
        guard let server = PeerCredentials(ofPeerAt: descriptor) else { throw .connectionLost }
        if let distrust = TTRPCClientError.distrust(ofServer: server.uid, unlessIn: serverUIDs) { throw distrust }
    }

    deinit {
        close(descriptor)
    }

    /// The timeout is for the whole call; `nil`: no limit.
    /// - Throws: `status` if the server refuses the call. After `connectionLost`, `timedOut` or `protocolViolation` the
    ///   connection can't be used any more.
    public func call(
        service: String, method: String, payload: [UInt8], timeout: Duration?, metadata: [Metadata]
    ) throws(TTRPCClientError) -> [UInt8] {
        let request = RequestEnvelope(
            service: service, method: method, payload: payload, timeout: timeout, metadata: metadata
        ).encoded()
        let deadline = timeout.map { ContinuousClock.now + $0 }
        let streamID = nextStreamID
        nextStreamID += 2
        try write(
            FrameHeader(length: UInt32(request.count), streamID: streamID, type: .request).encoded() + request, deadline
        )
        while true {
            let (header, data) = try readFrame(deadline)
            guard header.type == .response, header.streamID == streamID else { continue }
            let response: ResponseEnvelope
            do {
                response = try data.withUnsafeBytes { try ResponseEnvelope(decoding: $0) }
            } catch {
                throw .protocolViolation("\(error)")
            }
            if let status = response.status { throw .status(status) }
            return response.payload
        }
    }

    private func write(_ bytes: [UInt8], _ deadline: ContinuousClock.Instant?) throws(TTRPCClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try setTimeout(SO_SNDTIMEO, until: deadline)
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failed(errno) }
            rest = rest.dropFirst(count)
        }
    }

    private func readFrame(
        _ deadline: ContinuousClock.Instant?
    ) throws(TTRPCClientError) -> (FrameHeader, data: [UInt8]) {
        while true {
            if let header = unread.withUnsafeBytes({ FrameHeader(decoding: $0) }) {
                guard header.length <= ConnectionLimits.protocolFrameBytes else {
                    throw .protocolViolation("a frame of \(header.length) bytes")
                }
                let end = FrameHeader.byteCount + Int(header.length)
                if unread.count >= end {
                    let data = Array(unread[FrameHeader.byteCount..<end])
                    unread.removeFirst(end)
                    return (header, data)
                }
            }
            try setTimeout(SO_RCVTIMEO, until: deadline)
            try readMore()
        }
    }

    private func readMore() throws(TTRPCClientError) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { return }
        guard count >= 0 else { throw Self.failed(errno) }
        guard count > 0 else { throw .connectionLost }
        unread += buffer.prefix(count)
    }

    private func setTimeout(_ option: CInt, until deadline: ContinuousClock.Instant?) throws(TTRPCClientError) {
        guard let deadline else { return setTimeout(option, nil) }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw .timedOut }
        setTimeout(option, left)
    }

    /// - Parameter timeout: for the next system call; `nil`: no limit.
    private func setTimeout(_ option: CInt, _ timeout: Duration?) {
        // The kernel takes zero for "no limit".
        let (seconds, attoseconds) = timeout.map { max($0, .milliseconds(1)).components } ?? (0, 0)
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func failed(_ code: CInt) -> TTRPCClientError {
        code == EAGAIN || code == EWOULDBLOCK ? .timedOut : .connectionLost
    }
}
