import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("The life of a form, by command (F-30 … F-41)")
struct FormLifeTests {
    @Test("the first program opens a form with its initial values, and later ones join the same draft (F-30)")
    func opening() throws {
        var device = try Device.asking()
        let opened = try device.apply(.openForm(FormTarget(name: "profile")), as: .anna)
        #expect(
            try opened.formChange().summary
                == FormSummary(name: "profile", holder: .anna, revision: 1, openedAt: device.wallTime))
        #expect(opened.isChange && opened.audit.map(\.kind) == [.formOpened])
        #expect(try device.values("profile", "hobby", of: .anna) == [.string("reading")])
        let joined = try device.apply(.openForm(FormTarget(name: "profile")), as: .annasOther)
        #expect(!joined.isChange && joined.audit.isEmpty && joined.records.isEmpty)
        #expect(try joined.formChange() == FormChange(summary: opened.formChange().summary, isChanged: false))
        device.checkForms()
    }

    @Test("a form or draft that does not exist can't be opened, read, changed, saved, completed or discarded")
    func nothingThere() throws {
        var device = try Device.asking()
        #expect(device.refusal(.openForm(FormTarget(name: "rocket")), as: .anna)?.code == .notFound)
        let target = FormTarget(name: "profile")
        for command in [
            .editForm(target, at: nil, .reset), .saveForm(target), .completeForm(target, at: nil), .discardForm(target),
            .editForm(target, at: 1, .remove(FormPath("friend"))),
        ] as [Command] {
            #expect(device.refusal(command, as: .anna)?.code == .notFound, "\(command)")
        }
        #expect(throws: GateError.self) { try device.state.form(target, for: .anna, at: device.now) }
        try device.openForm("profile", as: .anna)
        #expect(device.refusal(.openForm(FormTarget(name: "")), as: .anna)?.reason == .unknown)
        #expect(try device.state.form(target, for: .anna, at: device.now).summary.revision == 1)
    }

    @Test("each change of a draft makes a revision; an edit that changes nothing does not")
    func revisions() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        let first = try device.set("profile", "name", .string("Lina"), as: .anna)
        #expect(first.isChanged && first.summary.revision == 2)
        let again = try device.apply(
            .editForm(FormTarget(name: "profile"), at: nil, .set(.at("name"), [.string("Lina")], attachments: [:])),
            as: .anna)
        #expect(try again.formChange() == FormChange(summary: first.summary, isChanged: false))
        #expect(!again.isChange && again.records.isEmpty)
        let street = try device.set("profile", "street", .string("Lane"), as: .anna)
        try device.set("profile", "house", .string("7"), as: .anna)
        let moved = try device.set("profile", "street", .string("Road"), as: .anna)
        #expect(try moved.summary.revision == street.summary.revision + 2 && moved.cleared == [.at("house")])
        #expect(try device.values("profile", "house", of: .anna) == [])
        device.checkForms()
    }

    @Test("a command that names an outdated revision is refused")
    func optimistic() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Lina"), at: 1, as: .anna)
        let target = FormTarget(name: "profile")
        for command in [
            .editForm(target, at: 1, .set(try .at("name"), [.string("Otto")], attachments: [:])),
            .editForm(target, at: 3, .reset), .editForm(target, at: 0, .reset), .completeForm(target, at: 1),
        ] as [Command] {
            let refusal = device.refusal(command, as: .annasOther)
            #expect(refusal?.code == .aborted && refusal?.reason == .changedMeanwhile, "\(command)")
            #expect(refusal?.message.contains("revision 2") == true)
        }
        #expect(try device.values("profile", "name", of: .anna) == [.string("Lina")])
        try device.set("profile", "name", .string("Otto"), at: 2, as: .annasOther)
        #expect(device.refusal(.loadForm(target, at: 2, response: nil), as: .anna) != nil)
        #expect(device.revision("profile", of: .anna) == 3)
    }

    @Test("a suggestion is accepted where nothing is answered, and never replaces a person's entry (F-41)")
    func suggesting() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        let target = FormTarget(name: "profile")
        let suggestion = FormEdit.suggest(try .at("name"), [.string("Max")], attachments: [:])
        #expect(try device.apply(.editForm(target, at: nil, suggestion), as: .ben.as(.anna)).formChange().isChanged)
        let other = FormEdit.suggest(try .at("name"), [.string("Moritz")], attachments: [:])
        #expect(try !device.apply(.editForm(target, at: nil, other), as: .anna).formChange().isChanged)
        #expect(try device.values("profile", "name", of: .anna) == [.string("Max")])
    }

    @Test("groups come and go, a whole response takes the place of all answers, and reset brings the initial ones back")
    func otherEdits() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "friend[0]/friend-name", .string("Uli"), as: .anna)
        try device.set("profile", "friend[1]/friend-name", .string("Eva"), as: .anna)
        let target = FormTarget(name: "profile")
        try device.apply(.editForm(target, at: nil, .remove(.at("friend[0]"))), as: .anna)
        #expect(try device.values("profile", "friend[0]/friend-name", of: .anna) == [.string("Eva")])
        device.checkForms()
        let response = QuestionnaireResponse(
            questionnaire: Questionnaire.profile.canonical, status: .completed, items: [.answer("name", .string("Ida"))]
        )
        try device.apply(.editForm(target, at: nil, .fill(response, attachments: [:])), as: .anna)
        #expect(try device.values("profile", "name", of: .anna) == [.string("Ida")])
        #expect(try device.values("profile", "hobby", of: .anna) == [])
        device.checkForms()
        let wrong = QuestionnaireResponse(
            questionnaire: Questionnaire.profile.canonical, status: .completed, items: [.answer("rocket", .integer(1))])
        let refusal = device.refusal(.editForm(target, at: nil, .fill(wrong, attachments: [:])), as: .anna)
        #expect(refusal?.code == .invalidArgument && refusal?.reason == .badAnswer)
        try device.apply(.editForm(target, at: nil, .reset), as: .anna)
        #expect(try device.values("profile", "hobby", of: .anna) == [.string("reading")])
        #expect(try device.values("profile", "name", of: .anna) == [])
        device.checkForms()
    }

    @Test("a form that is discarded is gone, with all answers, and is opened anew")
    func discarding() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        let discarded = try device.apply(.discardForm(FormTarget(name: "profile")), as: .annasOther)
        #expect(discarded.reply == .done && discarded.audit.map(\.kind) == [.formDiscarded])
        #expect(device.state.openForms.isEmpty && device.state.records.draftRows.isEmpty)
        device.checkForms()
        try device.openForm("profile", as: .anna)
        #expect(try device.values("profile", "name", of: .anna) == [])
    }

    // MARK: - Saved, and loaded

    @Test("a saved response is kept beside the draft, and can be loaded into another one (F-39)")
    func savingAndLoading() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        let id = try device.save("profile", as: .anna)
        let kept = try device.state.response(id, for: .anna)
        #expect(kept.summary.status == .inProgress && kept.summary.version == "1" && kept.summary.holder == .anna)
        #expect(kept.summary.savedAt == device.wallTime && kept.response.authored == device.wallTime.utcText)
        #expect(device.revision("profile", of: .anna) == 2, "saving is no change")
        try device.set("profile", "name", .string("Otto"), as: .anna)
        let loaded = try device.apply(.loadForm(FormTarget(name: "profile"), at: 3, response: id), as: .anna)
        #expect(try loaded.formChange().summary.revision == 4)
        #expect(try device.values("profile", "name", of: .anna) == [.string("Lina")])
        #expect(try device.state.response(id, for: .anna) == kept, "what is kept stays as it is")
        #expect(device.kinds().contains(.formSaved))
        device.checkForms()
    }

    @Test(
        "reuse opens the form with the newest completed response, and ignores responses that were only saved (F-39)"
    )
    func reusing() throws {
        var device = try Device.asking()
        let target = FormTarget(name: "profile")
        let nothing = device.refusal(.loadForm(target, at: nil, response: nil), as: .anna)
        #expect(nothing?.code == .notFound)
        try device.completeProfile(named: "First", as: .anna)
        try device.completeProfile(named: "Second", as: .anna)
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Third"), as: .anna)
        try device.save("profile", as: .anna)
        try device.apply(.discardForm(target), as: .anna)
        try device.apply(.loadForm(target, at: nil, response: nil), as: .anna)
        #expect(try device.values("profile", "name", of: .anna) == [.string("Second")])
        #expect(device.revision("profile", of: .anna) == device.state.records.lastDraftRevision)
        #expect(device.refusal(.loadForm(target, at: nil, response: 99), as: .anna)?.code == .notFound)
        #expect(device.refusal(.loadForm(target, at: nil, response: 1), as: .ben)?.code == .notFound)
        #expect(
            device.refusal(.loadForm(FormTarget(name: "consent"), at: nil, response: 1), as: .anna)?.code == .notFound)
        device.checkForms()
    }

    @Test("a withdrawn response is not reused")
    func withdrawnIsNotReused() throws {
        var device = try Device.asking()
        let id = try device.completeProfile(as: .anna)
        try device.apply(.withdrawResponse(id), as: .anna)
        let refusal = device.refusal(.loadForm(FormTarget(name: "profile"), at: nil, response: nil), as: .anna)
        #expect(refusal?.reason == .unknown)
    }

    @Test("an answer of an earlier version that no longer fits is left out and reported (F-39)")
    func loadingAnEarlierVersion() throws {
        var device = try Device.asking()
        let id = try device.completeProfile(as: .anna)
        var changed = Questionnaire.profile
        changed.version = "2"
        changed.items[0] = .question("name", .integer)
        try device.apply(.configure(Configuration.asking.with(changed), detail: "r"), as: .daemon)
        let loaded = try device.apply(.loadForm(FormTarget(name: "profile"), at: nil, response: id), as: .anna)
        #expect(try loaded.formChange().cleared == [try .at("name")])
        #expect(try device.values("profile", "hobby", of: .anna) == [.string("reading")])
        device.checkForms()
    }
}

extension Peer {
    /// Another program of this user.
    func `as`(_ user: Peer) -> Peer {
        Peer(connection: connection, uid: user.uid, pid: pid, roles: roles)
    }
}
