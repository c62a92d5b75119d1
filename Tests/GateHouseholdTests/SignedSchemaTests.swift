import Foundation
import GateGuardians
import GateModel
import Testing

@testable import GateHousehold

@Suite("Signed texts follow docs/household.schema.json (H-03)")
struct SignedSchemaTests {
    private static let ids = (1...4).map { HouseholdID(String(repeating: "\($0)", count: 32))! }

    private static func command(_ order: GuardianOrder, for device: HouseholdID? = ids[2]) -> GuardianCommand {
        GuardianCommand(
            id: ids[0], household: ids[1], device: device, guardian: ids[3], order: order,
            challenge: device == nil ? [] : [UInt8](repeating: 9, count: 32),
            expires: WallTime(unixMilliseconds: 1_800_000_000_000))
    }

    /// An answer to an ask, which echoes its nonce and no challenge.
    private static func answer(choice: String = AskEcho.once, isApproved: Bool) -> GuardianCommand {
        let echo = AskEcho(nonce: [UInt8](repeating: 9, count: HouseholdAsk.nonceByteCount), choice: choice)
        var command = command(.answer(RequestAnswer(number: 1, ask: echo, isApproved: isApproved)))
        command.challenge = []
        return command
    }

    @Test(
        "signed commands follow their schema",
        arguments: [
            command(.lock, for: nil), command(.lock), command(.extend(nil)), command(.extend(.seconds(60))),
            command(.override(.child, nil, reason: "bed")), command(.override(.parent, .seconds(60), reason: "play")),
            command(.answer(RequestAnswer(number: 1, shown: [UInt8](repeating: 9, count: 32), isApproved: true))),
            command(.answer(RequestAnswer(number: 1, shown: [UInt8](repeating: 9, count: 32), isApproved: false))),
            answer(isApproved: true), answer(isApproved: false), answer(choice: "always", isApproved: true),
        ])
    func commands(command: GuardianCommand) throws {
        #expect(try JSONSchema.of("command").faults(of: command.payload) == [])
    }

    @Test("signed answers follow their schema, obeyed or refused")
    func results() throws {
        for refusal in [nil, CommandResult.Refusal(.challenge, "Again.")] {
            let result = CommandResult(
                household: Self.ids[1], device: Self.ids[2], command: Self.ids[0], refusal: refusal, mode: .verifying)
            #expect(try JSONSchema.of("result").faults(of: result.payload) == [])
        }
    }

    @Test("questions and their words follow their schemas")
    func requests() throws {
        let message = RequestMessage(
            name: RequestName(Self.ids[2], 7), kind: "confirm", askedAt: WallTime(unixMilliseconds: 1),
            sealed: [SealedRequest(device: Self.ids[3], sealed: [1, 2, 3])])
        #expect(try JSONSchema.of("request").faults(of: message.json) == [])
        #expect(RequestMessage(json: message.json) == message)
        let title = LocalizedText("Share", [.init(language: "de", text: "Teilen")])
        for (purpose, duration) in [
            (Presentation.Purpose.authorize, nil), (.enterParentMode, nil), (.extendParentMode, Duration.seconds(60)),
        ] {
            let words = RequestWords(
                household: Self.ids[1], device: Self.ids[2], number: 7, purpose: purpose,
                asked: PresentationContext(
                    uid: 0, pid: 0, program: "p", gatedAction: "g", title: title, details: "d", duration: duration))
            #expect(try JSONSchema.of("words").faults(of: words.payload) == [])
        }
        for isAllowed in [true, false] {
            let words = RequestWords(
                household: Self.ids[1], device: Self.ids[2], number: 7, purpose: .authorize,
                asked: PresentationContext(uid: 0, pid: 0, program: "", gatedAction: "g", title: title, details: "d"),
                ask: HouseholdAsk(
                    nonce: [UInt8](repeating: 9, count: HouseholdAsk.nonceByteCount), person: "mia",
                    isAllowed: isAllowed,
                    until: WallTime(unixMilliseconds: 5)))
            #expect(try JSONSchema.of("words").faults(of: words.payload) == [])
            #expect(try RequestWords(payload: words.payload) == words)
        }
    }

