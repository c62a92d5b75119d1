import GateModel
import GateProtocol
import TTRPC

@testable import GateDaemon
@testable import TTRPCTransport

/// A program's connection: the daemon's end is the real one, and frames go in both directions.
final class SimulatedConnection {
    let session: PeerSession
    private let connection: TTRPCServerConnection
    private let socket = SimulatedSocket()
    /// Bytes that the daemon has not read yet: it does not take more while answers pile up.
    private var unread: [UInt8] = []
    private var lastStream: UInt32 = 0

    var peer: Peer { session.peer }
    var isOpen: Bool { socket.isOpen }

    /// - Returns: nil where the daemon did not let it in.
    init?(to daemon: SimulatedDaemon, uid: UInt32, roles: Roles) throws {
        let account = BillingAccount(number: SimulatedPeople.owner(of: uid).number)
        let connection = daemon.server.makeConnection(
            daemon.credentials(uid: uid, roles: roles), account, over: socket)
        self.connection = connection
        connection.opened()
        daemon.loop.run()
        daemon.answerFromUserDatabase()
        // A program is let in once the answer is on the disk.
        func admitted() -> PeerSession? {
            daemon.authority.assumeIsolated { Unchecked($0.sessions.session(of: connection)) }.value
        }
        while admitted() == nil, daemon.isCommitting {
            daemon.commits.doNext()
            daemon.loop.run()
            daemon.answerFromUserDatabase()
        }
        guard let session = admitted() else {
            connection.ended(nil)
            return nil
        }
        self.session = session
    }

    /// Whether the program reads what it is sent.
    var isReading: Bool {
        get { !socket.isFull }
        set {
            socket.isFull = !newValue
            goOn()
        }
    }

    var bytesInWaiting: Int { connection.sendQueue.byteCount }

    func nextStream() -> UInt32 {
        lastStream += lastStream == 0 ? 1 : 2
        return lastStream
    }

    /// Sends a request.
    func send<Request, Response>(_ method: Method<Request, Response>, _ request: Request, stream: UInt32) {
        let data = RequestEnvelope(service: method.service, method: method.name, payload: request.encoded()).encoded()
        let flags: FrameFlags = method.kind == .serverStream ? .remoteClosed : []
        let header = FrameHeader(length: UInt32(data.count), streamID: stream, type: .request, flags: flags)
        unread += header.encoded() + data
        goOn()
    }

    /// Lets the daemon read, if it takes more.
    private func goOn() {
        guard !unread.isEmpty, connection.mayRead() else { return }
        let read = unread
        unread = []
        read.withUnsafeBytes { connection.bytesReceived($0) }
        connection.readCompleted()
    }

    /// The frames that have come, by stream.
    func receive() -> [(header: FrameHeader, data: [UInt8])] {
        goOn()
        var assembler = FrameAssembler(maximumFrameBytes: .max)
        var frames: [(FrameHeader, [UInt8])] = []
        socket.taken().withUnsafeBytes { bytes in
            assembler.append(bytes)
            while case .frame(let header, let data) = assembler.next() { frames.append((header, Array(data))) }
            assembler.settle()
        }
        return frames
    }

    func close() {
        connection.ended(nil)
    }
}

/// The kernel's buffers between a program and the daemon: full while the program does not read.
private final class SimulatedSocket: PeerSocket {
    private weak var connection: TTRPCServerConnection?
    private(set) var isOpen = false
    private var isAwaited = false
    /// Bytes that the program has not read yet.
    private var sent: [UInt8] = []

    init() {
        super.init(-1, on: nil)
    }

    var isFull = false {
        didSet {
            guard !isFull, isAwaited, isOpen else { return }
            isAwaited = false
            connection?.roomCame()
        }
    }

    override func opened(by connection: TTRPCServerConnection) -> CInt? {
        self.connection = connection
        isOpen = true
        return nil
    }

    override func give(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !isFull else { return 0 }
        sent += bytes
        return bytes.count
    }

    override func awaitRoom() { isAwaited = true }

    override func close() { isOpen = false }

    func taken() -> [UInt8] {
        defer { sent = [] }
        return sent
    }
}
