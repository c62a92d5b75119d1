public import NIOCore

/// Long work that an event loop does in pieces. It looks at its sockets between any two of them.
///
/// An event loop does everything that is due before it looks at its sockets again, and two kinds of long work could keep each
/// other due for ever. So all long work of a loop shares one queue: the loop does one piece, then what the piece has scheduled,
/// such as flushes, and then pauses for a while.
///
/// Confined to its event loop, so it can be `Sendable` unchecked.
public final class PacedWork: NIOScheduledCallbackHandler, @unchecked Sendable {
    /// The pause between two pieces, in which the event loop looks at its sockets.
    static let pause = TimeAmount.microseconds(20)

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
        // Runs after what the piece has scheduled: the pause begins here.
        self.eventLoop.execute {
            self.isScheduled = false
            self.schedule()
        }
    }
}