    @Test("reports of use follow their schema, and are read as they were written")
    func usage() throws {
        let report = UsageReport(
            household: Self.ids[1], device: Self.ids[2],
            uses: [
                UsageReport.Use(person: "mia", allowance: "games", days: [20_605: 60_000, 20_606: 86_400_000]),
                UsageReport.Use(person: "Zoë", allowance: "films", days: [:]),
            ])
        #expect(try JSONSchema.of("usage").faults(of: report.payload) == [])
        #expect(try UsageReport(payload: report.payload) == report)
        let text = String(decoding: report.payload, as: UTF8.self)
        #expect(text.contains(#""days":{"2026-06-01":60000,"2026-06-02":86400000}"#))
        // What no device writes is refused as a whole.
        for (right, wrong) in [
            ("60000", "0"), ("60000", "-1"), ("86400000", "86400001"), ("2026-06-01", "2026-06-31"),
            (#""version":1"#, #""version":2"#), (#""mia""#, "\"\""), ("mia", "m\\n"), ("games", "g\\u202e"),
            (#"{"2026"#, "{" + (20...25).map { #""2026-05-\#($0)":1,"# }.joined() + #""2026"#),
        ] {
            let changed = text.replacing(right, with: wrong, maxReplacements: 1)
            #expect(changed != text)
            #expect(throws: GuardianError.self, "\(wrong)") { try UsageReport(payload: Array(changed.utf8)) }
        }
        var many = report
        many.uses = (0...UsageReport.maximumUses).map { .init(person: "p\($0)", allowance: "a", days: [:]) }
        #expect(throws: GuardianError.self) { try UsageReport(payload: many.payload) }
    }

    @Test("shared receipts follow their schema")
    func receipts() throws {
        for (holder, kind) in [
            (Claim.Holder.device, StoreReceipt.Kind.transaction), (.account("mia"), .renewal), (.device, .notification),
        ] {
            let receipt = SharedReceipt(
                household: Self.ids[1], device: Self.ids[2], holder: holder, receipt: StoreReceipt(kind, "a.b.c"))
            #expect(try JSONSchema.of("receipt").faults(of: receipt.payload) == [])
        }
    }

    @Test("household policies follow their schema")
    func policies() throws {
        let policy = HouseholdPolicy(
            household: Self.ids[1], number: 7, issued: WallTime(unixMilliseconds: 1),
            files: [.init(path: "policy.d/a.yaml", text: "mode: {lease: 5m}")])
        #expect(try JSONSchema.of("policy").faults(of: policy.payload) == [])
        let broken = String(decoding: policy.payload, as: UTF8.self).replacing(
            "\"path\":\"policy.d", with: "\"path\":\"..")
        #expect(try JSONSchema.of("policy").faults(of: Array(broken.utf8)) == [".files[0].path"])
    }

    @Test("household lists follow their schema")
    func lists() throws {
        let key = [UInt8](repeating: 5, count: 32)
        let list = HouseholdList(
            household: Self.ids[1], number: 3, issued: WallTime(unixMilliseconds: 1),
            expires: WallTime(unixMilliseconds: 2),
            members: [
                HouseholdMember(id: Self.ids[2], name: "Tablet", publicKey: key),
                HouseholdMember(
                    id: Self.ids[3], name: "Küche", publicKey: key, sealingKey: key, guardian: "Anna", isRevoked: true),
            ])
        #expect(try JSONSchema.of("list").faults(of: list.payload) == [])
        let broken = String(decoding: list.payload, as: UTF8.self).replacing("\"revoked\":true", with: "\"revoked\":1")
        #expect(try JSONSchema.of("list").faults(of: Array(broken.utf8)) == [".members[1].revoked"])
    }
}
