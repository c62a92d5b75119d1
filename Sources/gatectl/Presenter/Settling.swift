import GateModel

/// Tells whether a person can have meant a question with what they did. In its first second nothing is taken: it was meant for
/// the question before, or for none.
struct Settling: Hashable {
    static let time = Duration.seconds(1)

    /// `nil`: it is not on the screen.
    private var shownAt: BootTime?
    /// `nil`: some of Gate's own words are not on the screen.
    private var wholeAt: BootTime?

    /// It is on the screen, or still is.
    ///
    /// - Parameter isWhole: all of Gate's own words are.
    mutating func drawn(isWhole: Bool, at now: BootTime) {
        shownAt = shownAt ?? now
        wholeAt = isWhole ? wholeAt ?? now : nil
    }

    func mayAnswer(at now: BootTime) -> Bool { Self.isOver(since: wholeAt, now) }

    /// How long until an answer is taken, if the question stays as it is on the screen.
    func timeToAnswer(at now: BootTime) -> Duration {
        max(.zero, Self.time - (wholeAt ?? now).duration(to: now))
    }

    /// Whether it may be dismissed: for that nobody has to read it.
    func mayDismiss(at now: BootTime) -> Bool { Self.isOver(since: shownAt, now) }

    private static func isOver(since start: BootTime?, _ now: BootTime) -> Bool {
        start.map { $0.duration(to: now) >= time } ?? false
    }
}
