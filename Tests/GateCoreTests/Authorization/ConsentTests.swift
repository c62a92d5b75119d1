import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("What a grown-up consents to is what was shown (T-03)")
struct ConsentTests {
    /// Mara's screen shows Lina's name, which is to be completed at this revision.
    private func shown() throws -> (device: Device, target: FormTarget, revision: UInt64) {
        var device = try Device.asking(.mara)
        _ = try device.waitFor("chat", as: .anna)
        let form = try device.claim(1, as: .mara)
        try device.openForm("profile", form.cookie, as: .mara)
        try device.set("profile", "name", .string("Lina"), cookie: form.cookie, as: .mara)
        let revision = try #require(device.revision("profile", of: .anna))
        return (device, FormTarget(name: "profile", cookie: form.cookie), revision)
    }

    @Test("a yes to one draft does not complete a draft that was begun anew and changed as often")
    func begunAnew() throws {
        var (device, target, revision) = try shown()
        try device.apply(.discardForm(FormTarget(name: "profile")), as: .annasOther)
        try device.openForm("profile", as: .annasOther)
        for name in ["Zoe", "Eve", "Ida", "Zoe"] {
            #expect(device.refusal(.completeForm(target, at: revision), as: .mara)?.reason == .changedMeanwhile)
            try device.set("profile", "name", .string(name), as: .annasOther)
        }
        #expect(device.refusal(.completeForm(target, at: revision), as: .mara)?.reason == .changedMeanwhile)
        #expect(device.state.responses(visibleTo: .root).isEmpty)
        // The name on the screen by now is what is completed.
        let now = try device.state.form(target, for: .mara, at: device.now).summary.revision
        #expect(try device.apply(.completeForm(target, at: now), as: .mara).responseID() == 1)
        device.checkForms()
    }

    @Test("a yes does not complete a draft that was changed and changed back, loaded, or filled in again")
    func changedBack() throws {
        var (device, target, revision) = try shown()
        try device.set("profile", "name", .string("Zoe"), as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        #expect(device.refusal(.completeForm(target, at: revision), as: .mara)?.reason == .changedMeanwhile)
        let kept = try device.save("profile", as: .anna)
        let saved = try #require(device.revision("profile", of: .anna))
        try device.apply(.discardForm(FormTarget(name: "profile")), as: .anna)
        try device.apply(.loadForm(FormTarget(name: "profile"), at: nil, response: kept), as: .anna)
        for revision in [revision, saved] {
            #expect(device.refusal(.completeForm(target, at: revision), as: .mara)?.reason == .changedMeanwhile)
        }
    }

    @Test(
        "a yes does not complete the form if a reload has changed its wording, even with the same answers")
    func reworded() throws {
        var (device, target, revision) = try shown()
        var other = Questionnaire.profile
        other.titles = "The other profile"
        try device.apply(.configure(Configuration.asking.with(other), detail: "r"), as: .daemon)
        #expect(try device.values("profile", "name", of: .anna) == [.string("Lina")])
        let reason = device.refusal(.completeForm(target, at: revision), as: .mara)?.reason
        #expect(reason == .changedMeanwhile || reason == .closed)
        device.checkForms()
    }

    @Test("completing a form with a cookie has to name the revision that was on the screen")
    func unnamed() throws {
        let (device, target, _) = try shown()
        let refusal = device.refusal(.completeForm(target, at: nil), as: .mara)
        #expect(refusal?.code == .invalidArgument && refusal?.reason == .invalidRequest)
        #expect(device.refusal(.completeForm(FormTarget(name: "profile"), at: nil), as: .anna) == nil, "one's own")
    }

    @Test("the revision of one account's draft can't be used to change or complete another account's draft")
    func otherAccount() throws {
        var device = try Device.asking()
        for name in ["lina", "mum"] { try device.register(name) }
        try device.logIn("lina", as: .anna)
        try device.openForm("profile", as: .anna)
        let linas = try device.set("profile", "name", .string("Lina"), as: .anna).summary.revision
        try device.apply(.logOut, as: .anna)
        try device.logIn("mum", as: .anna)
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Zoe"), as: .anna)
        let target = FormTarget(name: "profile")
        for command in [
            .completeForm(target, at: linas), .editForm(target, at: linas, .reset),
            .loadForm(target, at: linas, response: nil),
        ] as [Command] {
            let reason = device.refusal(command, as: .anna)?.reason
            #expect(reason == .changedMeanwhile || reason == .unknown, "\(command)")
        }
    }

    @Test("no revision of a draft is used twice, not even for another draft or after a restart")
    func never() throws {
        var device = try Device.asking()
        var random = SeededGenerator(seed: 3)
        var seen: Set<UInt64> = []
        for _ in 0..<300 {
            let peer = [Peer.anna, .ben].randomElement(using: &random) ?? .anna
            let name = ["profile", "report"].randomElement(using: &random) ?? "profile"
            let key = FormDraftKey(holder: device.state.holder(of: peer), name: name)
            let before = device.state.openForms[key]?.revision
            switch Int.random(in: 0..<5, using: &random) {
            case 0: _ = try? device.apply(.discardForm(FormTarget(name: name)), as: peer)
            case 1: device = Device(device.stored, configuration: .asking)
            case 2: _ = try? device.set("profile", "name", .string("\(seen.count)"), as: peer)
            default: try device.openForm(name, as: peer)
            }
            guard let now = device.state.openForms[key]?.revision, now != before else { continue }
            #expect(seen.insert(now).inserted)
        }
        #expect(seen.count > 50)
    }

    // MARK: - Suggestions

    @Test(
        "an entry at the revision before a suggestion is accepted, and replaces the suggestion (F-41)")
    func suggestedMeanwhile() throws {
        var device = try Device.asking()
        let opened = try device.openForm("profile", as: .anna).revision
        func suggest(_ path: String, _ text: String) throws {
            let edit = FormEdit.suggest(try .at(path), [.string(text)], attachments: [:])
            try device.apply(.editForm(FormTarget(name: "profile"), at: nil, edit), as: .annasOther)
        }
        try suggest("name", "L.")
        try suggest("street", "Lane")
        try device.set("profile", "name", .string("Lina"), at: opened, as: .anna)
        #expect(try device.values("profile", "name", of: .anna) == [.string("Lina")])
        #expect(try device.values("profile", "street", of: .anna) == [.string("Lane")], "the field was left empty")
        // What another person enters still does, and what is completed is what was read.
        #expect(device.refusal(.editForm(FormTarget(name: "profile"), at: opened, .reset), as: .anna) != nil)
        let read = try #require(device.revision("profile", of: .anna))
        try suggest("house", "7")
        #expect(
            device.refusal(.completeForm(FormTarget(name: "profile"), at: read), as: .anna)?.reason == .changedMeanwhile
        )
        device.checkForms()
    }

    @Test("loading a response to another form is refused, and the refusal names that form")
    func otherForm() throws {
        var device = try Device.asking()
        let id = try device.completeProfile(as: .anna)
        let refusal = device.refusal(.loadForm(FormTarget(name: "report"), at: nil, response: id), as: .anna)
        #expect(refusal?.code == .notFound && refusal?.message.contains("'profile'") == true)
        // About another user's response nothing is told.
        let others = device.refusal(.loadForm(FormTarget(name: "report"), at: nil, response: id), as: .ben)
        #expect(others?.message.contains("profile") == false)
    }
}
