import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Forms over a reload, a restart and damage (F-46)")
struct FormLifeReloadTests {
    private func opened() throws -> Device {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        try device.set("profile", "friend[1]/friend-name", .string("Eva"), as: .anna)
        return device
    }

    /// The form with a number in place of the name.
    private static let other = {
        var questionnaire = Questionnaire.profile
        questionnaire.version = "2"
        questionnaire.items[0] = .question("name", .integer)
        return questionnaire
    }()

    @Test("a reload with the same forms changes no draft")
    func same() throws {
        var device = try opened()
        let reloaded = try device.apply(.configure(.asking, detail: "r"), as: .daemon)
        #expect(reloaded.records.isEmpty && device.revision("profile", of: .anna) == 3)
    }

    @Test("a changed form keeps the answers that still fit and drops the rest, and the draft gets a new revision")
    func another() throws {
        var device = try opened()
        let reloaded = try device.apply(.configure(Configuration.asking.with(Self.other), detail: "r"), as: .daemon)
        let key = FormDraftKey(holder: .anna, name: "profile")
        #expect(try reloaded.records.contains(.forms(.draftRowRemoved(key, .at("name")))))
        #expect(device.revision("profile", of: .anna) == 4)
        #expect(try device.values("profile", "name", of: .anna) == [])
        #expect(try device.values("profile", "friend[1]/friend-name", of: .anna) == [.string("Eva")])
        device.checkForms()
        // A program that worked with the earlier form is told.
        let late = Command.editForm(FormTarget(name: "profile"), at: 3, .reset)
        #expect(device.refusal(late, as: .anna)?.reason == .changedMeanwhile)
        try device.set("profile", "name", .integer(7), at: 4, as: .anna)
        let id = try device.complete("profile", as: .anna)
        #expect(try device.state.response(id, for: .anna).summary.version == "2")
    }

