import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// One person with a range of 65,536 uids, as `newuidmap` gives it out.
extension Peer {
    /// The first uid of Ben's range is number 0.
    static func ofBensRange(_ number: Int) -> Peer {
        Peer(
            connection: 10_000 + UInt64(number), uid: 100_000 + UInt32(number), owner: .user(1002), pid: 1,
            roles: .app)
    }
}

@Suite("Who is billed (T-01)")
struct OwnerTests {
    @Test("a wrong answer of any uid of a range counts for its owner, and locks all of them out")
    func lockouts() throws {
        var device = Device()
        for number in 0..<3 {
            let peer = Peer.ofBensRange(number)
            try device.answerWrong(device.ask(as: peer), as: peer)
        }
        #expect(device.state.lockouts.map(\.key) == [Lockout.Key(owner: .user(1002), gate: "mode")])
        for peer in [Peer.ofBensRange(3), .ben] {
            device.refuses(.toggle(presenting: .here), as: peer, .resourceExhausted, .lockedOut)
        }
        _ = try device.ask(as: .anna)
    }

    @Test("wrong passwords of uids in a range count against the range's owner")
    func passwords() throws {
        var device = Device()
        try device.register("anna")
        for number in 0..<3 { try device.logIn("anna", .wrong, as: .ofBensRange(number)) }
        let next = Command.logIn(name: "anna", password: Device.password)
        device.refuses(next, as: .ofBensRange(3), .resourceExhausted, .lockedOut)
        device.refuses(next, as: .ben, .resourceExhausted, .lockedOut)
        #expect(try device.logIn("anna", as: .anna) == .done)
    }

    @Test("a range has as many questions open as its owner may, together")
    func questions() throws {
        var device = Device(configuration: .gates)
        for number in 0..<Limits.openRequests { _ = try device.authorize("link.open", as: .ofBensRange(number)) }
        let next = Command.authorize(
            AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .here)
        device.refuses(next, as: .ofBensRange(99), .resourceExhausted, .limit)
        device.refuses(next, as: .ben, .resourceExhausted, .limit)
        _ = try device.authorize("link.open", as: .anna)
    }

    @Test("a range has as many drafts as its owner may, so 86 uids fill nothing up, and nobody sees another's")
    func drafts() throws {
        var configuration = Configuration.asking
        for number in 0..<3 { configuration = configuration.with(.life("form-\(number)", version: "1", [])) }
        var device = Device(configuration: configuration)
        var opened = 0
        for uid in 0..<86 {
            for form in 0..<3 {
                let command = Command.openForm(FormTarget(name: "form-\(form)"))
                if device.refusal(command, as: .ofBensRange(uid)) == nil {
                    try device.apply(command, as: .ofBensRange(uid))
                    opened += 1
                }
            }
        }
        #expect(opened == Limits.draftsOfHolder && device.state.openForms.count == opened)
        device.refuses(.openForm(FormTarget(name: "form-0")), as: .ben, .resourceExhausted, .limit)
        try device.openForm("form-0", as: .anna)
        #expect(device.state.forms(visibleTo: .ben).isEmpty)
        #expect(device.state.forms(visibleTo: .ofBensRange(0)).count == 3)
        #expect(device.state.forms(visibleTo: .root).count == opened + 1)
    }

    @Test("administrators can discard anybody's draft, and nobody else can discard another's")
    func othersDrafts() throws {
        var device = Device(configuration: .asking)
        try device.openForm("profile", as: .ofBensRange(7))
        try device.openForm("profile", as: .anna)
        let holders = device.state.forms(visibleTo: .root).map(\.holder.told)
        #expect(Set(holders) == [.user(100_007), .user(1001)])
        let discard = { Command.discardForm(FormTarget(name: "profile"), of: $0) }
        device.refuses(discard(.user(1001)), as: .ben, .permissionDenied, .notPermitted)
        for holder in holders { try device.apply(discard(holder), as: .root) }
        #expect(device.state.openForms.isEmpty)
        device.refuses(discard(.user(1001)), as: .root, .notFound, .unknown)
    }

    @Test("administrators can open a form even if the device has no room for more drafts")
    func administrators() throws {
        var configuration = Configuration.asking
        for number in 0..<Limits.draftsOfHolder {
            configuration = configuration.with(.life("form-\(number)", version: "1", []))
        }
        var device = Device(configuration: configuration)
        for number in 0..<Limits.drafts {
            let user = UInt32(number / Limits.draftsOfHolder)
            let peer = Peer(connection: 500 + UInt64(user), uid: 5000 + user, pid: 1, roles: .app)
            try device.openForm("form-\(number % Limits.draftsOfHolder)", as: peer)
        }
        device.refuses(.openForm(FormTarget(name: "profile")), as: .anna, .resourceExhausted, .limit)
        try device.openForm("profile", as: .root)
    }

    @Test("for uids of a range neither grants nor seen news are kept")
    func kept() throws {
        var configuration = Configuration.asking
        configuration.gatedActions["store.open"]?.keep = .seconds(300)
        var device = Device(configuration: configuration)
        let peer = Peer.ofBensRange(0)
        _ = try device.answerRight(device.authorize("store.open", as: peer).presentation(), as: peer).grant()
        #expect(device.state.keptGrants(of: nil).isEmpty)
        let notes = try #require(configuration.releaseNotes.values.first)
        let version = try #require(notes.entries.first?.version)
        try device.apply(.acknowledgeWhatsNew(app: notes.app, version), as: peer)
        #expect(device.state.records.whatsNewSeen.isEmpty)
        try device.apply(.acknowledgeWhatsNew(app: notes.app, version), as: .ben)
        #expect(device.state.records.whatsNewSeen.count == 1)
    }

    @Test("all uids without an account are billed as one owner, and root's ranges as another one without rights")
    func others() throws {
        var device = Device()
        for (first, owner) in [(70_000, Owner.withoutAccount), (80_000, Owner.rangesOfRoot)] as [(UInt32, Owner)] {
            for uid in first..<first + 3 {
                let peer = Peer(connection: UInt64(uid), uid: uid, owner: owner, pid: 1, roles: .app)
                device.refuses(.override(.parent, nil, reason: "x"), as: peer, .permissionDenied, .notPermitted)
                try device.answerWrong(device.ask(as: peer), as: peer)
            }
            let connection = 1 + UInt64(first) * 2
            let next = Peer(connection: connection, uid: first + 9, owner: owner, pid: 1, roles: .app)
            device.refuses(.toggle(presenting: .here), as: next, .resourceExhausted, .lockedOut)
        }
        #expect(device.state.lockouts.map(\.key.owner) == [.rangesOfRoot, .withoutAccount])
        _ = try device.ask(as: .anna)
    }

    @Test("no real uid equals one of the numbers that stand for several uids")
    func numbers() {
        #expect(Owner.user(.max) == .withoutAccount && Owner.user(.max - 1) == .withoutAccount)
        #expect(Owner.user(.max - 3) == .withoutAccount && Owner.user(.max - 4).uid == .max - 4)
        #expect([Owner.withoutAccount, .rangesOfRoot, .strangers].allSatisfy { $0.uid == nil })
    }
}
