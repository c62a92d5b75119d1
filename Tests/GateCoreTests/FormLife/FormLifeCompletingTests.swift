import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Completing and withdrawing a form (F-32, F-39)")
struct FormLifeCompletingTests {
    @Test("an incomplete form is not completed; the refusal names what is missing, and no answer is lost")
    func incomplete() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "street", .string("Lane"), as: .anna)
        let refusal = device.refusal(.completeForm(FormTarget(name: "profile"), at: nil), as: .anna)
        #expect(refusal?.code == .failedPrecondition && refusal?.reason == .incomplete)
        #expect(refusal?.message.contains("name") == true)
        #expect(try device.values("profile", "street", of: .anna) == [.string("Lane")])
        try device.set("profile", "name", .string("Lina"), as: .anna)
        try device.complete("profile", as: .anna)
    }

    @Test("a completed form is kept as it was, and its draft is gone")
    func completed() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        try device.set("profile", "has-pet", .boolean(true), as: .anna)
        try device.set("profile", "pet", .string("Rex"), as: .anna)
        try device.set("profile", "has-pet", .boolean(false), as: .anna)
        let completed = try device.apply(.completeForm(FormTarget(name: "profile"), at: 5), as: .annasOther)
        let id = try completed.responseID()
        #expect(completed.audit.map(\.kind) == [.formCompleted] && device.state.openForms.isEmpty)
        let kept = try device.state.response(id, for: .anna)
        #expect(kept.summary.status == .completed && kept.response.status == .completed)
        #expect(kept.response.questionnaire == "https://gate.example/fhir/Questionnaire/profile|1")
        let linkIDs = kept.response.items.map(\.linkID)
        #expect(linkIDs == ["name", "has-pet", "hobby"], "what is not enabled is not in it")
        #expect(device.state.responses(visibleTo: .anna).map(\.id) == [id])
        // The next response has a number of its own.
        #expect(try device.completeProfile(as: .anna) == id + 1)
        #expect(try device.state.response(id, for: .anna) == kept)
        device.checkForms()
    }

    // MARK: - By a grown-up only

    private static let completing = Command.completeForm(FormTarget(name: "consent"), at: nil)

    @Test("only a grown-up can complete a form for grown-ups; a refused attempt keeps the answers")
    func notByAnybody() throws {
        var device = try Device.asking()
        try device.fillConsent(as: .anna)
        for peer in [Peer.anna, .annasOther, .olga.as(.anna), .mara.as(.anna), .shop.as(.anna)] {
            let refusal = device.refusal(Self.completing, as: peer)
            #expect(refusal?.code == .failedPrecondition && refusal?.reason == .notParent, "\(peer)")
        }
        // A signed-in grown-up is not parent mode.
        try device.register("mum")
        try device.logIn("mum", as: .anna)
        try device.fillConsent(as: .anna)
        #expect(device.refusal(Self.completing, as: .anna)?.reason == .notParent)
        try device.apply(.logOut, as: .anna)
        #expect(try device.values("consent", "child", of: .anna) == [.string("Lina")])
        device.checkForms()
    }

    @Test(
        "parent mode does not let anybody complete a form for grown-ups, since any program could use it (T-07)"
    )
    func inParentMode() throws {
        var device = try Device.asking()
        try device.fillConsent(as: .anna)
        try device.enterParentMode(as: .ben)
        for peer in [Peer.anna, .annasOther, .ben] {
            if peer == .ben { try device.fillConsent(as: peer) }
            #expect(device.refusal(Self.completing, as: peer)?.reason == .notParent)
        }
        #expect(device.state.outlook(of: "play", for: .anna, at: device.now).outcome == .personNeeded)
        // A form that everybody completes can be completed in parent mode too.
        try device.completeProfile(as: .anna)
    }

    @Test("an administrator can complete a form for grown-ups")
    func byAnAdministrator() throws {
        var device = try Device.asking()
        try device.fillConsent(as: .root)
        #expect(device.mode == .child)
        try device.complete("consent", as: .root)
        // Of a user who is none, with the rights of one.
        try device.fillConsent(as: .anna)
        let sudo = Peer(connection: 77, uid: Peer.anna.uid, pid: 1, roles: [.app, .administrator])
        try device.complete("consent", as: sudo)
        #expect(device.state.responses(visibleTo: .anna).count == 1)
    }

    @Test("a requester that answered a challenge of the same request can complete the form, with its cookie alone")
    func afterAChallenge() throws {
        var device = try Device.asking()
        let question = try device.authorize("join", as: .anna).presentation()
        let form = try device.answerRight(question, as: .anna).presentation()
        #expect(form.content.kind == .form)
        try device.fillConsent(form.cookie, as: .anna)
        #expect(device.refusal(Self.completing, as: .anna)?.reason == .notParent, "without the cookie")
        let target = FormTarget(name: "consent", cookie: form.cookie)
        #expect(device.refusal(.completeForm(target, at: nil), as: .annasOther)?.reason == .wrongCookie)
        try device.complete("consent", form.cookie, as: .anna)
        guard case .granted = try device.apply(.awaitClosing(form.cookie), as: .anna).reply else {
            Issue.record("the consent is there")
            return
        }
    }

    @Test("the cookie of a request without a challenge does not let the requester complete a form for grown-ups")
    func withoutAChallenge() throws {
        var device = try Device.asking()
        let form = try device.authorize("play", as: .anna).presentation()
        try device.fillConsent(form.cookie, as: .anna)
        let target = FormTarget(name: "consent", cookie: form.cookie)
        let shown = device.revision("consent", of: .anna)
        #expect(device.refusal(.completeForm(target, at: shown), as: .anna)?.reason == .notParent)
        #expect(device.refusal(.completeForm(FormTarget(name: "consent"), at: nil), as: .anna)?.reason == .notParent)
    }

    @Test("a grown-up's presenter completes the form that it shows, with its cookie, and no other form")
    func byAPresenterOfGrownUps() throws {
        var device = try Device.asking(.olga)
        _ = try device.waitFor("play", as: .anna)
        let form = try device.claim(1, as: .olga)
        try device.fillConsent(form.cookie, as: .olga)
        try device.fillConsent(as: .olga)
        #expect(device.refusal(Self.completing, as: .olga)?.reason == .notParent, "its own, which it does not show")
        try device.complete("consent", form.cookie, as: .olga)
        #expect(device.state.responses(visibleTo: .anna).count == 1)
        #expect(device.state.responses(visibleTo: .olga).isEmpty)
        device.checkForms()
    }

    // MARK: - Withdrawing

    @Test("a completed response that is withdrawn stays, marked as such; a saved one is removed")
    func withdrawing() throws {
        var device = try Device.asking()
        let completed = try device.completeProfile(as: .anna)
        try device.openForm("profile", as: .anna)
        let saved = try device.save("profile", as: .anna)
        let withdrawn = try device.apply(.withdrawResponse(completed), as: .annasOther)
        #expect(withdrawn.reply == .done && withdrawn.audit.map(\.kind) == [.responseWithdrawn])
        let kept = try device.state.response(completed, for: .anna)
        #expect(kept.summary.status == .enteredInError && kept.response.status == .enteredInError)
        try device.apply(.withdrawResponse(saved), as: .anna)
        #expect(device.state.responses(visibleTo: .root).map(\.id) == [completed])
        #expect(device.refusal(.withdrawResponse(saved), as: .anna)?.code == .notFound)
        device.checkForms()
    }

    @Test("a withdrawn response stays until an administrator deletes it")
    func withdrawnTwice() throws {
        var device = try Device.asking()
        let id = try device.completeProfile(as: .anna)
        try device.apply(.withdrawResponse(id), as: .anna)
        try device.apply(.withdrawResponse(id), as: .anna)
        #expect(device.state.responses(visibleTo: .anna).map(\.status) == [.enteredInError])
        try device.apply(.withdrawResponse(id), as: .root)
        #expect(device.state.responses(visibleTo: .root).isEmpty)
        #expect(device.kinds().filter { $0 == .responseWithdrawn }.count == 2, "the journal knows of both")
        #expect(try device.completeProfile(as: .anna) == id + 1, "no response has an id that another one had")
    }

    @Test("nobody can withdraw another's response, or learn whether it exists; administrators can withdraw any")
    func withdrawingOthers() throws {
        var device = try Device.asking()
        let id = try device.completeProfile(as: .anna)
        #expect(device.refusal(.withdrawResponse(id), as: .ben)?.code == .notFound)
        #expect(device.refusal(.withdrawResponse(id), as: .olga)?.code == .notFound)
        #expect(device.refusal(.withdrawResponse(id + 1), as: .anna)?.code == .notFound)
        let refusals = [id, id + 1].map { number in
            let message: String? = device.refusal(.withdrawResponse(number), as: .ben)?.message
            return message?.replacing("\(number)", with: "")
        }
        #expect(refusals[0] == refusals[1], "whether it is there is not told")
        try device.apply(.withdrawResponse(id), as: .root)
        #expect(try device.state.response(id, for: .anna).summary.status == .enteredInError)
    }
}
