import Epoll
import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The socket of one peer, on the event loop. Not final, so that tests can replace the kernel.
class PeerSocket: EpollSource {
    private let descriptor: CInt
    private let loop: EpollLoop?
    private var watch: EpollLoop.Watch?
    /// The events that the kernel reports. Reading is switched off only when an event comes that can't be used now.
    private var wanted: Readiness = .readable
    private var connection: TTRPCServerConnection?

    /// - Parameter descriptor: a connected socket that does not block. Owned from now on.
    init(_ descriptor: CInt, on loop: EpollLoop?) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Starts reading. Returns an errno if that fails.
    func opened(by connection: TTRPCServerConnection) -> CInt? {
        self.connection = connection
        do throws(IOError) {
            watch = try loop?.watch(descriptor, for: wanted, self)
            return nil
        } catch {
            return error.errnoCode
        }
    }

    /// Sends bytes. Returns how many the kernel took, 0 if it has no room, or a negative errno.
    func give(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        if count >= 0 { return count }
        return failure().map { -Int($0) } ?? 0
    }

    /// Reads again, after the connection could not accept more.
    func readOn() {
        want(wanted.union(.readable))
    }

    /// Has `roomCame` called once, as soon as the kernel has room.
    func awaitRoom() {
        want(wanted.union(.writable))
    }

    /// Closes the socket. The connection gets no more events.
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

    /// Wipes what was read, since it may hold a password.
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

    /// The errno of the system call that just failed; `nil` if it should be tried again.
    private func failure() -> CInt? {
        let code = errno
        return code == EAGAIN || code == EINTR ? nil : code
    }
}

/// Calls close(2), for types with a `close` of their own.
func closeDescriptor(_ descriptor: CInt) {
    close(descriptor)
}
