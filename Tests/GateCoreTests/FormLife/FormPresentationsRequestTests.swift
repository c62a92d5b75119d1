import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A form that somebody has filled in elsewhere, and what a cookie reaches")
struct FormPresentationsRequestTests {
    private static let asking = Command.requestForm(name: "profile")

    /// Anna waits for her profile, which Mara shows.
    private func shown() throws -> (device: Device, wait: WaitID, form: Presentation) {
        var device = try Device.asking(.mara, .theo)
        let wait = try device.apply(Self.asking, as: .anna).wait()
        let form = try device.claim(1, as: .mara)
        return (device, wait, form)
    }

    private func target(_ form: Presentation, _ name: String = "profile") -> FormTarget {
        FormTarget(name: name, cookie: form.cookie)
    }

    @Test("a presenter fills the requested form in, and the requester gets the number of the response")
    func filled() throws {
        var (device, wait, form) = try shown()
        #expect(form.summary.purpose == .fillForm && form.summary.asked.details == "The profile")
        #expect(form.summary.asked.uid == Peer.anna.uid && form.summary.isDismissible)
        try device.openForm("profile", form.cookie, as: .mara)
        try device.set("profile", "name", .string("Lina"), cookie: form.cookie, as: .mara)
        #expect(try device.complete("profile", form.cookie, as: .mara) == 1)
        #expect(device.reply(to: wait) == .responded(1) && device.state.presentations(visibleTo: .root).isEmpty)
        #expect(device.state.responses(visibleTo: .anna).map(\.holder) == [.anna])
        #expect(device.state.responses(visibleTo: .mara).isEmpty, "what it shows no longer it reads no longer")
        device.checkForms()
    }

    @Test("a request for a form needs a presenter, a form of that name, and room")
    func refused() throws {
        var device = try Device.asking()
        #expect(device.refusal(Self.asking, as: .anna)?.reason == .noPresenter)
        try device.apply(.register(PresenterAbilities(kinds: [.paywall], styles: [.sheet])), as: .mara)
        #expect(device.refusal(Self.asking, as: .anna)?.reason == .noPresenter)
        try device.apply(.register(.everything), as: .mara)
        #expect(device.refusal(.requestForm(name: "rocket"), as: .anna)?.code == .notFound)
        for _ in 0..<Limits.openRequests { try device.apply(Self.asking, as: .anna) }
        #expect(device.refusal(Self.asking, as: .annasOther)?.reason == .limit)
    }

    @Test("a form request is settled by a response completed after it, on any screen, and not by an earlier one")
    func since() throws {
        var device = try Device.asking(.mara)
        try device.completeProfile(as: .anna)
        let first = try device.apply(Self.asking, as: .anna).wait()
        let second = try device.apply(Self.asking, as: .annasOther).wait()
        try device.completeProfile(as: .ben)
        #expect(device.settled.isEmpty)
        try device.openForm("profile", as: .anna)
        try device.save("profile", as: .anna)
        #expect(device.settled.isEmpty, "saved is not completed")
        let id = try device.completeProfile(as: .annasOther)
        #expect(device.reply(to: first) == .responded(id) && device.reply(to: second) == .responded(id))
    }

