import CEpoll
import Epoll
import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Accepts the peers of a server. Confined to its event loop, so it can be `Sendable` unchecked.
final class Listener: EpollSource, @unchecked Sendable {
    private let descriptor: CInt
    private let core: ServerCore
    private let loop: EpollLoop
    private var watch: EpollLoop.Watch?

    /// Peers that are accepted before the others are read from again. Refusing a peer costs as much as admitting it.
    private static let acceptedAtOnce = 4
    /// How long nobody is accepted after there was no descriptor or no memory for one. The peer that waits keeps the listener
    /// readable, so without a pause the event loop would try again and again, and do nothing else.
    private static let pause = TimeAmount.milliseconds(100)

    /// - Parameter descriptor: of a bound socket; owned once it has started.
    init(_ descriptor: CInt, of core: ServerCore, on loop: EpollLoop) {
        self.descriptor = descriptor
        self.core = core
        self.loop = loop
    }

    func start(backlog: CInt) throws(IOError) {
        guard never_block(descriptor) == 0, listen(descriptor, backlog) == 0 else {
            throw IOError(errnoCode: errno, reason: "listen")
        }
        watch = try loop.watch(descriptor, for: .readable, self)
    }

    func stop() {
        guard let watch else { return }
        self.watch = nil
        loop.forget(watch)
        close(descriptor)
    }

    func ready(_ readiness: Readiness) {
        for _ in 0..<Self.acceptedAtOnce {
            let peer = accept_peer(descriptor)
            guard peer >= 0 else {
                // Otherwise nobody is left, or the next one has gone.
                let code = errno
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) { pause() }
                return
            }
            accepted(peer)
        }
    }

    private func pause() {
        guard let watch else { return }
        loop.change(watch, to: [])
        _ = loop.scheduleTask(in: Self.pause) {
            if let watch = self.watch { self.loop.change(watch, to: .readable) }
        }
    }

    private func accepted(_ peer: CInt) {
        // Without credentials: the kernel does not say who this is.
        guard let credentials = PeerCredentials(ofPeerAt: peer) else { return closeDescriptor(peer) }
        let socket = PeerSocket(peer, on: loop)
        guard let account = core.service.account(of: credentials) else {
            return admit(credentials, BillingAccount(number: credentials.uid), socket)
        }
        account.assumeIsolated().whenComplete { account in
            switch account {
            case .success(let account): self.admit(credentials, account, socket)
            case .failure: socket.close()
            }
        }
    }

    private func admit(_ credentials: PeerCredentials, _ account: BillingAccount, _ socket: PeerSocket) {
        core.makeConnection(credentials, account, over: socket).opened()
    }
}
