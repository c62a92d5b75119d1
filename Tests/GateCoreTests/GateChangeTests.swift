import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A change of what stands before a gated action (U-07, U-08)")
struct GateChangeTests {
    private var device = Device(configuration: .gates)

    private func change(
        _ name: String = "link.open", _ notation: String? = "{requires: {mode: parent}}",
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> GateChange {
        var configuration = Configuration.gates
        change(&configuration)
        return GateChange(name: name, notation: notation, configuration: configuration, detail: "in words")
    }

    @Test("the choice is kept, the configuration is in force, and the journal has it in words, all at once")
    mutating func kept() throws {
        let made = change { $0.gatedActions["link.open"] = GatedAction(title: "Web", requirement: .parentMode) }
        let transition = try device.apply(.changeGate(made), as: .root)
        #expect(
            transition.records.first
                == .gateChoiceSet(gatedAction: "link.open", notation: "{requires: {mode: parent}}"))
        #expect(device.state.configuration.gatedActions["link.open"]?.requirement == .parentMode)
        #expect(device.journal.last?.kind == .gateChanged && device.journal.last?.detail == "in words")
        #expect(device.journal.last?.actor?.uid == 0)
        try device.apply(.changeGate(change("link.open", nil)), as: .root)
        #expect(device.state.records.gateChoices.isEmpty && device.stored == device.state.records)
        #expect(device.refusal(.changeGate(change("link.open", nil)), as: .root)?.reason == .unknown)
    }

    @Test("nobody but an administrator changes a gate, in parent mode neither", arguments: [Peer.anna, .ben, .mara])
    mutating func permission(peer: Peer) throws {
        try device.enterParentMode(as: .anna)
        let before = device.state
        #expect(device.refusal(.changeGate(change()), as: peer)?.code == .permissionDenied)
        #expect(device.refusal(.changeGate(change("link.open", nil)), as: peer)?.code == .permissionDenied)
        #expect(device.state == before)
    }

    /// Answers the passcode for a grant with these details.
    private func grant(_ details: String, as peer: Peer, _ device: inout Device) throws -> Grant.Proof {
        let question = try device.authorize("gate.change", details, as: peer).presentation()
        #expect(question.question.kind == .passcode && question.summary.asked.details == details)
        let waiting = try device.apply(.complete(question.cookie, .secret(GateSecret("1".utf8))), as: peer).wait()
        try device.check(question.id, finds: .right(step: nil))
        guard case .granted(let grant) = device.reply(to: waiting) else { throw NoGrant() }
        return grant.proof
    }

    private struct NoGrant: Error {}

    @Test("a grown-up changes a gate from their own session with the passcode, each time and for these words")
    mutating func grownUp() throws {
        try device.apply(.setPasscode(hash: "$p"), as: .root)
        for (peer, kind) in [(Peer.anna, GatePerson.Kind.grownUp), (.ben, .child(born: nil))] {
            let name = peer == .anna ? "anna" : "ben"
            try device.apply(
                .setPerson(GatePerson(name: name, kind: kind, user: .init(name: name, uid: peer.uid))), as: .root)
        }
        try device.apply(.usersChecked(recognized: [Peer.anna.uid, Peer.ben.uid]), as: .daemon)
        var made = change()
        let refusal = try #require(device.refusal(.changeGate(made), as: .anna))
        #expect(refusal.parameters["what"] == "change-grant" && refusal.parameters["details"] == "change in words")
        made.grant = try grant("change in words", as: .anna, &device)
        var other = made
        other.detail = "in other words"
        #expect(device.refusal(.changeGate(other), as: .anna)?.parameters["what"] == "change-grant")
        #expect(device.refusal(.changeGate(made), as: .annasOther)?.parameters["what"] == "change-grant")
        var childs = change()
        childs.grant = try grant("change in words", as: .ben, &device)
        #expect(device.refusal(.changeGate(childs), as: .ben)?.code == .permissionDenied)
        #expect(device.state.records.gateChoices.isEmpty)
        try device.apply(.changeGate(made), as: .anna)
        #expect(device.state.records.gateChoices.count == 1)
        made.notation = "{requires: signed-in}"
        #expect(device.refusal(.changeGate(made), as: .anna)?.parameters["what"] == "change-grant")
    }

    @Test("a change whose words nobody would read to the end is left to administrators")
    mutating func words() throws {
        try device.apply(.setPasscode(hash: "$p"), as: .root)
        try device.apply(
            .setPerson(GatePerson(name: "anna", kind: .grownUp, user: .init(name: "anna", uid: Peer.anna.uid))),
            as: .root)
        try device.apply(.usersChecked(recognized: [Peer.anna.uid]), as: .daemon)
        var made = change()
        made.detail = String(repeating: "a", count: 601)
        let refusal = device.refusal(.changeGate(made), as: .anna)
        #expect(refusal?.reason == .limit && refusal?.parameters["what"] == "gate-change-words")
        try device.apply(.changeGate(made), as: .root)
        var back = change("link.open", nil)
        back.detail = made.detail
        #expect(device.refusal(.changeGate(back), as: .anna)?.parameters["what"] == "gate-change-words")
        made.detail = String(repeating: "a", count: 600)
        #expect(device.refusal(.changeGate(made), as: .anna)?.parameters["what"] == "change-grant")
    }

    @Test("nobody chooses what stands before gate.change, an administrator neither; such a choice can be taken back")
    mutating func changingItself() throws {
        #expect(device.refusal(.changeGate(change("gate.change")), as: .root)?.reason == .invalidRequest)
        #expect(device.state.records.gateChoices.isEmpty)
        var records = device.state.records
        records.gateChoices = ["gate.change": "{requires: {challenge: confirm}}"]
        device.state = GateState(restoring: records, configuration: .gates)
        try device.apply(.changeGate(change("gate.change", nil)), as: .root)
        #expect(device.state.records.gateChoices.isEmpty)
    }

    @Test("a grant for gate.change is for the program that asks, and for no other one")
    mutating func redeemer() throws {
        try device.apply(.setPasscode(hash: "$p"), as: .root)
        for presenting in [Presenting.here, .elsewhere] {
            let request = AuthorizationRequest(
                gatedAction: "gate.change", details: "change in words", redeemer: Peer.anna.uid)
            let refusal = device.refusal(.authorize(request, presenting: presenting), as: .ben)
            #expect(refusal?.reason == .invalidRequest && refusal?.parameters["field"] == "redeemer")
        }
    }

    @Test("there is room for 200 choices, and one more in place of an earlier one; a long one is refused")
    mutating func limits() throws {
        for number in 0..<GateChange.maximumChoices {
            try device.apply(.changeGate(change("gate.\(number)")), as: .root)
        }
        let refusal = device.refusal(.changeGate(change("one.more")), as: .root)
        #expect(refusal?.code == .resourceExhausted && refusal?.parameters["maximum"] == "200")
        try device.apply(.changeGate(change("gate.7", "{requires: signed-in}")), as: .root)
        let long = String(repeating: "a", count: GateChange.maximumNotationByteCount + 1)
        #expect(device.refusal(.changeGate(change("gate.7", long)), as: .root)?.code == .resourceExhausted)
        #expect(device.state.records.gateChoices["gate.7"] == "{requires: signed-in}")
    }

    @Test("while Gate is closed because of damage, no gate is changed")
    mutating func damaged() throws {
        try device.apply(.closeForDamage(quarantinedFile: "gate.sqlite.damaged"), as: .daemon)
        #expect(device.refusal(.changeGate(change()), as: .root)?.reason == .storeDamaged)
        #expect(device.state.records.gateChoices.isEmpty)
    }
}
