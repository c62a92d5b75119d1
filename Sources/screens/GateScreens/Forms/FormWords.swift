import GateTexts

/// The words on the pages of a form.
package enum FormWords {
    /// The button that leads to the next section.
    package static var next: String { localized("Next") }
    /// The button that leads to the page before.
    package static var back: String { localized("Back") }
    /// The button that leaves a page of a group.
    package static var done: String { localized("Done") }
    /// The last page.
    package static var overview: String { localized("Overview") }
    /// The button that completes a form.
    package static var complete: String { localized("Complete") }
    /// The button that adds to a table.
    package static var add: String { localized("Add…") }
    /// The button that opens a row.
    package static var edit: String { localized("Edit") }
    /// The button that takes a row away.
    package static var remove: String { localized("Remove") }
    /// The button that chooses a file.
    package static var chooseFile: String { localized("Choose a file…") }
    /// The button that unfolds a calendar.
    package static var calendar: String { localized("Calendar") }
    /// The unit of a number.
    package static var unit: String { localized("Unit") }
    /// The field for an answer that is not offered.
    package static var other: String { localized("Something else:") }
    /// The field for one more answer.
    package static var another: String { localized("One more:") }
    /// Nothing is chosen in a list.
    package static var choose: String { localized("Choose…") }
    /// The button of a yes to a question of a form.
    package static var yes: String { localized("Yes") }
    /// An answer is being fetched from elsewhere.
    package static var beingFetched: String { localized("being looked up…") }
    /// The button that takes an answer from elsewhere.
    package static func use(_ answer: String) -> String { localized("Use {answer}", ["answer": answer]) }
    /// The button that leads to what was answered before.
    package static var before: String { localized("Use earlier answers…") }
    /// The list of what was answered before.
    static var answeredBefore: String { localized("What was answered before") }
    /// All of a list.
    static var all: String { localized("All of them") }
    /// The button that takes what is chosen.
    static var usePart: String { localized("Use") }
    /// A row without an answer.
    package static var empty: String { localized("nothing yet") }

    /// Says what went with an answer.
    ///
    /// - Parameter names: of the questions.
    package static func cleared(_ names: [String]) -> String {
        localized("Cleared, because it depends on this: {answers}.", ["answers": list(names)])
    }
    /// Says what did not fit when parts were taken, or went with them.
    ///
    /// - Parameter names: of the questions.
    package static func leftOut(_ names: [String]) -> String {
        localized("Not taken over, or cleared with it: {answers}.", ["answers": list(names)])
    }
    private static func list(_ names: [String]) -> String {
        let more = names.count > 10 ? [localized("{count} more", ["count": "\(names.count - 10)"])] : []
        return ListText.things(names.prefix(10) + more)
    }
    /// The name of a field that has to be answered.
    package static func required(_ label: String) -> String { localized("{heading} (required)", ["heading": label]) }
    /// The name of a button that is there several times.
    package static func spoken(_ button: String, of label: String) -> String { "\(button) \(label)" }
}
