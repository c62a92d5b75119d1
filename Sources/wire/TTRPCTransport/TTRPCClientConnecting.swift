public import NIOCore
import NIOPosix
public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

// Opening a client's connection.

extension TTRPCClientConnection {
    /// Connects, and checks who the server is before anything is sent to it: the process that called `listen` has to
    /// run as one of `serverUIDs` (`nil`: any user). Retries for `connectTimeout` while the server's queue of new
    /// connections is full. `cancellation` tells the server that a call or stream was given up; `nil`: it is not told.
    /// - Throws: `unreachable`, `untrustedServer`, `unmappedServer`, `connectionLost`, `cancelled`.
    public static func connect(
        to path: String, eventLoop: any EventLoop, limits: ConnectionLimits, serverUIDs: Set<UInt32>?,
        connectTimeout: Duration, cancellation: CancellationMethod?
    ) async throws(TTRPCClientError) -> TTRPCClientConnection {
        guard sockaddr_un(path: path) != nil else {
            let limit = sockaddr_un.maximumPathBytes
            throw .unreachable("\(path): a socket's path has 1 to \(limit) bytes")
        }
        let core = ClientCore(eventLoop: eventLoop, limits: limits, cancellation: cancellation)
        let channel = try await openChannel(to: path, core, timeout: connectTimeout)
        guard let serverUIDs else { return TTRPCClientConnection(core: core, channel: channel) }
        let credentials = try? await eventLoop.submit { PeerCredentials(ofPeerOf: channel) }.get()
        guard let credentials else {
            // The server died while it accepted the connection, so there is nobody to identify.
            guard channel.isActive else { throw .connectionLost }
            channel.close(promise: nil)
            throw .unreachable("\(path): who the server is can't be read")
        }
        if let distrust = TTRPCClientError.distrust(ofServer: credentials.uid, unlessIn: serverUIDs) {
            channel.close(promise: nil)
            throw distrust
        }
        return TTRPCClientConnection(core: core, channel: channel)
    }

    private static func openChannel(
        to path: String, _ core: ClientCore, timeout: Duration
    ) async throws(TTRPCClientError) -> any Channel {
        let deadline = ContinuousClock.now + timeout
        while true {
            if Task.isCancelled { throw .cancelled }
            do {
                return try await ClientBootstrap(group: core.eventLoop)
                    .connectTimeout(max(TimeAmount(deadline - .now), .milliseconds(1)))
                    .channelOption(.maxMessagesPerRead, value: 1)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(core)
                        }
                    }
                    .connect(unixDomainSocketPath: path)
                    .get()
            } catch {
                // EAGAIN: a server listens, but its queue of new connections is full.
                let code = (error as? IOError)?.errnoCode
                guard code == EAGAIN, ContinuousClock.now < deadline else {
                    throw .unreachable("\(path): \(code.map { String(cString: strerror($0)) } ?? "\(error)")")
                }
                _ = try? await core.eventLoop.scheduleTask(in: .milliseconds(5)) {}.futureResult.get()
            }
        }
    }
}
