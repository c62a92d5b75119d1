/// How often a program is started for one presentation while what it says is no answer.
struct PresentingAttempts: Hashable {
    enum Next: Hashable {
        /// After a pause.
        case tryAgain(after: Duration)
        case giveUp
    }

    static let maximumCount = 5
    /// Between two starts, where it can't be given up: a program that ends at once is not to keep the device busy.
    static let maximumPause = Duration.seconds(30)

    /// Whether it can be given up; what only the state closes can't.
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
