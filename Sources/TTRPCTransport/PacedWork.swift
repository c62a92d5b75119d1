public import NIOCore

/// Long work that an event loop does in pieces, and between any two of them it looks at its sockets.
///
/// An event loop does whatever is due before it looks at its sockets again, and what two pieces of work leave for later may keep
/// each other due for ever. So all long work of a loop shares one of these: one piece is done, then what it left behind, such as
/// flushes; then nothing is due for a while.
///
/// Confined to its event loop; that is why it can be `Sendable` unchecked.
public final class PacedWork: @unchecked Sendable {
    /// How long nothing is due: the event loop then looks at its sockets.
    static let pause = TimeAmount.microseconds(20)

    public let eventLoop: any EventLoop
    private var pieces = CircularBuffer<() -> Void>()
    private var isScheduled = false

    public init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Does a piece when those before it are done, and the sockets have been looked at after each.
    public func later(_ piece: @escaping () -> Void) {
        eventLoop.assertInEventLoop()
        pieces.append(piece)
        schedule()
    }

    private func schedule() {
        guard !isScheduled, !pieces.isEmpty else { return }
        isScheduled = true
        eventLoop.scheduleTask(in: Self.pause) { self.doNext() }
    }

    private func doNext() {
        pieces.popFirst()?()
        // Comes after what the piece left behind: the pause begins with this.
        eventLoop.execute {
            self.isScheduled = false
            self.schedule()
        }
    }
}
