import GateModel

/// When a screen sends a name and a password again, because the daemon was busy with other passwords and has not
/// checked them. Such a refusal counts as no wrong password.
struct LogInRetries: Hashable, Sendable {
    /// After this many refusals the person is told.
    static let count = 20
    static let pause = Duration.milliseconds(500)

    private var left = Self.count

    /// How long to wait before the next try; `nil` if the refusal is for the person.
    mutating func pause(after error: GateError) -> Duration? {
        let isBusy =
            error.reason == .authenticating || error.reason == .limit && error.parameters["what"] == "passwords"
        guard isBusy, left > 0 else { return nil }
        left -= 1
        return Self.pause
    }
}
