import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A form that an app brings (F-85)")
struct AppFormTests {
    private static func plan(_ items: [QuestionnaireItem] = [.question("monday", .string)]) -> FormDescription {
        FormDescription(questionnaire: .life("plan", version: "1", items), json: [])
    }

    private static func bringing(
        _ form: FormDescription = plan(), another: Bool = false, as peer: Peer = .anna
    ) -> Command {
        .openForm(
            FormTarget(name: form.questionnaire.name), beginsAnother: another, own: AppForm(form, of: peer.uid))
    }

    private let own = "plan@\(Peer.anna.uid)"

    @Test("an app's form is opened, answered and completed under its own name; then only the response remains")
    func fromBeginningToEnd() throws {
        var device = try Device.asking()
        #expect(device.refusal(.openForm(FormTarget(name: "plan")), as: .anna)?.code == .notFound)
        #expect(try device.apply(Self.bringing(), as: .anna).formChange().summary.name == own)
        try device.set("plan", "monday", .string("Swimming"), as: .anna)
        device.checkForms()
        try device.complete("plan", as: .anna)
        #expect(device.state.records.appForms.isEmpty && device.state.compiledForm(own) == nil)
        #expect(device.refusal(.openForm(FormTarget(name: "plan")), as: .anna)?.code == .notFound)
        #expect(device.state.responses(visibleTo: .anna).map(\.name) == [own])
        device.checkForms()
    }

    @Test("an app's form exists as long as it has a draft, also over a restart")
    func asLongAsADraft() throws {
        var device = try Device.asking()
        try device.apply(Self.bringing(), as: .anna)
        try device.apply(Self.bringing(another: true), as: .anna)
        try device.apply(.discardForm(FormTarget(name: "plan")), as: .anna)
        #expect(device.state.records.appForms.count == 1)
        var restarted = Device(device.stored, configuration: device.state.configuration)
        try restarted.apply(.start, as: .daemon)
        try restarted.apply(
            .editForm(
                FormTarget(name: "plan", draftID: 1), at: nil,
                .set(try .at("monday"), [.string("Rest")], attachments: [:])),
            as: .anna)
        try restarted.apply(.discardForm(FormTarget(name: "plan", draftID: 1)), as: .anna)
        #expect(restarted.state.records.appForms.isEmpty)
        restarted.checkForms()
    }

