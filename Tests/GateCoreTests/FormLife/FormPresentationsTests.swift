import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A form that a gated action asks for")
struct FormPresentationsTests {
    private static let profile = FormTarget(name: "profile")

    private func isGranted(_ reply: Reply?) -> Bool {
        if case .granted = reply { true } else { false }
    }

    @Test("who has completed the form is granted at once; who has not is asked for it by a presenter, and then granted")
    func asked() throws {
        var device = try Device.asking(.mara)
        let wait = try device.waitFor("chat", as: .anna)
        #expect(device.kinds().last == .formAsked)
        let summary = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        #expect(
            summary.kind == .form && summary.purpose == .authorize && summary.isDismissible && summary.style == .sheet)
        let form = try device.claim(1, as: .mara)
        #expect(
            form.content
                == .form(FormInvitation(name: "profile", title: "The profile", holder: .anna, isForGrownUps: false)))
        try device.openForm("profile", form.cookie, as: .mara)
        try device.set("profile", "name", .string("Lina"), cookie: form.cookie, as: .mara)
        #expect(device.settled[wait] == nil)
        let shown = device.revision("profile", of: .anna)
        let target = FormTarget(name: "profile", cookie: form.cookie)
        let done = try device.apply(.completeForm(target, at: shown), as: .mara)
        #expect(try done.responseID() == 1 && isGranted(device.reply(to: wait)))
        #expect(device.state.presentations(visibleTo: .root).isEmpty)
        #expect(try isGranted(device.authorize("chat", as: .annasOther).reply), "from now on")
        // Ben has not completed it.
        #expect(try device.authorize("chat", as: .ben).presentation().content.kind == .form)
        device.checkForms()
    }

    @Test("anyone who shows it itself fills it in with its own commands or with the cookie, and waits for the state")
    func presentsItself() throws {
        var device = try Device.asking()
        let form = try device.authorize("chat", as: .anna).presentation()
        #expect(form.content.kind == .form)
        #expect(device.refusal(.complete(form.cookie, .text("done")), as: .anna)?.code == .invalidArgument)
        let wait = try device.apply(.awaitClosing(form.cookie), as: .anna).wait()
        try device.completeProfile(as: .annasOther)
        #expect(isGranted(device.reply(to: wait)))
        #expect(
            device.refusal(.openForm(FormTarget(name: "profile", cookie: form.cookie)), as: .anna)?.reason == .closed)
    }

    @Test("it may be completed before anybody waits: anyone who waits then hears at once")
    func completedBeforeTheWait() throws {
        var device = try Device.asking()
        let form = try device.authorize("chat", as: .anna).presentation()
        try device.completeProfile(as: .anna)
        #expect(try isGranted(device.apply(.awaitClosing(form.cookie), as: .anna).reply))
        #expect(device.state.presentations(visibleTo: .root).isEmpty)
    }

    @Test("a challenge stands before it, and one form after the other")
    func steps() throws {
        var device = try Device.asking(.mara)
        let question = try device.authorize("join", as: .anna).presentation()
        #expect(question.content.kind == .challenge(.arithmeticChoice))
        let form = try device.answerRight(question, as: .anna).presentation()
        #expect(form.content.kind == .form)
        let wait = try device.waitFor("meet", as: .ben)
        let first = try device.claim(form.id + 1, as: .mara)
        try device.openForm("profile", first.cookie, as: .mara)
        try device.set("profile", "name", .string("Ben"), cookie: first.cookie, as: .mara)
        try device.complete("profile", first.cookie, as: .mara)
        #expect(device.settled[wait] == nil)
        let next = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        let second = try device.claim(next.id, as: .mara)
        #expect(second.content == .form(device.state.invitation(to: "report", for: .ben)))
        try device.openForm("report", second.cookie, as: .mara)
        try device.complete("report", second.cookie, as: .mara)
        #expect(isGranted(device.reply(to: wait)))
        device.checkForms()
    }

    @Test("a requester that waits is led from one form to the next")
    func stepsOfRequester() throws {
        var device = try Device.asking()
        let first = try device.authorize("meet", as: .anna).presentation()
        let wait = try device.apply(.awaitClosing(first.cookie), as: .anna).wait()
        try device.completeProfile(as: .anna)
        guard case .presentation(let second)? = device.reply(to: wait) else {
            Issue.record("there is one more")
            return
        }
        #expect(second.content == .form(device.state.invitation(to: "report", for: .anna)))
        try device.openForm("report", second.cookie, as: .anna)
        try device.complete("report", second.cookie, as: .anna)
        #expect(try isGranted(device.apply(.awaitClosing(second.cookie), as: .anna).reply))
    }

    @Test("where one of several is enough, parent mode settles it")
    func any() throws {
        var device = try Device.asking(.mara)
        let wait = try device.waitFor("draw", as: .anna)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection)?.style == .fullScreenCover)
        try device.apply(.override(.parent, nil, reason: "r"), as: .root)
        #expect(isGranted(device.reply(to: wait)) && device.state.presentations(visibleTo: .root).isEmpty)
    }

    @Test("what was completed elsewhere, for the same holder, settles every request for it")
    func completedElsewhere() throws {
        var device = try Device.asking(.mara)
        let first = try device.waitFor("chat", as: .anna)
        let second = try device.waitFor("chat", as: .annasOther)
        let bens = try device.waitFor("chat", as: .ben)
        let form = try device.claim(1, as: .mara)
        try device.completeProfile(as: .annasOther)
        #expect(
            isGranted(device.reply(to: first)) && isGranted(device.reply(to: second)) && device.settled[bens] == nil)
        let late = Command.openForm(FormTarget(name: "profile", cookie: form.cookie))
        #expect(device.refusal(late, as: .mara)?.reason == .closed)
    }

    @Test(
        "somebody else's account is somebody else: signing in asks for another form, signing out for the one of before")
    func signingInMeanwhile() throws {
        var device = try Device.asking(.mara)
        try device.register("lina")
        let wait = try device.waitFor("chat", as: .anna)
        let first = try device.claim(1, as: .mara)
        try device.openForm("profile", first.cookie, as: .mara)
        try device.logIn("lina", as: .ben)
        #expect(
            device.refusal(.openForm(FormTarget(name: "profile", cookie: first.cookie)), as: .mara)?.reason == .closed)
        let next = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        let second = try device.claim(next.id, as: .mara)
        #expect(second.content == .form(device.state.invitation(to: "profile", for: .account("lina"))))
        try device.completeProfile(as: .anna)
        #expect(isGranted(device.reply(to: wait)))
        try device.apply(.logOut, as: .ben)
        #expect(try device.authorize("chat", as: .anna).presentation().content.kind == .form)
    }

    @Test("a cookie on the requester's own screen reaches nobody's form any more once the account is signed out")
    func signedOutMeanwhile() throws {
        var device = try Device.asking()
        try device.register("mum")
        try device.logIn("mum", as: .ben)
        let form = try device.authorize("chat", as: .anna).presentation()
        try device.openForm("profile", as: .ben)
        try device.set("profile", "name", .string("Mum"), as: .ben)
        try device.apply(.logOut, as: .ben)
        let target = FormTarget(name: "profile", cookie: form.cookie)
        #expect(throws: GateError.self) { try device.state.form(target, for: .anna, at: device.now) }
        #expect(device.refusal(.editForm(target, at: nil, .reset), as: .anna) != nil)
    }

    @Test("a response that is withdrawn counts no more, and a grant needs a new one")
    func withdrawn() throws {
        var device = try Device.asking()
        let id = try device.completeProfile(as: .anna)
        #expect(try isGranted(device.authorize("chat", as: .anna).reply))
        #expect(device.state.outlook(of: "chat", for: .anna, at: device.now).outcome == .granted)
        try device.apply(.withdrawResponse(id), as: .anna)
        #expect(device.state.outlook(of: "chat", for: .anna, at: device.now).outcome == .personNeeded)
        #expect(try device.authorize("chat", as: .anna).presentation().content.kind == .form)
    }

    @Test("what is saved on the way, or completed in another version, does not count")
    func doesNotCount() throws {
        var device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        try device.save("profile", as: .anna)
        #expect(device.state.outlook(of: "chat", for: .anna, at: device.now).outcome == .personNeeded)
        try device.complete("profile", as: .anna)
        #expect(device.state.outlook(of: "chat", for: .anna, at: device.now).outcome == .granted)
        var newer = Questionnaire.profile
        newer.version = "2"
        try device.apply(.configure(Configuration.asking.with(newer), detail: "r"), as: .daemon)
        #expect(device.state.outlook(of: "chat", for: .anna, at: device.now).outcome == .personNeeded)
    }

    // MARK: - How it ends otherwise

    @Test(
        "dismissing it keeps the draft; nobody there is said at once, and it does not stay for ever")
    func otherEnds() throws {
        var device = try Device.asking(.mara)
        for _ in 0..<3 {
            let wait = try device.waitFor("chat", as: .anna)
            let open = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
            let form = try device.claim(open.id, as: .mara)
            try device.openForm("profile", form.cookie, as: .mara)
            try device.apply(.dismiss(form.cookie), as: .mara)
            #expect(device.refusal(of: wait)?.reason == .dismissed)
            #expect(
                device.refusal(.openForm(FormTarget(name: "profile", cookie: form.cookie)), as: .mara)?.reason
                    == .closed)
        }
        #expect(device.state.openForms.count == 1)
        let late = try device.waitFor("chat", as: .anna)
        let open = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        let form = try device.claim(open.id, as: .mara)
        device.now = device.now.advanced(by: Limits.formTime)
        let target = FormTarget(name: "profile", cookie: form.cookie)
        #expect(device.refusal(.openForm(target), as: .mara)?.reason == .expired, "due, though nobody has said so")
        #expect(throws: GateError.self) { try device.state.form(target, for: .mara, at: device.now) }
        try device.turn(by: .zero)
        #expect(device.refusal(of: late)?.code == .deadlineExceeded)
        // Four that were left on somebody else's screen lock for 30 seconds.
        try device.turn(by: .seconds(30))
        let lost = try device.waitFor("chat", as: .anna)
        try device.apply(.unregister, as: .mara)
        #expect(device.refusal(of: lost)?.reason == .noPresenter)
        let nobody = AuthorizationRequest(gatedAction: "chat", details: "")
        #expect(device.refusal(.authorize(nobody, presenting: .elsewhere), as: .anna)?.reason == .noPresenter)
    }

    @Test("its requester's death withdraws it, its presenter's hands it on, and an administrator closes it")
    func deaths() throws {
        var device = try Device.asking(.mara, .theo)
        _ = try device.waitFor("chat", as: .anna)
        let form = try device.claim(1, as: .mara)
        try device.apply(.peerDisconnected, as: .mara)
        #expect(
            device.refusal(.openForm(FormTarget(name: "profile", cookie: form.cookie)), as: .mara)?.reason == .closed)
        let again = try device.claim(1, as: .theo)
        try device.openForm("profile", again.cookie, as: .theo)
        try device.apply(.peerDisconnected, as: .anna)
        #expect(
            device.refusal(.openForm(FormTarget(name: "profile", cookie: again.cookie)), as: .theo)?.reason == .closed)
        #expect(device.state.openForms.count == 1, "the draft stays")
        let wait = try device.waitFor("chat", as: .ben)
        try device.apply(.withdraw(presentation: 2), as: .root)
        #expect(device.refusal(of: wait)?.reason == .closed)
    }

    @Test("a policy that asks for it no longer grants, or asks for something else")
    func policyChanges() throws {
        var device = try Device.asking(.mara)
        let wait = try device.waitFor("chat", as: .anna)
        var other = Configuration.asking
        other.gatedActions["chat"]?.requirement = .form("report")
        try device.apply(.configure(other, detail: "r"), as: .daemon)
        let next = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        #expect(
            try device.claim(next.id, as: .mara).content == .form(device.state.invitation(to: "report", for: .anna)))
        try device.openForm("report", as: .anna)
        try device.complete("report", as: .anna)
        #expect(isGranted(device.reply(to: wait)))
    }

    @Test("what was answered before the form is not answered twice, and a kept grant stands for no form")
    func keptGrants() throws {
        var configuration = Configuration.asking
        configuration.gatedActions["join"]?.keep = .seconds(300)
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 0)
        let question = try device.authorize("join", as: .anna).presentation()
        let form = try device.answerRight(question, as: .anna).presentation()
        try device.fillConsent(form.cookie, as: .anna)
        let id = try device.complete("consent", form.cookie, as: .anna)
        #expect(try isGranted(device.apply(.awaitClosing(form.cookie), as: .anna).reply))
        #expect(try isGranted(device.authorize("join", as: .anna).reply), "not asked again for a while")
        try device.apply(.withdrawResponse(id), as: .anna)
        #expect(try device.authorize("join", as: .anna).presentation().content.kind == .form)
    }
}
