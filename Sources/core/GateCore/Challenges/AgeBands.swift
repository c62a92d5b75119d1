package import GateModel

extension ChallengeRule {
    /// `age` is in years. If it is unknown (`nil`), this is the sturdiest question of all bands (`Sturdiness`).
    package func specification(forAge age: @autoclosure () -> Int?) -> ChallengeSpecification {
        if bands.count == 1 { return bands[0].challenge }
        let fitting = age().flatMap { age in bands.last { $0.ages.lowerBound <= max(0, age) } }
        let band = fitting ?? bands.max { Sturdiness($0.challenge) < Sturdiness($1.challenge) }
        // A rule always has a band. If it had none, only a grown-up's passcode would pass.
        return band?.challenge ?? ChallengeSpecification(.passcode)
    }
}
