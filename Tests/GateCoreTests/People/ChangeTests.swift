import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A grown-up changes the list of people from their own session with the passcode, each time and for these words")
struct ChangeTests {
    /// Anna is a grown-up, Ben's user is a child's.
    private func device(passcode: String? = "$p") throws -> Device {
        var device = Device(configuration: .gates)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        if let passcode { try device.apply(.setPasscode(hash: passcode), as: .root) }
        try device.apply(
            .setPerson(GatePerson(name: "anna", kind: .grownUp, user: .init(name: "anna", uid: Peer.anna.uid))),
            as: .root)
        try device.apply(
            .setPerson(GatePerson(name: "mia", kind: .child(born: nil), user: .init(name: "ben", uid: Peer.ben.uid))),
            as: .root)
        try device.apply(.usersChecked(recognized: [Peer.anna.uid, Peer.ben.uid]), as: .daemon)
        return device
    }

    private struct NoGrant: Error {}

    private let mia = GatePerson(
        name: "mia", kind: .child(born: CivilDate(year: 2018, month: 5, day: 14)),
        user: .init(name: "ben", uid: Peer.ben.uid))

    private static let words = "set mia, child, born 2018-05-14, user ben (1002)"

    /// Answers the passcode for a grant with these details.
    private func grant(_ details: String, as peer: Peer, _ device: inout Device) throws -> Grant.Proof {
        let question = try device.authorize("gate.change", details, as: peer).presentation()
        #expect(question.question.kind == .passcode && question.summary.asked.details == details)
        let waiting = try device.apply(.complete(question.cookie, .secret(GateSecret("1".utf8))), as: peer).wait()
        try device.check(question.id, finds: .right(step: nil))
        guard case .granted(let grant) = device.reply(to: waiting) else { throw NoGrant() }
        return grant.proof
    }

    @Test("The refusal names the change in words, and a grant for exactly these words makes it once")
    func granted() throws {
        var device = try device()
        let refusal = try #require(device.refusal(.setPerson(mia), as: .anna))
        #expect(refusal.parameters["what"] == "change-grant" && refusal.parameters["details"] == Self.words)
        let proof = try grant(Self.words, as: .anna, &device)
        var other = mia
        other.kind = .grownUp
        #expect(device.refusal(.setPerson(other, grant: proof), as: .anna)?.parameters["what"] == "change-grant")
        #expect(device.refusal(.setPerson(mia, grant: proof), as: .annasOther)?.parameters["what"] == "change-grant")
        try device.apply(.setPerson(mia, grant: proof), as: .anna)
        #expect(device.state.people.first { $0.name == "mia" }?.kind == mia.kind)
        let again = device.refusal(.setPerson(other, grant: proof), as: .anna)
        #expect(again?.parameters["details"] == "set mia, grown-up, user ben (1002)")
    }

    @Test("A removal asks as well, and its grant makes no other change")
    func removal() throws {
        var device = try device()
        let refusal = try #require(device.refusal(.removePerson(name: "mia"), as: .anna))
        let words = try #require(refusal.parameters["details"])
        #expect(words == "remove mia, child, user ben (1002)")
        let proof = try grant(words, as: .anna, &device)
        #expect(device.refusal(.removePerson(name: "anna", grant: proof), as: .anna)?.code == .permissionDenied)
        #expect(device.refusal(.setPerson(mia, grant: proof), as: .anna)?.code == .permissionDenied)
        try device.apply(.removePerson(name: "mia", grant: proof), as: .anna)
        #expect(device.state.people.map(\.name) == ["anna"])
    }

    @Test("A child can't change the list, whatever grant it holds and in whatever mode")
    func child() throws {
        var device = try device()
        let proof = try grant(Self.words, as: .ben, &device)
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        for peer in [Peer.ben, .mara, .olga] {
            #expect(device.refusal(.setPerson(mia, grant: proof), as: peer)?.parameters["what"] == "administrator")
            #expect(device.refusal(.removePerson(name: "mia", grant: proof), as: peer)?.code == .permissionDenied)
        }
        #expect(device.refusal(.removePerson(name: "anna"), as: .ben)?.code == .permissionDenied)
    }

    @Test("Parent mode is no passcode: in it a grown-up's program is asked all the same")
    func parentMode() throws {
        var device = try device()
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        #expect(device.refusal(.setPerson(mia), as: .anna)?.parameters["what"] == "change-grant")
        #expect(device.refusal(.removePerson(name: "mia"), as: .anna)?.parameters["what"] == "change-grant")
        try device.register("kim", .child(born: nil))
        try device.apply(.removePerson(name: "kim"), as: .anna)
    }

    @Test("Without a secret no grown-up's session changes anything, since any program could do a sum")
    func withoutSecret() throws {
        var device = try device(passcode: nil)
        #expect(device.refusal(.setPerson(mia), as: .anna)?.parameters["what"] == "change-grant")
        let refusal = #expect(throws: GateError.self) { try device.authorize("gate.change", Self.words, as: .anna) }
        #expect(refusal?.reason == .notSetUp)
    }

    @Test("A grown-up who is not recognized any more is nobody, though the grant was given before")
    func unrecognized() throws {
        var device = try device()
        let proof = try grant(Self.words, as: .anna, &device)
        try device.apply(.usersChecked(recognized: [Peer.ben.uid]), as: .daemon)
        #expect(device.refusal(.setPerson(mia, grant: proof), as: .anna)?.parameters["what"] == "administrator")
    }
}
