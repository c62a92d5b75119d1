import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Whose a form is, and who reaches it")
struct FormAccessTests {
    private static let profile = FormTarget(name: "profile")

    private func named(_ device: Device, by peer: Peer) throws -> FormValue? {
        try device.state.form(Self.profile, for: peer, at: device.now).draft.values("name")?.first
    }

    @Test("with nobody signed in a draft is the user's: each has another, and no other sees it")
    func users() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Anna"), as: .anna)
        #expect(throws: GateError.self) { try named(device, by: .ben) }
        try device.openForm("profile", as: .ben)
        try device.set("profile", "name", .string("Ben"), as: .ben)
        #expect(try named(device, by: .annasOther) == .string("Anna"))
        #expect(try named(device, by: .ben) == .string("Ben"))
        #expect(device.state.forms(visibleTo: .anna).map(\.holder) == [.anna])
        #expect(device.state.forms(visibleTo: .mara).isEmpty && device.state.forms(visibleTo: .olga).isEmpty)
        #expect(device.state.forms(visibleTo: .root).map(\.holder) == [.anna, .ben], "administrators see all")
        #expect(throws: GateError.self) { try named(device, by: .root) }
        device.checkForms()
    }

    @Test("while somebody is signed in every program works for that account, and afterwards for its user again")
    func accounts() throws {
        var device = try Device.asking()
        let born = try #require(CivilDate(year: 2015, month: 1, day: 1))
        try device.register("lina", .child(born: born))
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("user"), as: .anna)
        try device.logIn("lina", as: .ben)
        #expect(device.state.holder(of: .anna) == .account("lina"))
        #expect(throws: GateError.self) { try named(device, by: .anna) }
        #expect(
            device.refusal(.editForm(Self.profile, at: nil, .reset), as: .anna)?.code == .notFound,
            "the draft of before is out of reach")
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("account"), as: .ben)
        #expect(try named(device, by: .anna) == .string("account"))
        let id = try device.complete("profile", as: .anna)
        #expect(device.state.responses(visibleTo: .ben).map(\.id) == [id])
        try device.apply(.logOut, as: .anna)
        #expect(device.state.responses(visibleTo: .ben).isEmpty && device.state.responses(visibleTo: .anna).isEmpty)
        #expect(throws: GateError.self) { try device.state.response(id, for: .anna) }
        #expect(try named(device, by: .anna) == .string("user"))
        #expect(device.state.responses(visibleTo: .root).map(\.holder) == [.account("lina")])
        device.checkForms()
    }

    @Test("an account whose name is a user's number is not that user")
    func namesake() throws {
        var device = try Device.asking()
        try device.register("1001")
        try device.openForm("profile", as: .anna)
        try device.logIn("1001", as: .anna)
        #expect(throws: GateError.self) { try device.state.form(Self.profile, for: .anna, at: device.now) }
        try device.openForm("profile", as: .anna)
        #expect(device.state.openForms.count == 2)
    }

    @Test("a form keeps the policy's spelling of its name, even if a request uses characters that look the same")
    func spelling() throws {
        let kelvin = "\u{212A}it"
        #expect(kelvin == "Kit", "to Swift they are the same")
        var kit = Questionnaire.report
        kit.name = "Kit"
        var configuration = Configuration.asking.with(kit)
        configuration.releaseNotes["org.example.Kit"] = ReleaseNotes(
            app: "org.example.Kit", entries: [.of(AppVersion(1, 0, 0))])
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 0)
        var records = try device.apply(.openForm(FormTarget(name: kelvin)), as: .anna).records
        records += try device.apply(
            .editForm(FormTarget(name: kelvin), at: nil, .set(.at("remarks"), [.string("x")], attachments: [:])),
            as: .anna
        ).records
        records += try device.apply(.saveForm(FormTarget(name: kelvin)), as: .anna).records
        records += try device.apply(
            .acknowledgeWhatsNew(app: "org.example.\u{212A}it", AppVersion(1, 0, 0)), as: .anna
        ).records
        // The store finds texts by their bytes, so that another spelling of a name would be another row.
        let names = records.flatMap(\.names)
        #expect(names.count >= 5 && names.allSatisfy { $0.utf8.count == $0.unicodeScalars.count }, "\(names)")
    }

    // MARK: - When an account goes

    @Test("removing an account removes its drafts, responses, documents and seen news; a new namesake starts empty")
    func removal() throws {
        var device = try Device.asking()
        try device.register("lina")
        try device.completeProfile(as: .ben)
        try device.apply(.acknowledgeWhatsNew(app: "org.example.draw", AppVersion(2, 0, 0)), as: .ben)
        try device.logIn("lina", as: .anna)
        try device.completeProfile(as: .anna)
        try device.openForm("profile", as: .anna)
        try device.save("profile", as: .anna)
        try device.openForm("report", as: .anna)
        try device.attach("report", "papers", [1, 2, 3], as: .anna)
        try device.apply(.acknowledgeWhatsNew(app: "org.example.draw", AppVersion(2, 0, 0)), as: .anna)
        let removed = try device.apply(.removePerson(name: "lina"), as: .root)
        #expect(device.state.openForms.isEmpty && device.state.records.attachments.isEmpty)
        #expect(removed.records.contains { if case .forms(.attachmentRemoved) = $0 { true } else { false } })
        #expect(device.state.responses(visibleTo: .root).map(\.holder) == [.ben])
        #expect(device.state.records.whatsNewSeen.keys.map(\.holder) == [.ben])
        device.checkForms()
        try device.register("lina")
        try device.logIn("lina", as: .anna)
        #expect(device.state.forms(visibleTo: .anna).isEmpty && device.state.responses(visibleTo: .anna).isEmpty)
        #expect(try device.state.whatsNew(in: "org.example.draw", AppVersion(2, 0, 0), for: .anna) != nil)
    }

    @Test("a presenter with a form of a removed account can't create a draft for a new account of that name")
    func removalWhileShown() throws {
        var device = try Device.asking(.mara)
        try device.register("lina")
        try device.logIn("lina", as: .anna)
        let wait = try device.apply(.requestForm(name: "profile"), as: .anna).wait()
        let form = try device.claim(1, as: .mara)
        try device.apply(.removePerson(name: "lina"), as: .root)
        let target = FormTarget(name: "profile", cookie: form.cookie)
        #expect(device.refusal(.openForm(target), as: .mara) != nil, "for nobody")
        #expect(device.settled[wait]?.count == 1, "anyone who waits hears that it can't come any more")
        _ = try? device.openForm("profile", form.cookie, as: .mara)
        try device.register("lina")
        try device.logIn("lina", as: .anna)
        #expect(device.state.forms(visibleTo: .anna).isEmpty)
    }

    @Test("news that were on the screen for a removed account do not count as seen for a new account of that name")
    func removalWhileReading() throws {
        var device = try Device.asking(.mara)
        try device.register("lina")
        try device.logIn("lina", as: .anna)
        let show = Command.showWhatsNew(app: "org.example.draw", AppVersion(2, 0, 0), presenting: .here)
        let notice = try device.apply(show, as: .anna).presentation()
        try device.apply(.removePerson(name: "lina"), as: .root)
        try device.register("lina")
        _ = try? device.apply(.dismiss(notice.cookie), as: .anna)
        try device.logIn("lina", as: .anna)
        #expect(try device.state.whatsNew(in: "org.example.draw", AppVersion(2, 0, 0), for: .anna) != nil)
    }

    @Test("an account keeps its drafts and responses after a new password or a new sign-in")
    func kept() throws {
        var device = try Device.asking()
        try device.register("lina")
        try device.logIn("lina", as: .anna)
        try device.completeProfile(as: .anna)
        try device.openForm("profile", as: .anna)
        try device.apply(.setPassword(name: "lina", hash: "$new"), as: .root)
        #expect(device.state.forms(visibleTo: .anna).isEmpty)
        try device.logIn("lina", as: .ben)
        #expect(device.state.forms(visibleTo: .ben).count == 1 && device.state.responses(visibleTo: .ben).count == 1)
    }

    @Test("using a form keeps a session alive")
    func session() throws {
        var device = try Device.asking()
        try device.register("lina")
        try device.logIn("lina", as: .ben)
        let before = try #require(device.state.signIn.session?.deadline)
        try device.turn(by: .seconds(8 * 3600))
        try device.openForm("profile", as: .ben)
        #expect(try #require(device.state.signIn.session?.deadline) > before)
    }
}

