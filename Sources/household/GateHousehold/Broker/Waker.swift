import CMosquitto
import Glibc

/// Waits for a descriptor. Any thread can end the wait.
final class Waker: Sendable {
    /// An eventfd(2); -1 if the process has no more descriptors. Then waits can't be ended early.
    private let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))

    deinit { if descriptor >= 0 { close(descriptor) } }

    func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// - Returns: what has happened to the descriptor, as the flags of poll(2); 0 if nothing has.
    func wait(for other: CInt, _ events: CInt, atMost milliseconds: CInt) -> CInt {
        var polled = [
            pollfd(fd: other, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polled, 2, milliseconds) > 0 else { return 0 }
        if polled[1].revents != 0 {
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        }
        return CInt(polled[0].revents)
    }
}
