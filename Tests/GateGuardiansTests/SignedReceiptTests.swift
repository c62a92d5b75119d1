import GateModel
import Testing

@testable import GateGuardians

@Suite("What was bought, as a device signs it for the others (H-05)")
struct SignedReceiptTests {
    private static let ids = (1...2).map { HouseholdID(String(repeating: "\($0)", count: 32))! }

    private static func receipt(
        _ holder: Claim.Holder = .account("mia"), _ kind: StoreReceipt.Kind = .transaction, _ text: String = "a.b.c"
    ) -> SharedReceipt {
        SharedReceipt(household: ids[0], device: ids[1], holder: holder, receipt: StoreReceipt(kind, text))
    }

    @Test("a receipt is read back as it was signed", arguments: StoreReceipt.Kind.allCases)
    func whole(kind: StoreReceipt.Kind) throws {
        for holder in [Claim.Holder.device, .account("zoë")] {
            let receipt = Self.receipt(holder, kind, "{\"signedPayload\": \"a.b.c\"}\n")
            #expect(try SharedReceipt(payload: receipt.payload) == receipt)
        }
    }

    @Test("the longest receipt can be signed and read, and a longer one can't be made")
    func longest() throws {
        let text = String(repeating: "a", count: StoreReceipt.maximumByteCount)
        let signed = SignedText.sign(
            Self.receipt(.account("mia"), .notification, text).payload, as: .receipt, with: SigningKey())
        #expect(try SharedReceipt(payload: SignedText(signed, as: .receipt).payload).receipt.text == text)
        #expect(StoreReceipt(.transaction, bytes: Array((text + "a").utf8)) == nil)
        #expect(throws: GuardianError.self) {
            try SharedReceipt(payload: Self.receipt(.device, .transaction, text + "a").payload)
        }
    }

    @Test("a receipt of another form, kind or version is refused")
    func malformed() {
        let text = String(decoding: Self.receipt().payload, as: UTF8.self)
        for (old, new) in [
            ("\"version\":1", "\"version\":2"), ("transaction", "consumable"), (Self.ids[0].description, "1"),
            ("\"a.b.c\"", "7"), ("{", "["),
        ] {
            #expect(text.contains(old))
            #expect(throws: GuardianError.self, "\(new)") {
                try SharedReceipt(payload: Array(text.replacing(old, with: new).utf8))
            }
        }
    }
}