    @Test("a changed form that drops no answer accepts entries at the old revision, but is not completed at it (T-03)")
    func compatible() throws {
        var device = try opened()
        var wider = Questionnaire.profile
        wider.items.append(.question("more", .string) { $0.initial = [.string("later")] })
        try device.apply(.configure(Configuration.asking.with(wider), detail: "r"), as: .daemon)
        #expect(device.revision("profile", of: .anna) == 4)
        #expect(
            device.refusal(.completeForm(FormTarget(name: "profile"), at: 3), as: .anna)?.reason == .changedMeanwhile)
        #expect(try device.values("profile", "more", of: .anna) == [], "initial values are those of the opening")
        try device.set("profile", "more", .string("now"), at: 3, as: .anna)
        device.checkForms()
    }

    @Test("the draft of a removed form is out of reach, and comes back when the form does")
    func resting() throws {
        var device = try opened()
        try device.apply(.configure(Configuration.asking.without(form: "profile"), detail: "r"), as: .daemon)
        let target = FormTarget(name: "profile")
        for command in [.openForm(target), .editForm(target, at: nil, .reset), .completeForm(target, at: nil)]
            as [Command]
        {
            #expect(device.refusal(command, as: .anna)?.code == .notFound, "\(command)")
        }
        #expect(throws: GateError.self) { try device.state.form(target, for: .anna, at: device.now) }
        #expect(device.state.formDraft(of: .anna, named: "profile") == nil)
        device.checkForms()
        try device.apply(.configure(.asking, detail: "r"), as: .daemon)
        #expect(try device.values("profile", "name", of: .anna) == [.string("Lina")])
        #expect(device.revision("profile", of: .anna) == 3)
        device.checkForms()
    }

    @Test("a draft whose form returns in another version keeps the answers that fit")
    func restingThenAnother() throws {
        var device = try opened()
        try device.apply(.configure(Configuration.asking.without(form: "profile"), detail: "r"), as: .daemon)
        try device.apply(.configure(Configuration.asking.with(Self.other), detail: "r"), as: .daemon)
        #expect(try device.values("profile", "name", of: .anna) == [] && device.revision("profile", of: .anna) == 4)
        device.checkForms()
    }

    @Test("a draft whose form was removed still counts, and can be discarded")
    func discardingWhatRests() throws {
        var device = try opened()
        try device.apply(.configure(Configuration.asking.without(form: "profile"), detail: "r"), as: .daemon)
        #expect(device.state.forms(visibleTo: .anna).map(\.name) == ["profile"])
        #expect(device.refusal(.discardForm(FormTarget(name: "profile")), as: .anna) == nil)
    }

    @Test("a form that was removed does not count as completed")
    func completedAndGone() throws {
        var device = try Device.asking()
        try device.openForm("report", as: .anna)
        try device.complete("report", as: .anna)
        #expect(device.state.isCompleted("report", by: .anna) && !device.state.isCompleted("profile", by: .anna))
        try device.apply(.configure(Configuration.asking.without(form: "report"), detail: "r"), as: .daemon)
        #expect(!device.state.isCompleted("report", by: .anna))
    }

    @Test("a completed response counts only for the version of the form that it was completed in")
    func versions() throws {
        var device = try Device.asking()
        try device.completeProfile(as: .anna)
        #expect(device.state.isCompleted("profile", by: .anna) && !device.state.isCompleted("profile", by: .ben))
        try device.apply(.configure(Configuration.asking.with(Self.other), detail: "r"), as: .daemon)
        #expect(!device.state.isCompleted("profile", by: .anna))
        try device.apply(.configure(.asking, detail: "r"), as: .daemon)
        #expect(device.state.isCompleted("profile", by: .anna))
        try device.apply(.withdrawResponse(1), as: .anna)
        #expect(!device.state.isCompleted("profile", by: .anna))
    }

    // MARK: - Restarts

    @Test("drafts, responses and documents are there after a restart, as they were")
    func restart() throws {
        var device = try opened()
        try device.openForm("report", as: .ben)
        try device.attach("report", "papers", [1, 2], as: .ben)
        try device.save("report", as: .ben)
        var restarted = Device(device.stored, configuration: .asking)
        try restarted.apply(.start, as: .daemon)
        #expect(restarted.state.forms(visibleTo: .root) == device.state.forms(visibleTo: .root))
        #expect(restarted.state.responses(visibleTo: .root) == device.state.responses(visibleTo: .root))
        #expect(
            restarted.state.formDraft(of: .anna, named: "profile")
                == device.state.formDraft(of: .anna, named: "profile"))
        try restarted.set("profile", "name", .string("Ida"), at: 3, as: .anna)
        restarted.checkForms()
    }

    @Test("a restart with a changed form drops answers that no longer fit, like a reload")
    func restartWithAnother() throws {
        let device = try opened()
        var restarted = Device(device.stored, configuration: Configuration.asking.with(Self.other))
        try restarted.apply(.start, as: .daemon)
        restarted.checkForms()
        #expect(restarted.revision("profile", of: .anna) == 4)
    }

    @Test("an answer that a restart with a changed form dropped does not come back after a reset")
    func droppedForGood() throws {
        let device = try opened()
        var restarted = Device(device.stored, configuration: Configuration.asking.with(Self.other))
        try restarted.apply(.start, as: .daemon)
        try restarted.apply(.editForm(FormTarget(name: "profile"), at: nil, .reset), as: .anna)
        try restarted.apply(.configure(.asking, detail: "r"), as: .daemon)
        #expect(try restarted.values("profile", "name", of: .anna) == [])
    }

    @Test("a document that only a dropped answer named is removed with the draft at the latest")
    func droppedDocuments() throws {
        var device = try Device.asking()
        try device.openForm("report", as: .anna)
        try device.attach("report", "papers", [1, 2], as: .anna)
        var other = Questionnaire.report
        other.items.removeFirst()
        var restarted = Device(device.stored, configuration: Configuration.asking.with(other))
        try restarted.apply(.start, as: .daemon)
        try restarted.apply(.discardForm(FormTarget(name: "report")), as: .anna)
        restarted.checkForms()
    }

    // MARK: - Damage

    @Test("while the store is closed for damage no form is touched; afterwards everything goes on")
    func damage() throws {
        var device = try Device.asking(.mara)
        try device.completeProfile(as: .anna)
        try device.openForm("profile", as: .anna)
        try device.apply(.closeForDamage(quarantinedFile: "old"), as: .daemon)
        try device.apply(.register(.everything), as: .mara)
        let target = FormTarget(name: "profile")
        for command in [
            .openForm(target), .openForm(FormTarget(name: "report")), .editForm(target, at: nil, .reset),
            .saveForm(target), .loadForm(target, at: nil, response: nil), .loadForm(target, at: nil, response: 1),
            .completeForm(target, at: nil), .discardForm(target), .withdrawResponse(1), .requestForm(name: "profile"),
            .showWhatsNew(app: "org.example.draw", AppVersion(2, 0, 0), presenting: .here),
            .acknowledgeWhatsNew(app: "org.example.draw", AppVersion(2, 0, 0)), .resetWhatsNew(app: nil),
        ] as [Command] {
            for peer in [Peer.anna, .root] {
                let refusal = device.refusal(command, as: peer)
                #expect(refusal?.code == .unavailable && refusal?.reason == .storeDamaged, "\(command)")
            }
        }
        #expect(
            device.refusal(
                .authorize(AuthorizationRequest(gatedAction: "chat", details: ""), presenting: .here), as: .anna)?
                .reason == .storeDamaged)
        try device.apply(.recover, as: .root)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        device.checkForms()
    }
}
