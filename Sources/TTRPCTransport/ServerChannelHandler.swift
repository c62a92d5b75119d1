import NIOCore

/// Passes the events of a server's channel to its connection.
final class ServerChannelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: TTRPCServerConnection

    init(_ connection: TTRPCServerConnection) {
        self.connection = connection
    }

    func channelActive(context: ChannelHandlerContext) {
        connection.opened(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.bytesReceived(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection.readCompleted()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        connection.writabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if connection.mayRead() { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.failed(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.becameInactive()
        context.fireChannelInactive()
    }
}
