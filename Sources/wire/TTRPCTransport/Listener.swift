import CEpoll
import Epoll
import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Accepts the connections of a server. Used only on its event loop, so it can be `Sendable` unchecked.
final class Listener: EpollSource, @unchecked Sendable {
    private let descriptor: CInt
    private let core: ServerCore
    private let loop: EpollLoop
    private var watch: EpollLoop.Watch?

    /// How many peers are accepted before others are read from again. Refusing one costs as much as admitting one.
    private static let acceptedAtOnce = 4
    /// How long to accept nobody after the process ran out of descriptors or memory. The waiting peer keeps the
    /// listener readable, so without a pause the event loop would do nothing but try again.
    private static let pause = TimeAmount.milliseconds(100)

    /// - Parameter descriptor: a bound socket. The listener owns it once `start` has succeeded.
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
                // Other errors mean that no peer waits, or that this one has already gone.
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
        // The kernel does not say whose connection this is, or the peer has too many groups.
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
