import Glibc
import NIOCore
import NIOPosix
import TTRPC
import Testing

@testable import TTRPCTransport

/// A queue on a socket that takes little.
private final class Sender: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer

    let queue = SendQueue(limits: ConnectionLimits())
    private let writable: EventLoopPromise<Void>
    private(set) var context: ChannelHandlerContext?

    /// - Parameter writable: kept when the channel says that the kernel has taken everything.
    init(writable: EventLoopPromise<Void>) {
        self.writable = writable
    }

    func channelActive(context: ChannelHandlerContext) {
        queue.opened(context)
        self.context = context
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !queue.isFlushing, context.channel.isWritable { writable.succeed() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        queue.closed()
        self.context = nil
    }
}

@Suite("The queue to one peer")
struct SendQueueTests {
    /// Two ends of a connection. What one of them sends has as little room as the kernel allows.
    private static func pair() throws -> (small: CInt, other: CInt) {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw IOError(errnoCode: errno, reason: "socketpair")
        }
        var least: CInt = 1
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &least, socklen_t(MemoryLayout<CInt>.size))
        return (ends[0], ends[1])
    }

    /// How many bytes such a connection takes in one go while nobody reads.
    private static func capacity() throws -> Int {
        let (small, other) = try pair()
        defer {
            close(small)
            close(other)
        }
        let bytes = [UInt8](repeating: 0, count: 1 << 20)
        return send(small, bytes, bytes.count, CInt(MSG_DONTWAIT))
    }

    private static func read(_ count: Int, from descriptor: CInt) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            let taken = recv(descriptor, &chunk, count - bytes.count, 0)
            guard taken > 0 else { throw IOError(errnoCode: errno, reason: "recv") }
            bytes += chunk.prefix(taken)
        }
        return bytes
    }

    @Test("a frame of which one byte is left is not overtaken by the next, and its end is told")
    func lastByte() async throws {
        let capacity = try Self.capacity()
        // Up to 16 KiB go to the kernel directly.
        try #require(capacity > 0 && capacity < 16 << 10)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let writable = loop.makePromise(of: Void.self)
        let sender = Sender(writable: writable)
        let (small, other) = try Self.pair()
        defer { close(other) }
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.writeBufferWaterMark, value: .init(low: 1, high: 1))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(sender) }
            }
            .withConnectedSocket(small).get()
        let first = ByteBuffer(bytes: (0...capacity).map { UInt8(truncatingIfNeeded: $0 % 251) })
        let second = ByteBuffer(bytes: [UInt8](repeating: 255, count: 10))

        let isDrained = try await loop.submit {
            guard let context = sender.context else { throw ChannelError.ioOnClosedChannel }
            guard case .sentPart = sender.queue.sendAtOnce(first) else { throw ChannelError.eof }
            sender.queue.flush(context)
            return sender.queue.settle(context).isEmpty
        }.get()
        #expect(!isDrained)

        // There is room again, and the channel has not seen it yet.
        let start = try await loop.submit {
            let start = try Self.read(capacity, from: other)
            guard case .notSent = sender.queue.sendAtOnce(second) else { throw ChannelError.eof }
            return start
        }.get()
        try await writable.futureResult.get()
        try await loop.submit {
            guard let context = sender.context else { throw ChannelError.ioOnClosedChannel }
            guard sender.queue.settle(context).isEmpty else { throw ChannelError.eof }
            guard case .sent = sender.queue.sendAtOnce(second) else { throw ChannelError.eof }
        }.get()
        #expect(try start + Self.read(11, from: other) == Array(first.readableBytesView) + second.readableBytesView)
        try await channel.close()
    }
}

extension SendQueue.Rest {
    fileprivate var isEmpty: Bool {
        switch self {
        case .empty: true
        case .waiting: false
        }
    }
}
