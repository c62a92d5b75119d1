import GateTexts

package enum FormWords {
    package static var next: String { localized("Next") }
    package static var back: String { localized("Back", context: "to the step before") }
    package static var done: String { localized("Done") }
    package static var overview: String { localized("Overview") }
    package static var complete: String { localized("Complete") }
    package static var add: String { localized("Add…") }
    package static var edit: String { localized("Edit") }
    package static var remove: String { localized("Remove") }
    package static var chooseFile: String { localized("Choose a file…") }
    package static var calendar: String { localized("Calendar") }
    package static var unit: String { localized("Unit") }
    /// The field for an answer in the person's own words.
    package static var other: String { localized("Something else:") }
    package static var another: String { localized("One more:") }
    package static var choose: String { localized("Choose…") }
    package static var yes: String { localized("Yes") }
    package static var no: String { localized("No") }
    package static var beingFetched: String { localized("being looked up…") }
    package static func use(_ answer: String) -> String { localized("Use {answer}", ["answer": answer]) }
    package static var before: String { localized("Use earlier answers…") }
    static var answeredBefore: String { localized("What was answered before") }
    static var all: String { localized("All of them") }
    static var usePart: String { localized("Use") }
    /// Shown in a row without answers.
    package static var empty: String { localized("nothing yet") }

    /// Says which questions' answers were cleared together with another one.
    package static func cleared(_ names: [String]) -> String {
        localized("Cleared, because it depends on this: {answers}.", ["answers": list(names)])
    }
    /// Says which questions' answers were not taken over with parts, or were cleared by that.
    package static func leftOut(_ names: [String]) -> String {
        localized("Not copied, or cleared: {answers}.", ["answers": list(names)])
    }
    private static func list(_ names: [String]) -> String {
        let more = names.count > 10 ? [localized("{count} more", ["count": "\(names.count - 10)"])] : []
        return ListText.things(names.prefix(10) + more)
    }
    package static func required(_ label: String) -> String { localized("{heading} (required)", ["heading": label]) }
    /// The spoken name of a button that occurs several times.
    package static func spoken(_ button: String, of label: String) -> String { "\(button) \(label)" }
}
