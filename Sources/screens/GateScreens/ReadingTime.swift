package import GateModel

/// The second in which a person reads a question and can press nothing: a key or a click in it was meant for the
/// question before, or for another program. It begins when the question is drawn.
package struct ReadingTime: Hashable, Sendable {
    package static let length = Duration.seconds(1)

    /// `nil` if the question was not drawn yet.
    private(set) var drawnAt: BootTime?

    package init() {}

    /// The question was drawn, for the first time or again.
    package mutating func drawn(at now: BootTime) {
        drawnAt = drawnAt ?? now
    }

    package func isOver(at now: BootTime) -> Bool {
        drawnAt.map { $0.duration(to: now) >= Self.length } ?? false
    }

    /// When the person can press something; `nil` if the question was not drawn yet.
    package var end: BootTime? { drawnAt?.advanced(by: Self.length) }
}
