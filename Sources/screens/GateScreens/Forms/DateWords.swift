import GateTexts

/// Months, weekdays and buttons of a calendar.
package enum DateWords {
    /// Full names, from January.
    package static var months: [String] {
        [
            localized("January"), localized("February"), localized("March"), localized("April"),
            localized("May", context: "a month"), localized("June"), localized("July"), localized("August"),
            localized("September"), localized("October"), localized("November"), localized("December"),
        ]
    }

    /// Short names, from Monday.
    package static var weekdays: [String] {
        [
            localized("Mon"), localized("Tue"), localized("Wed"), localized("Thu"), localized("Fri"), localized("Sat"),
            localized("Sun"),
        ]
    }

    package static var earlier: String { localized("Earlier") }
    package static var later: String { localized("Later") }
}