    @Test("an app's form belongs to its user: only that user and administrators see it")
    func itsUsers() throws {
        var device = try Device.asking()
        try device.apply(Self.bringing(), as: .anna)
        for name in ["plan", own] {
            #expect(device.refusal(.openForm(FormTarget(name: name)), as: .ben)?.code == .notFound)
            #expect(throws: GateError.self) {
                try device.state.form(named: name, cookie: nil, for: .ben, at: device.now)
            }
        }
        #expect(!device.state.forms(offeredTo: .ben).contains { $0.questionnaire.name == own })
        #expect(device.state.forms(offeredTo: .anna).contains { $0.questionnaire.name == own })
        #expect(device.state.forms(offeredTo: .root).contains { $0.questionnaire.name == own })
        #expect(try device.state.form(named: "plan", cookie: nil, for: .anna, at: device.now).questionnaire.name == own)
        // Ben's app may bring a form of the same name.
        #expect(try device.apply(Self.bringing(as: .ben), as: .ben).formChange().summary.name == "plan@\(Peer.ben.uid)")
        device.checkForms()
    }

    @Test("a form that an administrator installed wins, whether the app brought its own before or after")
    func installed() throws {
        var device = try Device.asking()
        let profile = FormDescription(
            questionnaire: .life("profile", version: "9", [.question("pin", .string)]), json: [])
        #expect(try device.apply(Self.bringing(profile), as: .anna).formChange().summary.name == "profile")
        #expect(device.state.records.appForms.isEmpty)
        #expect(
            try device.state.form(named: "profile", cookie: nil, for: .anna, at: device.now).questionnaire == .profile)

        try device.apply(Self.bringing(), as: .anna)
        let installed = Questionnaire.life("plan", version: "2", [.question("sunday", .string)])
        try device.apply(.configure(device.state.configuration.with(installed), detail: "plan"), as: .daemon)
        #expect(try device.apply(Self.bringing(), as: .anna).formChange().summary.name == "plan")
        // The earlier draft is reached by the form's whole name.
        try device.set(own, "monday", .string("Swimming"), as: .anna)
        try device.complete(own, as: .anna)
        #expect(device.state.records.appForms.isEmpty)
        device.checkForms()
    }

    @Test("a new version of an app's form keeps the answers that fit, and is refused if it would drop many of them")
    func anotherVersion() throws {
        var device = try Device.asking()
        try device.apply(Self.bringing(), as: .anna)
        try device.set("plan", "monday", .string("Swimming"), as: .anna)
        let later = Self.plan([.question("monday", .string), .question("tuesday", .text)])
        try device.apply(Self.bringing(later), as: .anna)
        #expect(try device.values(own, "monday", of: .anna) == [.string("Swimming")])
        device.checkForms()
        try device.set(
            "plan", "tuesday", .string(String(repeating: "x", count: Limits.appFormAnswersByteCount)), as: .anna)
        let refused = device.refusal(Self.bringing(), as: .anna)
        #expect(refused?.reason == .changedMeanwhile && refused?.code == .failedPrecondition)
        // Bringing the version that is already there is not refused.
        try device.apply(Self.bringing(later), as: .anna)
    }

    @Test("a user's apps have a limited number of forms at a time, and a user billed to another has none")
    func limits() throws {
        var device = try Device.asking()
        for number in 0..<Limits.appFormsOfUser {
            let form = FormDescription(
                questionnaire: .life("plan-\(number)", version: nil, [.question("a", .string)]), json: [])
            try device.apply(Self.bringing(form), as: number.isMultiple(of: 2) ? .anna : .annasOther)
        }
        #expect(device.refusal(Self.bringing(), as: .anna)?.reason == .limit)
        try device.apply(Self.bringing(as: .ben), as: .ben)
        try device.apply(.discardForm(FormTarget(name: "plan-0")), as: .anna)
        try device.apply(Self.bringing(), as: .anna)
        let many = Peer(connection: 77, uid: 100_000, owner: .user(Peer.anna.uid), pid: 1, roles: .app)
        #expect(device.refusal(Self.bringing(as: many), as: many)?.reason == .notPermitted)
    }

    @Test("a presenter reads an app's form with the cookie and is told that it is the app's own; afterwards it is gone")
    func presented() throws {
        var device = try Device.asking(.mara, .theo)
        let wait = try device.apply(
            .requestForm(name: "plan", own: AppForm(Self.plan(), of: Peer.anna.uid)), as: .anna
        ).wait()
        let shown = try device.claim(1, as: .mara)
        #expect(shown.summary.asked.isAppsOwn)
        guard case .form(let invitation) = shown.content else {
            Issue.record("it is a form")
            return
        }
        #expect(invitation.name == own)
        let form = try device.state.form(named: own, cookie: shown.cookie, for: .mara, at: device.now)
        #expect(form.questionnaire.name == own)
        #expect(throws: GateError.self) { try device.state.form(named: own, cookie: nil, for: .mara, at: device.now) }
        try device.openForm(own, shown.cookie, as: .mara)
        try device.set(own, "monday", .string("Swimming"), cookie: shown.cookie, as: .mara)
        try device.complete(own, shown.cookie, as: .mara)
        #expect(device.reply(to: wait) == .responded(1))
        #expect(device.state.records.appForms.isEmpty)
        device.checkForms()
    }

    @Test("an app's form that is requested but never filled in goes with its request, however that ends")
    func unfilled() throws {
        let request = Command.requestForm(name: "plan", own: AppForm(Self.plan(), of: Peer.anna.uid))
        var device = try Device.asking()
        #expect(device.refusal(request, as: .anna)?.reason == .noPresenter)
        #expect(device.state.records.appForms.isEmpty)
        device = try Device.asking(.mara)
        try device.apply(request, as: .anna)
        let shown = try device.claim(1, as: .mara)
        try device.apply(.dismiss(shown.cookie), as: .mara)
        #expect(device.state.records.appForms.isEmpty)
        try device.apply(request, as: .anna)
        #expect(device.state.records.appForms.count == 1)
        try device.apply(.peerDisconnected, as: .anna)
        #expect(device.state.records.appForms.isEmpty)
        try device.apply(request, as: .anna)
        var restarted = Device(device.stored, configuration: device.state.configuration)
        try restarted.apply(.start, as: .daemon)
        #expect(restarted.state.records.appForms.isEmpty)
    }

    @Test("a gate that requires a form never accepts an app's own form of that name")
    func noWayThroughAGate() throws {
        var device = try Device.asking()
        // The gated action `chat` asks for the form `profile`; once that is gone, an app may bring one.
        try device.apply(.configure(device.state.configuration.without(form: "profile"), detail: "gone"), as: .daemon)
        let profile = FormDescription(
            questionnaire: .life("profile", version: "1", [.question("a", .string)]), json: [])
        try device.apply(Self.bringing(profile), as: .anna)
        try device.complete("profile", as: .anna)
        #expect(device.state.responses(visibleTo: .anna).map(\.status) == [.completed])
        #expect(
            device.refusal(
                .authorize(AuthorizationRequest(gatedAction: "chat", details: ""), presenting: .elsewhere), as: .anna)
                != nil)
    }
}

@Suite("News that an app brings (F-85)")
struct AppNotesTests {
    private static let app = "org.example.plan"
    private static let version = AppVersion(1, 2, 0)

    private static func showing(_ version: AppVersion = version, _ notes: [WhatsNew]? = nil, app: String = app)
        -> Command
    {
        .showWhatsNew(app: app, version, own: notes ?? [.of(version)], presenting: .here)
    }

    private func show(_ device: inout Device, _ version: AppVersion = version, app: String = app) throws -> Presentation
    {
        try device.apply(Self.showing(version, app: app), as: .anna).presentation()
    }