    @Test("a form request ends with its dismissal, its deadline, its form or its last able presenter")
    func ends() throws {
        var (device, wait, form) = try shown()
        var copy = device
        try copy.apply(.dismiss(form.cookie), as: .mara)
        #expect(copy.refusal(of: wait)?.reason == .dismissed && copy.refusal(of: wait)?.code == .cancelled)
        copy = device
        try copy.turn(by: Limits.formTime)
        #expect(copy.refusal(of: wait)?.code == .deadlineExceeded)
        copy = device
        try copy.apply(.configure(Configuration.asking.without(form: "profile"), detail: "r"), as: .daemon)
        #expect(copy.refusal(of: wait)?.code == .notFound)
        copy = device
        try copy.apply(.unregister, as: .mara)
        #expect(copy.settled[wait] == nil, "somebody else may show it")
        try copy.apply(.unregister, as: .theo)
        #expect(copy.refusal(of: wait)?.reason == .noPresenter)
        copy = device
        try copy.apply(.callEnded(wait), as: .anna)
        #expect(copy.state.presentations(visibleTo: .root).isEmpty)
        #expect(device.refusal(.awaitClosing(form.cookie), as: .mara) != nil, "that is for the one who asked")
        #expect(
            device.refusal(.complete(form.cookie, .acknowledged(.primary)), as: .mara)?.code == .invalidArgument
        )
        try device.apply(.peerDisconnected, as: .anna)
        #expect(device.state.presentations(visibleTo: .root).isEmpty)
    }

    @Test("a form that only grown-ups complete is shown by grown-ups' presenters alone")
    func forGrownUps() throws {
        var device = try Device.asking(.mara)
        let request = Command.requestForm(name: "consent")
        #expect(device.refusal(request, as: .anna)?.reason == .noPresenter)
        try device.apply(.register(.everything), as: .olga)
        let wait = try device.apply(request, as: .anna).wait()
        #expect(device.state.presentation(forPresenter: Peer.mara.connection) == nil)
        #expect(device.refusal(.claim(presentation: 1), as: .mara)?.code == .permissionDenied)
        let form = try device.claim(1, as: .olga)
        guard case .form(let invitation) = form.content else {
            Issue.record("it is a form")
            return
        }
        #expect(invitation.isForGrownUps && invitation.holder == .anna)
        try device.fillConsent(form.cookie, as: .olga)
        try device.complete("consent", form.cookie, as: .olga)
        #expect(device.reply(to: wait) == .responded(1))
        let second = try device.apply(request, as: .anna).wait()
        try device.apply(.unregister, as: .olga)
        #expect(device.refusal(of: second)?.reason == .noPresenter, "the other presenter is for nobody's consent")
    }

    // MARK: - What a cookie reaches

    @Test("the cookie gives full access to the draft of the person the form is for")
    func reach() throws {
        var (device, _, form) = try shown()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Anna"), as: .anna)
        let read = try device.state.form(target(form), for: .mara, at: device.now)
        #expect(try read.summary.holder == .anna && read.draft.values("name") == [.string("Anna")])
        #expect(device.state.forms(visibleTo: .mara).map(\.holder) == [.anna])
        try device.set("profile", "street", .string("Lane"), at: 2, cookie: form.cookie, as: .mara)
        #expect(try device.values("profile", "street", of: .anna) == [.string("Lane")])
        #expect(
            device.refusal(.editForm(FormTarget(name: "profile"), at: 2, .reset), as: .anna)?.reason
                == .changedMeanwhile)
        let saved = try device.apply(.saveForm(target(form)), as: .mara).responseID()
        #expect(device.state.responses(visibleTo: .anna).map(\.id) == [saved])
        try device.apply(.editForm(target(form), at: nil, .reset), as: .mara)
        try device.apply(.loadForm(target(form), at: nil, response: saved), as: .mara)
        #expect(try device.values("profile", "street", of: .anna) == [.string("Lane")])
        try device.apply(.discardForm(target(form)), as: .mara)
        #expect(device.state.openForms.isEmpty)
        device.checkForms()
    }

    @Test("the cookie reaches no other form, nobody else's draft, and no response")
    func reachesNothingElse() throws {
        var (device, _, form) = try shown()
        try device.openForm("report", as: .anna)
        try device.openForm("profile", as: .ben)
        let id = try device.completeProfile(as: .anna)
        var (again, _, other) = try shown()
        try again.openForm("report", as: .anna)
        try again.save("report", as: .anna)
        for command in [
            .openForm(target(other, "report")), .editForm(target(other, "report"), at: nil, .reset),
            .saveForm(target(other, "report")), .completeForm(target(other, "report"), at: nil),
            .discardForm(target(other, "report")), .loadForm(target(other, "report"), at: nil, response: nil),
            // Of another form.
            .loadForm(target(other), at: nil, response: 1), .withdrawResponse(1),
        ] as [Command] {
            #expect(again.refusal(command, as: .mara)?.code == .notFound, "\(command)")
        }
        #expect(throws: GateError.self) { try again.state.form(target(other, "report"), for: .mara, at: again.now) }
        #expect(throws: GateError.self) { try again.state.response(1, for: .mara) }
        // After the form is closed its cookie reaches nothing.
        #expect(throws: GateError.self) { try device.state.form(target(form), for: .mara, at: device.now) }
        #expect(device.refusal(.openForm(target(form)), as: .mara)?.reason == .closed)
        #expect(throws: GateError.self) { try device.state.response(id, for: .mara) }
        #expect(device.state.forms(visibleTo: .mara).isEmpty)
    }

    @Test("the cookie works only on the connection that got it, and forged ones never work")
    func stolen() throws {
        var (device, _, form) = try shown()
        try device.openForm("profile", form.cookie, as: .mara)
        var forged = form.cookie
        forged.bytes[23] ^= 1
        for (peer, cookie) in [
            (Peer.theo, form.cookie), (.anna, form.cookie), (.root, form.cookie), (.mara, forged),
            (.mara, PresentationCookie(bytes: [])),
            (.mara, PresentationCookie(bytes: [UInt8](repeating: 0, count: 24))),
        ] {
            for command in [
                .openForm(FormTarget(name: "profile", cookie: cookie)),
                .editForm(FormTarget(name: "profile", cookie: cookie), at: nil, .reset),
                .completeForm(FormTarget(name: "profile", cookie: cookie), at: nil),
                .saveForm(FormTarget(name: "profile", cookie: cookie)),
                .discardForm(FormTarget(name: "profile", cookie: cookie)),
                .loadForm(FormTarget(name: "profile", cookie: cookie), at: nil, response: nil),
            ] as [Command] {
                let refusal = device.refusal(command, as: peer)
                #expect(refusal?.code == .permissionDenied && refusal?.reason == .wrongCookie)
                #expect(refusal.map { "\($0)".contains("\(cookie.bytes)") } == false)
            }
            #expect(throws: GateError.self) {
                try device.state.form(FormTarget(name: "profile", cookie: cookie), for: peer, at: device.now)
            }
        }
    }

    @Test("the cookie of another kind of presentation gives access to no form")
    func otherCookies() throws {
        var device = try Device.asking()
        let question = try device.ask(as: .anna)
        let refusal = device.refusal(.openForm(FormTarget(name: "profile", cookie: question.cookie)), as: .anna)
        #expect(refusal?.code == .notFound)
        let notice = try device.apply(
            .showWhatsNew(app: "org.example.draw", AppVersion(2, 0, 0), presenting: .here), as: .ben
        ).presentation()
        #expect(
            device.refusal(.openForm(FormTarget(name: "profile", cookie: notice.cookie)), as: .ben)?.code == .notFound)
    }

    @Test("a presenter reads the documents of the form that it shows, as long as it shows it")
    func documents() throws {
        var (device, _, form) = try shown()
        let digest = try AttachmentDigest.of([1, 2])
        try device.openForm("profile", as: .anna)
        #expect(!device.state.mayRead(digest, .mara))
        try device.attach("profile", "portrait", [1, 2], as: .anna)
        #expect(device.state.mayRead(digest, .mara) && !device.state.mayRead(digest, .theo))
        try device.attach("profile", "portrait", [3, 4], form.cookie, as: .mara)
        #expect(try device.state.mayRead(.of([3, 4]), .anna))
        try device.apply(.dismiss(form.cookie), as: .mara)
        #expect(try !device.state.mayRead(.of([3, 4]), .mara))
        device.checkForms()
    }

    @Test("a requested form stays with the person it was asked for, whoever signs in or out meanwhile")
    func staysWithItsHolder() throws {
        var (device, wait, form) = try shown()
        try device.register("lina")
        try device.logIn("lina", as: .ben)
        try device.openForm("profile", form.cookie, as: .mara)
        try device.set("profile", "name", .string("Anna"), cookie: form.cookie, as: .mara)
        try device.complete("profile", form.cookie, as: .mara)
        #expect(device.reply(to: wait) == .responded(1))
        #expect(device.state.responses(visibleTo: .root).map(\.holder) == [.anna])
    }
}
