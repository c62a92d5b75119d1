import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("Choices of what stands before gated actions, in the store (U-07)")
struct GateChoiceTests {
    @Test("choices are kept over a restart, one for each gated action, and gone when they are taken back")
    func kept() throws {
        let scene = try Scene()
        var (store, records, _) = try scene.open()
        let long = "{title: \"\(String(repeating: "ä", count: 16_000))\"}"
        for notation in ["{requires: {mode: parent}}", "{requires: signed-in}", long] {
            try store.commit([records.next([.gateChoiceSet(gatedAction: "link.open", notation: notation)])])
            store.close()
            (store, records, _) = try scene.open()
            #expect(records.gateChoices == ["link.open": notation])
        }
        // An allowance has the longest name that a choice can have, and no gated action has it.
        let allowance = TimeRule.choiceName(.allowance, String(repeating: "a", count: 64))
        try store.commit([records.next([.gateChoiceSet(gatedAction: allowance, notation: "{mon: 1h}")])])
        store.close()
        (store, records, _) = try scene.open()
        #expect(records.gateChoices == ["link.open": long, allowance: "{mon: 1h}"])
        try store.commit([
            records.next([.gateChoiceRemoved(gatedAction: allowance), .gateChoiceRemoved(gatedAction: "link.open")])
        ])
        store.close()
        (store, records, _) = try scene.open()
        #expect(records.gateChoices.isEmpty)
        store.close()
    }

    @Test("a choice of several lines, or one that is too long, is damage: Gate never writes one")
    func damage() throws {
        for notation in ["'a' || char(10) || 'roles: {}'", "''", "hex(zeroblob(20000))"] {
            let scene = try Scene()
            let (store, _, _) = try scene.open()
            store.close()
            let database = try DatabaseQueue(path: scene.database)
            try database.write { try $0.execute(sql: "INSERT INTO gate_choice VALUES ('a', \(notation))") }
            try database.close()
            let (again, found, outcome) = try scene.open()
            guard case .replacedDamaged = outcome else {
                Issue.record("\(notation): \(outcome)")
                continue
            }
            #expect(found.gateChoices.isEmpty)
            again.close()
        }
    }
}
