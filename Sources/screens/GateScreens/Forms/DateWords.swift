import GateTexts

/// The words of a calendar.
package enum DateWords {
    /// From January.
    package static var months: [String] {
        [
            localized("January"), localized("February"), localized("March"), localized("April"),
            localized("May", context: "a month"), localized("June"), localized("July"), localized("August"),
            localized("September"), localized("October"), localized("November"), localized("December"),
        ]
    }

    /// From Monday, short.
    package static var weekdays: [String] {
        [
            localized("Mon"), localized("Tue"), localized("Wed"), localized("Thu"), localized("Fri"), localized("Sat"),
            localized("Sun"),
        ]
    }

    /// The button that leads to earlier dates.
    package static var earlier: String { localized("Earlier") }
    /// The button that leads to later dates.
    package static var later: String { localized("Later") }
}
