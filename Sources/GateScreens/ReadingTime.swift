import GateModel

/// The second in which a person reads, and nothing can be pressed (S-13): what they do then was meant for the question before,
/// or for none. It begins when the question is drawn.
struct ReadingTime: Hashable, Sendable {
    static let length = Duration.seconds(1)

    /// `nil`: it is not on the screen yet.
    private(set) var drawnAt: BootTime?

    /// The question is on the screen, or still is.
    mutating func drawn(at now: BootTime) {
        drawnAt = drawnAt ?? now
    }

    func isOver(at now: BootTime) -> Bool {
        drawnAt.map { $0.duration(to: now) >= Self.length } ?? false
    }

    /// When something can be pressed; `nil`: it is not on the screen yet.
    var end: BootTime? { drawnAt?.advanced(by: Self.length) }
}
