import GateCore
import SQLite

extension RecordTables {
    /// What grown-ups have chosen to stand before gated actions, in the notation of policy files. A choice that the
    /// policy can't read denies its action, so nothing but its length is checked here.
    static let gateChoices = EntryTable(
        Table(
            "gate_choice", step: 17, Column("gated_action", .name, "PRIMARY KEY"),
            Column("notation", .line(1...GateChange.maximumNotationByteCount))),
        of: \.gateChoices, atMost: 1000, foundBy: .name { ([], $0) }, row: { ($0, $1) }, entry: { ($0, $1) })
}
