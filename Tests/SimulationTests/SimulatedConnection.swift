import GateModel
import GateProtocol
import NIOCore
import NIOEmbedded
import TTRPC

@testable import GateDaemon
@testable import TTRPCTransport

/// A program's connection: the daemon's end is the real one, and frames go both ways.
final class SimulatedConnection {
    let channel: EmbeddedChannel
    let session: PeerSession
    private let valve = Valve()
    private var lastStream: UInt32 = 0

    var peer: Peer { session.peer }
    var isOpen: Bool { channel.isActive }

    /// - Returns: nil where the daemon did not let it in.
    init?(to daemon: SimulatedDaemon, uid: UInt32, roles: Roles) throws {
        let account = BillingAccount(number: SimulatedPeople.owner(of: uid).number)
        let connection = daemon.server.makeConnection(daemon.credentials(uid: uid, roles: roles), account)
        channel = EmbeddedChannel(loop: daemon.loop.embedded)
        try channel.pipeline.syncOperations.addHandlers(valve, ServerChannelHandler(connection))
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/simulated"), promise: nil)
        daemon.loop.run()
        let session = daemon.authority.assumeIsolated { Unchecked($0.sessions.session(of: connection)) }.value
        guard let session else {
            channel.close(promise: nil)
            return nil
        }
        self.session = session
    }

    /// Whether the program reads what it is sent.
    var isReading: Bool {
        get { valve.isOpen }
        set { valve.setOpen(newValue) }
    }

    var bytesInWaiting: Int { (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    func nextStream() -> UInt32 {
        lastStream += lastStream == 0 ? 1 : 2
        return lastStream
    }

    /// Sends a request.
    func send<Request, Response>(_ method: Method<Request, Response>, _ request: Request, stream: UInt32) throws {
        let data = RequestEnvelope(service: method.service, method: method.name, payload: request.encoded()).encoded()
        let flags: FrameFlags = method.kind == .serverStream ? .remoteClosed : []
        let header = FrameHeader(length: UInt32(data.count), streamID: stream, type: .request, flags: flags)
        try channel.writeInbound(ByteBuffer(bytes: header.encoded() + data))
    }

    /// What has come, by stream.
    func receive() throws -> [(header: FrameHeader, data: [UInt8])] {
        var assembler = FrameAssembler(maximumFrameBytes: .max)
        var frames: [(FrameHeader, [UInt8])] = []
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
            assembler.append(ByteBuffer(bytes: bytes.readableBytesView))
            while case .frame(let header, let data) = assembler.next() {
                frames.append((header, Array(data.readableBytesView)))
            }
        }
        return frames
    }

    func close() {
        channel.close(promise: nil)
    }
}

/// The kernel's buffer on the way to a program: full while the program does not read.
private final class Valve: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private(set) var isOpen = true
    private var isHoldingBack = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func flush(context: ChannelHandlerContext) {
        guard !isOpen else { return context.flush() }
        isHoldingBack = true
        setWritable(false, context)
    }

    func setOpen(_ opens: Bool) {
        guard opens != isOpen else { return }
        isOpen = opens
        guard opens, isHoldingBack, let context else { return }
        isHoldingBack = false
        context.flush()
        setWritable(true, context)
    }

    private func setWritable(_ isWritable: Bool, _ context: ChannelHandlerContext) {
        guard let channel = context.channel as? EmbeddedChannel, channel.isWritable != isWritable else { return }
        channel.isWritable = isWritable
        context.fireChannelWritabilityChanged()
    }
}
