package import GateModel

extension ChallengeRule {
    /// The question for somebody of this age.
    ///
    /// - Parameter age: in years; `nil`: nobody knows, so it is the sturdiest of all (`Sturdiness`).
    package func specification(forAge age: Int?) -> ChallengeSpecification {
        let fitting = age.flatMap { age in bands.last { $0.ages.lowerBound <= max(0, age) } }
        let band = fitting ?? bands.max { Sturdiness($0.challenge) < Sturdiness($1.challenge) }
        // A rule has at least one band. Without any it is closed by what only a grown-up knows.
        return band?.challenge ?? ChallengeSpecification(.passcode)
    }
}
