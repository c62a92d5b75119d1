/// Counts how often a program is started for one presentation although its output is no answer.
struct PresentingAttempts: Hashable {
    enum Next: Hashable {
        case tryAgain(after: Duration)
        case giveUp
    }

    static let maximumCount = 5
    /// The longest pause if it can't be given up: a program that ends at once must not keep the device busy.
    static let maximumPause = Duration.seconds(30)

    /// Whether the presentation can be given up. It can't if only the daemon can close it.
    let canBeGivenUp: Bool
    private var count = 0

    init(canBeGivenUp: Bool) {
        self.canBeGivenUp = canBeGivenUp
    }

    mutating func failed() -> Next {
        count += 1
        guard canBeGivenUp else { return .tryAgain(after: min(.seconds(1 << min(count - 1, 5)), Self.maximumPause)) }
        return count < Self.maximumCount ? .tryAgain(after: .zero) : .giveUp
    }
}
