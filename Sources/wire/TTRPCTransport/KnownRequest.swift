import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The latest unary request of a connection. Most programs send the same bytes again and again; such a request is
/// neither scanned nor decoded again, and its method is not looked up. Requests that may hold a secret are not kept.
final class KnownRequest {
    /// In bytes. Longer requests are seldom repeated.
    static let maximumByteCount = 256

    private let bytes: [UInt8]
    private let request: IncomingRequest

    /// `nil` if the request should not be kept, because it opens a stream, may hold a secret, or is long.
    init?(_ request: IncomingRequest, found: FrameAssembler.Found) {
        guard case .frame(_, let data) = found, request.found.kind == .unary, !request.found.isSecret,
            data.count <= Self.maximumByteCount
        else { return nil }
        bytes = Array(data)
        self.request = request
    }

    var kind: MethodKind { request.found.kind }

    func again(on streamID: UInt32) -> IncomingRequest {
        var again = request
        again.streamID = streamID
        return again
    }

    fileprivate func matches(_ data: UnsafeRawBufferPointer) -> Bool {
        guard data.count == bytes.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            guard let left = data.baseAddress, let right = bytes.baseAddress else { return true }
            return memcmp(left, right, bytes.count) == 0
        }
    }
}

extension ServerConnectionStateMachine {
    /// - Parameter known: a request of this connection that was delivered before.
    mutating func found(_ found: FrameAssembler.Found, known: KnownRequest?) -> (FrameHeader, FrameAction) {
        switch found {
        case .frame(let header, let data):
            if let known, header.type == .request, known.matches(data) {
                return (header, knownRequestReceived(header.streamID, to: known.kind))
            }
            return (header, frameReceived(header, data))
        case .tooLarge(let header): return (header, frameTooLarge(header))
        }
    }
}
