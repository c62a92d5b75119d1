import GateModel
import GateTexts

/// A table that says where the questions of each user who is no grown-up are answered. `gatectl setup` prints it at the
/// end, and `gatectl doctor` checks it.
struct AskingTable {
    /// What happens at each gate when one user's programs ask.
    struct Row: Hashable {
        /// Gates with the same end. Parent mode is `nil`.
        struct Group: Hashable {
            var end: AskingEnd
            var gates: [String?]
        }

        var asker: Asker
        var groups: [Group]
    }

    let device: AskingDevice
    let configuration: Configuration
    let rows: [Row]

    init(_ device: AskingDevice, _ configuration: Configuration, askers: [Asker]) {
        (self.device, self.configuration) = (device, configuration)
        let gates = [nil] + configuration.gatedActions.keys.sorted().map(Optional.some)
        rows = askers.map { asker in
            let rules = AskingRules(device: device, configuration: configuration, asker: asker)
            var groups: [Row.Group] = []
            for gate in gates {
                let end = rules.end(of: gate)
                if let index = groups.firstIndex(where: { $0.end == end }) {
                    groups[index].gates.append(gate)
                } else {
                    groups.append(Row.Group(end: end, gates: [gate]))
                }
            }
            return Row(asker: asker, groups: groups.filter { !$0.end.isNowhere } + groups.filter(\.end.isNowhere))
        }
    }

    var hasFailure: Bool { rows.contains { $0.groups.contains(where: \.end.isNowhere) } }

    // MARK: - For people

    /// One user's part of the table in words.
    struct Words {
        /// `mia (a child, 11 years old)`
        var who: String
        /// Each gate's title, and where its questions are answered.
        var gates: [(title: String, end: String)]
        /// What to do if something can be answered nowhere.
        var mends: [String]
    }

    var words: [Words] {
        let order = [nil] + configuration.gatedActions.keys.sorted().map(Optional.some)
        return rows.map { row in
            Words(
                who: "\(VisibleText.line(row.asker.name)) (\(text(of: row.asker.kind)))",
                gates: order.compactMap { gate in
                    row.groups.first { $0.gates.contains(gate) }.map { (title(gate), text(of: $0.end)) }
                }, mends: mends(row))
        }
    }

    /// The table for a terminal: for each user a line for each gate, and what to do if somebody can't be answered.
    var lines: [String] {
        words.flatMap { words in
            [words.who] + TextTable(rows: words.gates.map { ["  \($0.title)", $0.end] }).lines
                + words.mends.map { "  → \($0)" }
        }
    }

    /// What to do about questions that can be answered nowhere, each once.
    private func mends(_ row: Row) -> [String] {
        row.groups.reduce(into: []) { mends, group in
            if let mend = mend(group.end, for: row.asker), !mends.contains(mend) { mends.append(mend) }
        }
    }

    private func title(_ gate: String?) -> String {
        guard let gate else { return localized("parent mode") }
        return configuration.gatedActions[gate].map { VisibleText.line($0.titles.ofPerson) } ?? gate
    }

    private func text(of kind: Asker.Kind) -> String {
        switch kind {
        case .child(nil): localized("a child")
        case .child(let age?): localized("a child, {count} year old", plural: "a child, {count} years old", count: age)
        case .shared: localized("several people")
        case .unlisted: localized("not on the list")
        }
    }

    private func text(of end: AskingEnd) -> String {
        switch end {
        case .asked(let places):
            localized("asks {places}", ["places": places.map(text).joined(separator: localized(", then "))])
        case .onlyInParentMode: localized("only in parent mode")
        case .unasked: localized("asks nobody")
        case .closed: localized("closed until a passcode is set")
        case .nowhere: localized("FAIL: nobody can answer")
        }
    }

    private func text(of place: AskingPlace) -> String {
        switch place {
        case .thisScreen: localized("on this screen")
        case .ownScreen: localized("on Gate's own screen")
        case .grownUp: localized("in a grown-up's session")
        case .guardian: localized("on another device")
        case .program: localized("in the program itself")
        }
    }

    /// What to do if a question can be answered nowhere; `nil` if it can.
    func mend(_ end: AskingEnd, for asker: Asker) -> String? {
        guard case .nowhere(let lack) = end else { return nil }
        let user: KeyValuePairs = ["user": VisibleText.line(asker.name)]
        switch lack {
        case .secret:
            return device.offersOwnScreen
                ? localized("Turn on Gate's own screen: `sudo gatectl screen on`.")
                : localized(
                    "Add a grown-up who has a user of their own: `sudo gatectl people set NAME --grown-up`.")
        case .grownUp:
            return localized(
                "Add a grown-up who has a user of their own: `sudo gatectl people set NAME --grown-up`.")
        case .presenter:
            switch asker.kind {
            case .shared:
                return localized(
                    "Let its windows show questions: `sudo adduser {user} gate-presenter`, and log in again.", user)
            case .child, .unlisted:
                return localized("Say who that is: `sudo gatectl people set {user} --child`, or --grown-up.", user)
            }
        }
    }
}
