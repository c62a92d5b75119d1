package import GateModel

/// The second in which a person reads, and nothing can be pressed (S-13): what they do then was meant for the question before,
/// or for none. It begins when the question is drawn.
package struct ReadingTime: Hashable, Sendable {
    package static let length = Duration.seconds(1)

    /// `nil`: it is not on the screen yet.
    private(set) var drawnAt: BootTime?

    /// It is not on the screen yet.
    package init() {}

    /// The question is on the screen, or still is.
    package mutating func drawn(at now: BootTime) {
        drawnAt = drawnAt ?? now
    }

    package func isOver(at now: BootTime) -> Bool {
        drawnAt.map { $0.duration(to: now) >= Self.length } ?? false
    }

    /// When something can be pressed; `nil`: it is not on the screen yet.
    package var end: BootTime? { drawnAt?.advanced(by: Self.length) }
}
