import Epoll
import NIOCore
import NIOEmbedded
import TTRPC

@testable import TTRPCTransport

/// The kernel's side of a connection, for tests: it notes each write.
final class StandInSocket: PeerSocket, @unchecked Sendable {
    private(set) var isOpen = false
    private(set) var isAwaitingRoom = false
    /// The bytes that it takes before it is full; `nil`: everything.
    var room: Int?
    private var writes: [[UInt8]] = []

    init() {
        super.init(-1, on: nil)
    }

    /// Bytes that the server has not read yet: its user's turn may be over.
    private(set) var unread: [UInt8] = []
    private weak var connection: TTRPCServerConnection?

    override func opened(by connection: TTRPCServerConnection) -> CInt? {
        self.connection = connection
        isOpen = true
        return nil
    }

    /// More bytes have arrived.
    func arrived(_ bytes: [UInt8]) {
        unread += bytes
        readOn()
    }

    override func readOn() {
        guard !unread.isEmpty, isOpen, let connection, connection.mayRead() else { return }
        let read = unread
        unread = []
        read.withUnsafeBytes { connection.bytesReceived($0) }
        connection.readCompleted()
    }

    override func give(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = min(bytes.count, room ?? .max)
        room? -= count
        if count > 0 { writes.append(Array(bytes.prefix(count))) }
        return count
    }

    override func awaitRoom() { isAwaitingRoom = true }

    override func close() { isOpen = false }

    func taken() -> [[UInt8]] {
        defer { writes = [] }
        return writes
    }
}

/// A connection of a server's, without a socket. Used on the server's event loop alone.
final class StandInPeer: @unchecked Sendable {
    let socket = StandInSocket()
    let connection: TTRPCServerConnection

    init(of core: ServerCore, uid: UInt32 = 1000) {
        let credentials = PeerCredentials(uid: uid, gid: uid, pid: 42, groups: [])
        connection = core.makeConnection(credentials, BillingAccount(number: uid), over: socket)
        connection.opened()
    }

    /// The server reads these bytes.
    func write(_ bytes: [UInt8]) { socket.arrived(bytes) }

    /// The frames that the server has written since it was asked last, each element a write of its own.
    func writes() -> [[Frame]] { socket.taken().map(frames(in:)) }

    func leave() { connection.ended(nil) }
}
