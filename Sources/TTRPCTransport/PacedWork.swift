public import NIOCore

/// Long work that an event loop does in pieces. It looks at its sockets between any two of them.
///
/// An event loop does everything that it was given before it looks at its sockets again, and two kinds of long work could keep each
/// other going for ever. So all long work of a loop shares one queue: the loop does one piece, then what the piece has scheduled,
/// such as flushes, and the next piece is a timer's, which rings after a look at the sockets.
///
/// Confined to its event loop, so it can be `Sendable` unchecked.
public final class PacedWork: NIOScheduledCallbackHandler, @unchecked Sendable {
    /// The time of the timer between two pieces: the loop looks at its sockets, and does not sleep.
    static let pause = TimeAmount.nanoseconds(1)

    public let eventLoop: any EventLoop
    private var pieces = CircularBuffer<() -> Void>()
    private var isScheduled = false

    public init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Queues a piece of work. It is done after those before it, with a look at the sockets after each.
    public func later(_ piece: @escaping () -> Void) {
        eventLoop.assertInEventLoop()
        pieces.append(piece)
        schedule()
    }

    private func schedule() {
        guard !isScheduled, !pieces.isEmpty else { return }
        isScheduled = true
        _ = try? eventLoop.scheduleCallback(at: eventLoop.now + Self.pause, handler: self)
    }

    public func handleScheduledCallback(eventLoop: some EventLoop) {
        pieces.popFirst()?()
        // Runs after what the piece has scheduled.
        self.eventLoop.execute {
            self.isScheduled = false
            self.schedule()
        }
    }
}
