import GateCore
import GateTexts

/// Odds in words for people who are not mathematicians.
extension OddsByAge {
    /// "1 in 1100", or "nothing to guess". If the odds depend on the age: the highest, with the ages that have it, as
    /// in "97 in 100 (0 to 8 years)".
    var likeliestText: String {
        guard isGuessed else { return localized("nothing to guess") }
        let likeliest = likeliest.probability()
        let text = OddsWords.chance(likeliest)
        let ages = bands.filter { $0.odds.probability() == likeliest }.map(\.ages)
        return bands.count == 1 || ages.isEmpty ? text : ListText.noted(text, Self.text(ages))
    }

    /// "yes" or "no". If it depends on the age: "yes (0 to 11 years)".
    var programText: String {
        guard programPasses else { return localized("no") }
        let ages = bands.filter(\.odds.programPasses).map(\.ages)
        return ages.count == bands.count || ages.isEmpty
            ? localized("yes") : ListText.noted(localized("yes"), Self.text(ages))
    }

    /// "0 to 8 years", "12 years or more". Adjacent ranges are joined.
    /// - Parameter ages: in ascending order.
    static func text(_ ages: [ClosedRange<Int>]) -> String {
        let merged = ages.reduce(into: [ClosedRange<Int>]()) { merged, ages in
            if let last = merged.last, last.upperBound + 1 == ages.lowerBound {
                merged[merged.count - 1] = last.lowerBound...ages.upperBound
            } else {
                merged.append(ages)
            }
        }
        return OddsWords.ages(merged)
    }
}