    @Test("an app's news are shown once to each user, signed in or not, and marked as the app's own")
    func once() throws {
        var device = try Device.asking()
        let shown = try show(&device)
        #expect(shown.summary.asked.isAppsOwn)
        try device.apply(.complete(shown.cookie, .acknowledged(.primary)), as: .anna)
        #expect(try device.apply(Self.showing(), as: .annasOther).reply == .whatsNew(.nothingNew))
        _ = try device.apply(Self.showing(), as: .ben).presentation()
        #expect(try device.apply(.resetWhatsNew(app: Self.app), as: .anna).reply == .count(1))
        _ = try show(&device)
        #expect(device.refusal(.resetWhatsNew(app: "org.example.none"), as: .anna)?.code == .notFound)
    }

    @Test("an administrator's news win over an app's own, and what was seen of one is not seen of the other")
    func installedWin() throws {
        var device = try Device.asking()
        let own = WhatsNew.of(AppVersion(2, 0, 0))
        try device.apply(
            .acknowledgeWhatsNew(app: Self.app, AppVersion(2, 0, 0), own: [own]), as: .anna)
        var configuration = device.state.configuration
        configuration.releaseNotes[Self.app] = ReleaseNotes(app: Self.app, entries: [own])
        try device.apply(.configure(configuration, detail: "notes"), as: .daemon)
        let shown = try device.apply(Self.showing(AppVersion(2, 0, 0)), as: .anna).presentation()
        #expect(!shown.summary.asked.isAppsOwn)
    }

    @Test("mistakes in an app's news are named, and nothing is shown")
    func mistakes() throws {
        let device = try Device.asking()
        var long = WhatsNew.of(Self.version)
        long.titles = LocalizedText(String(repeating: "x", count: WhatsNewLimits.titleLength + 1))
        var empty = WhatsNew.of(Self.version)
        empty.features = []
        var address = WhatsNew.of(Self.version)
        address.secondary?.url = "javascript:alert(1)"
        var colour = WhatsNew.of(Self.version)
        colour.features[0].colour = "red; }"
        let many = (0...UInt32(Limits.appNotes)).map { WhatsNew.of(AppVersion(1, $0, 0)) }
        for notes in [[long], [empty], [address], [colour], [.of(Self.version), .of(Self.version)], many] {
            let refused = device.refusal(Self.showing(Self.version, notes), as: .anna)
            #expect(refused?.code == .invalidArgument && refused?.reason == .invalidRequest)
        }
        #expect(device.refusal(Self.showing(app: "an app"), as: .anna)?.code == .invalidArgument)
    }

    @Test("Gate remembers a limited number of a user's apps, and the newest versions of each")
    func limits() throws {
        var device = try Device.asking()
        for number in 0..<UInt32(Limits.appNotes + 3) {
            let version = AppVersion(1, number, 0)
            try device.apply(.acknowledgeWhatsNew(app: Self.app, version, own: [.of(version)]), as: .anna)
        }
        let key = WhatsNewKey(holder: .anna, app: AppsOwnName(Self.app, of: Peer.anna.uid).text)
        #expect(device.state.records.whatsNewSeen[key]?.count == Limits.appNotes)
        #expect(device.state.records.whatsNewSeen[key]?.contains(AppVersion(1, 3, 0)) == true)
        for number in 1..<Limits.appsWithNotesOfUser {
            try device.apply(
                .acknowledgeWhatsNew(app: "app\(number)", Self.version, own: [.of(Self.version)]), as: .anna)
        }
        #expect(device.refusal(Self.showing(app: "one.more"), as: .anna)?.reason == .limit)
        try device.apply(
            .acknowledgeWhatsNew(app: "app1", AppVersion(3, 0, 0), own: [.of(AppVersion(3, 0, 0))]), as: .anna)
        #expect(device.stored == device.state.records)
    }
}

@Suite("Names of what apps bring")
struct AppsOwnNameTests {
    @Test("a name of an app's own form is read only as it is written")
    func names() {
        #expect(AppsOwnName("plan@1000") == AppsOwnName("plan", of: 1000))
        #expect(AppsOwnName("a@b@7")?.name == "a@b")
        #expect(AppsOwnName("a@+7") == nil && AppsOwnName("a@\u{301}7") == nil && AppsOwnName("a@7\u{301}") == nil)
        for text in ["plan", "plan@", "plan@01", "plan@+1", "plan@-1", "plan@4294967296", "plan@1000 "] {
            #expect(AppsOwnName(text) == nil, "\(text)")
        }
    }

    @Test("a long row of flags is read at once: characters that are found from the end take the square of its length")
    func flags() {
        let text = String(repeating: "\u{1F1E9}", count: 15_000)
        let times = (0..<5).map { _ in ContinuousClock().measure { #expect(AppsOwnName(text) == nil) } }
        // It was more than half a second each time, on a processor that does nothing else.
        #expect(times.allSatisfy { $0 > .milliseconds(200) } == false)
    }
}
