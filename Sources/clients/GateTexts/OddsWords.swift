import GateModel

/// How easily something is guessed, in words.
package enum OddsWords {
    package enum Chance: Hashable, Sendable {
        case never
        case oneIn(Int)
        case inHundred(Int)
        case always

        /// - Parameter probability: from 0 to 1.
        package init(_ probability: Double) {
            let percent = (probability * 100).rounded()
            self =
                if !(probability > 0) {
                    .never
                } else if percent > 99 {
                    .always
                } else if percent >= 10 {
                    .inHundred(Int(percent))
                } else {
                    .oneIn(Int(Self.twoDigits(min(1 / probability, 1e15))))
                }
        }

        /// Rounds to two significant digits, since more would only look exact.
        private static func twoDigits(_ number: Double) -> Double {
            var unit = 1.0
            while number / unit >= 100 { unit *= 10 }
            return (number / unit).rounded() * unit
        }
    }

    /// One of `never`, `1 in 1100`, `97 in 100`, `always`.
    package static func chance(_ probability: Double) -> String {
        switch Chance(probability) {
        case .never: localized("never")
        case .oneIn(let count): localized("1 in {number}", ["number": "\(count)"])
        case .inHundred(let count): localized("{number} in 100", ["number": "\(count)"])
        case .always: localized("always")
        }
    }

    /// Ranges of ages, like `0 to 8 years, 12 years or more`. They have to be in ascending order.
    package static func ages(_ ages: [ClosedRange<Int>]) -> String {
        ListText.things(
            ages.map { ages in
                ages.upperBound >= ChallengeRule.maximumAge
                    ? localized("{count} year or more", plural: "{count} years or more", count: ages.lowerBound)
                    : localized(
                        "{first} to {count} year", plural: "{first} to {count} years", count: ages.upperBound,
                        ["first": "\(ages.lowerBound)"])
            })
    }

    /// For the person who is about to choose a short passcode. `odds` are the probability that it is ever guessed, from
    /// 0 to 1, and `better` that for a passcode of six digits.
    package static func worth(ofDigits count: Int, odds: Double, better: Double) -> String {
        localized(
            "Somebody who keeps guessing finds a passcode of {count} digit with a chance of {odds}; one of six, {better}.",
            plural:
                "Somebody who keeps guessing finds a passcode of {count} digits with a chance of {odds}; one of six, {better}.",
            count: count, ["odds": chance(odds), "better": chance(better)])
    }
}
