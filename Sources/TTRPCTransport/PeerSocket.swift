import Epoll
import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The socket of one peer, on its event loop. It is read from as long as its connection takes more, and closed when the connection says so.
///
/// Not final, so that tests can stand in for the kernel.
class PeerSocket: EpollSource {
    private let descriptor: CInt
    private let loop: EpollLoop?
    private var watch: EpollLoop.Watch?
    /// The things that the kernel is asked to tell. It is asked to stop only when something comes that is not wanted.
    private var wanted: Readiness = .readable
    private var connection: TTRPCServerConnection?

    /// - Parameter descriptor: of a connected socket that does not block; owned from now on.
    init(_ descriptor: CInt, on loop: EpollLoop?) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Reads from now on. Returns an errno where that can't be.
    func opened(by connection: TTRPCServerConnection) -> CInt? {
        self.connection = connection
        do throws(IOError) {
            watch = try loop?.watch(descriptor, for: wanted, self)
            return nil
        } catch {
            return error.errnoCode
        }
    }

    /// Gives bytes to the kernel. Returns how many it has taken, 0 where it has no room, -errno where it failed.
    func give(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        if count >= 0 { return count }
        return failure().map { -Int($0) } ?? 0
    }

    /// The connection takes more again.
    func readOn() {
        want(wanted.union(.readable))
    }

    /// Says when there is room again, once.
    func awaitRoom() {
        want(wanted.union(.writable))
    }

    /// Nothing is read, sent or told any more.
    func close() {
        if let watch { loop?.forget(watch) }
        (watch, connection) = (nil, nil)
        if descriptor >= 0 { closeDescriptor(descriptor) }
    }

    private func want(_ readiness: Readiness) {
        guard readiness != wanted else { return }
        wanted = readiness
        if let watch { loop?.change(watch, to: readiness) }
    }

    func ready(_ readiness: Readiness) {
        guard let connection else { return }
        if readiness.contains(.writable) {
            want(wanted.subtracting(.writable))
            connection.roomCame()
        }
        guard !readiness.isDisjoint(with: [.readable, .hungUp]) else { return }
        if connection.mayRead() {
            read(for: connection)
        } else if !readiness.isDisjoint(with: .hungUp), !connection.turn.isAwaited {
            connection.ended(nil)
        } else {
            want(wanted.subtracting(.readable))
        }
    }

    /// Passwords come here: what was read is wiped.
    private func read(for connection: TTRPCServerConnection) {
        guard let buffer = loop?.readBuffer, let start = buffer.baseAddress else { return }
        let count = recv(descriptor, start, buffer.count, CInt(MSG_DONTWAIT))
        switch count {
        case 1...:
            connection.bytesReceived(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            explicit_bzero(start, count)
            connection.readCompleted()
        case 0: connection.ended(nil)
        default: if let code = failure() { connection.ended(code) }
        }
    }

    /// The errno of a call that has just failed; `nil` where it is to be tried again.
    private func failure() -> CInt? {
        let code = errno
        return code == EAGAIN || code == EINTR ? nil : code
    }
}

/// Calls close(2) from where another function has that name.
func closeDescriptor(_ descriptor: CInt) {
    close(descriptor)
}
