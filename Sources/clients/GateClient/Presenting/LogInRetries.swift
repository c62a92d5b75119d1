import GateModel

/// Decides when a screen sends a name and a password again, because the daemon was busy with other passwords and did
/// not check them. Such a refusal does not count as a wrong password.
struct LogInRetries: Hashable, Sendable {
    /// After the first try and this many more, the person is told that the daemon is busy.
    static let count = 20
    static let pause = Duration.milliseconds(500)

    private var left = Self.count

    /// How long to wait before the next try; `nil` if the error has to be shown to the person.
    mutating func pause(after error: GateError) -> Duration? {
        let isBusy =
            error.reason == .authenticating || error.reason == .limit && error.parameters["what"] == "passwords"
        guard isBusy, left > 0 else { return nil }
        left -= 1
        return Self.pause
    }
}