extension RecordChange {
    /// The names in the record, as they are stored.
    fileprivate var names: [String] {
        switch self {
        case .forms(.draftSet(let key, _)), .forms(.draftRemoved(let key)), .forms(.draftRowSet(let key, _, _)),
            .forms(.draftRowRemoved(let key, _)):
            [key.name]
        case .forms(.responseSet(let record)): [record.summary.name]
        case .forms(.appFormSet(let form)): [form.questionnaire.name]
        case .forms(.appFormRemoved(let name)): [name]
        case .whatsNewSeen(let key, _), .whatsNewForgotten(let key): [key.app]
        case .lockoutSet, .lockoutRemoved, .damageSet, .nextPresentationSet, .keptGrantSet, .keptGrantRemoved, .askSet,
            .askRemoved,
            .passcodeSet, .totpSet, .personSet, .personRemoved, .claimSet, .claimRemoved, .nextManualClaimSet,
            .restored,
            .customerHeard, .customerForgotten, .notificationTaken, .notificationForgotten, .receiptSet,
            .receiptRemoved, .forms(.responseRemoved), .forms(.nextResponseSet), .forms(.partSet), .forms(.partRemoved),
            .forms(.attachmentStored), .forms(.attachmentRemoved), .householdListSet,
            .householdPolicySet,
            .deviceKeySet, .householdSeen, .answerToAskSet, .answerToAskRemoved, .gateChoiceSet, .gateChoiceRemoved,
            .usageSet, .usageRemoved, .usageElsewhereSet, .usageElsewhereRemoved, .ageSettingsSet, .ageChoiceSet,
            .ageChoiceRemoved:
            []
        }
    }
}
