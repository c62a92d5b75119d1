import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("Receipts for other devices, in the store (H-05)")
struct ReceiptTests {
    private static func receipt(_ number: UInt64, _ text: String = "a.b.c") -> KeptReceipt {
        KeptReceipt(
            number: number, claim: "2000000000000001", part: number % 2 == 0 ? .renewal : .purchase,
            saidAt: WallTime(unixMilliseconds: Int64(number)), receipt: StoreReceipt(.notification, text))
    }

    @Test("receipts are kept over each restart, replaced by number and removed")
    func kept() throws {
        let scene = try Scene()
        var (store, records, _) = try scene.open()
        let long = String(repeating: "ü", count: StoreReceipt.maximumByteCount / 2)
        for changes: [RecordChange] in [
            [.receiptSet(Self.receipt(1)), .receiptSet(Self.receipt(2, long))], [.receiptSet(Self.receipt(1, "d"))],
            [.receiptRemoved(2)], [.receiptRemoved(7)],
        ] {
            try store.commit([records.next(changes)])
            var expected = records.receipts
            for case .receiptSet(let receipt) in changes { expected[receipt.number] = receipt }
            for case .receiptRemoved(let number) in changes { expected[number] = nil }
            store.close()
            (store, records, _) = try scene.open()
            #expect(records.receipts == expected)
        }
        #expect(records.receipts == [1: Self.receipt(1, "d")])
    }

    @Test(
        "a row of receipts that Gate never writes is found as damage",
        arguments: [
            "UPDATE receipt SET part = 'price'", "UPDATE receipt SET kind = 'cheque'", "UPDATE receipt SET number = 0",
            "UPDATE receipt SET number = -1", "UPDATE receipt SET claim = ''",
            "UPDATE receipt SET signed = printf('%.70000c', 'a')",
        ])
    func damaged(statement: String) throws {
        let scene = try Scene()
        let (store, records, _) = try scene.open()
        try store.commit([records.next([.receiptSet(Self.receipt(1))])])
        store.close()
        let database = try DatabaseQueue(path: scene.database)
        try database.write { try $0.execute(sql: statement) }
        try database.close()
        let (again, _, outcome) = try scene.open()
        guard case .replacedDamaged = outcome else {
            Issue.record("\(statement): \(outcome)")
            return
        }
        again.close()
    }
}
