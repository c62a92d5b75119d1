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

    @Test(
        "a user who completed the form is granted at once; another is shown it by a presenter, and granted afterwards")
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

    @Test("a requester that shows the form itself fills it in by commands or the cookie, and waits for the state")
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

    @Test("a wait that begins after the form was completed is answered at once")
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

    @Test("if a form is one of several alternatives, entering parent mode grants the request")
    func any() throws {
        var device = try Device.asking(.mara)
        let wait = try device.waitFor("draw", as: .anna)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection)?.style == .fullScreenCover)
        try device.apply(.override(.parent, nil, reason: "r"), as: .root)
        #expect(isGranted(device.reply(to: wait)) && device.state.presentations(visibleTo: .root).isEmpty)
    }

    @Test("completing a form elsewhere settles all requests of the same holder for it")
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
        "signing in replaces the form by the account's, and signing out by the user's again")
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

    @Test("a requester's cookie no longer reaches an account's form once that account is signed out")
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

    @Test("a withdrawn response does not count, and a grant needs a new one")
    func withdrawn() throws {
        var device = try Device.asking()
        let id = try device.completeProfile(as: .anna)
        #expect(try isGranted(device.authorize("chat", as: .anna).reply))
        #expect(device.state.outlook(of: "chat", for: .anna, at: device.now).outcome == .granted)
        try device.apply(.withdrawResponse(id), as: .anna)
        #expect(device.state.outlook(of: "chat", for: .anna, at: device.now).outcome == .personNeeded)
        #expect(try device.authorize("chat", as: .anna).presentation().content.kind == .form)
    }

    @Test("a saved response, or one of another version, does not grant the action")
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
        "a dismissed form keeps its draft; without a presenter it is refused, and an open form expires")
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
        // Four requests left on another user's screen lock for 30 seconds.
        try device.turn(by: .seconds(30))
        let lost = try device.waitFor("chat", as: .anna)
        try device.apply(.unregister, as: .mara)
        #expect(device.refusal(of: lost)?.reason == .noPresenter)
        let nobody = AuthorizationRequest(gatedAction: "chat", details: "")
        #expect(device.refusal(.authorize(nobody, presenting: .elsewhere), as: .anna)?.reason == .noPresenter)
    }

    @Test("a form is withdrawn with its requester or by an administrator, and offered again when its presenter leaves")
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

    @Test("if a new policy asks for another form or none, an open request follows it")
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

    @Test("an answered question is not asked again after the form, and a kept grant does not replace a form")
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
