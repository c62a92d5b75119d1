/// The table of `AskingTable` as checks of `gatectl doctor`, in English as everything that doctor says.
extension AskingTable {
    var findings: [Finding] {
        rows.map { row in
            var words: [(end: String, gates: [String])] = []
            for group in row.groups {
                let (end, gates) = (Self.word(group.end), group.gates.map { $0 ?? InstallationFacts.Needs.mode })
                if let index = words.firstIndex(where: { $0.end == end }) {
                    words[index].gates += gates
                } else {
                    words.append((end, gates))
                }
            }
            var mends: [String] = []
            for case .nowhere(let lack) in row.groups.map(\.end) {
                let mend = sentence(lack, row.asker)
                if !mends.contains(mend) { mends.append(mend) }
            }
            return Finding(
                subject: "questions of \(VisibleText.line(row.asker.name))",
                found: words.map { "\($0.end) \($0.gates.joined(separator: ", "))" }.joined(separator: "; "),
                verdict: mends.isEmpty ? .ok : .failed(mend: mends.joined(separator: " ")))
        }
    }

    private func sentence(_ lack: AskingLack, _ asker: Asker) -> String {
        let user = VisibleText.line(asker.name)
        return switch lack {
        case .secret where device.offersOwnScreen: "Turn on Gate's own screen: `sudo gatectl screen on`."
        case .secret, .grownUp:
            "Add a grown-up who has a user of their own: `sudo gatectl people set NAME --grown-up`."
        case .presenter where asker.kind == .shared:
            "Let its windows show questions: `sudo adduser \(user) gate-presenter`, and log in again."
        case .presenter: "Say who that is: `sudo gatectl people set \(user) --child`, or --grown-up."
        }
    }

    private static func word(_ end: AskingEnd) -> String {
        switch end {
        case .asked(let places): places.map(word).joined(separator: ", then ") + ":"
        case .onlyInParentMode: "only in parent mode:"
        case .unasked: "without a question:"
        case .closed: "closed until a passcode is set:"
        case .nowhere: "can be answered nowhere:"
        }
    }

    private static func word(_ place: AskingPlace) -> String {
        switch place {
        case .thisScreen: "on this screen"
        case .ownScreen: "on Gate's own screen"
        case .grownUp: "in a grown-up's session"
        case .guardian: "on another device"
        case .program: "in the program"
        }
    }
}
