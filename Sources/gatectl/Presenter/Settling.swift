import GateModel

/// Tells whether a person can have meant a question with what they did. In its first second nothing is taken: it was meant for
/// the question before, or for none.
struct Settling: Hashable {
    static let time = Duration.seconds(1)

    /// `nil`: it is not on the screen.
    private var shownAt: BootTime?
    /// `nil`: some of Gate's own words are not on the screen.
    private var wholeAt: BootTime?
    /// Where something can be pressed, and since when just there: what moves under a finger was not meant.
    private var places: Set<PresenterPlace> = []
    private var placedAt: BootTime?

    /// It is on the screen, or still is.
    ///
    /// - Parameters:
    ///   - isWhole: all of Gate's own words are.
    ///   - places: where something can be pressed.
    mutating func drawn(isWhole: Bool, places: Set<PresenterPlace> = [], at now: BootTime) {
        if placedAt == nil || places != self.places {
            self.places = places
            placedAt = now
        }
        shownAt = shownAt ?? now
        wholeAt = isWhole ? wholeAt ?? now : nil
    }

    func mayAnswer(at now: BootTime) -> Bool { Self.isOver(since: wholeAt, now) }

    /// Whether something can be meant with a press: it has stood where it is.
    func mayPress(at now: BootTime) -> Bool { mayAnswer(at: now) && Self.isOver(since: placedAt, now) }

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
