/// The wrong answers of one owner at one gate (G-03).
public struct LockoutSummary: Hashable, Sendable {
    /// The one whose wrong answers these are.
    public var owner: Owner
    /// Where they were given; `nil`: at a gate that this version does not know.
    public var gate: Lockout.Gate?
    /// The number of wrong answers since the last right one.
    public var wrongAnswers: Int
    /// So many are taken, and then nothing is checked until an administrator clears them; `nil`: there is no such limit.
    public var limit: Int?
    /// How long the lock still lasts, in whole milliseconds; `nil`: not locked out.
    public var remaining: Duration?

    /// Makes a summary of these values.
    public init(owner: Owner, gate: Lockout.Gate?, wrongAnswers: Int, limit: Int?, remaining: Duration?) {
        self.owner = owner
        self.gate = gate
        self.wrongAnswers = wrongAnswers
        self.limit = limit
        self.remaining = remaining
    }
}
