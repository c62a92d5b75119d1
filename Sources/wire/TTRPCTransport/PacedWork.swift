public import NIOCore

/// Does long work in pieces on an event loop, which looks at its sockets between any two pieces. All long work of a
/// loop shares one queue: an event loop runs everything that was scheduled before it looks at its sockets again, so two
/// kinds of long work that schedule their own pieces could keep the loop from its sockets for ever. After each piece,
/// and whatever it scheduled, a timer starts the next; timers fire after a look at the sockets. Used only on its event
/// loop, so it can be `Sendable` unchecked.
public final class PacedWork: NIOScheduledCallbackHandler, @unchecked Sendable {
    /// So short that the loop looks at its sockets without sleeping.
    static let pause = TimeAmount.nanoseconds(1)

    public let eventLoop: any EventLoop
    private var pieces = CircularBuffer<() -> Void>()
    private var isScheduled = false

    public init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

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
        // This runs after everything that the piece has scheduled.
        self.eventLoop.execute {
            self.isScheduled = false
            self.schedule()
        }
    }
}
