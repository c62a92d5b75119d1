import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("The screens of all kinds of questions")
struct ScreenKindsTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    private static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    /// A machine with this on the screen, which has been shown for a second.
    private static func showing(
        _ content: Presentation.Content, language: String? = nil, after before: Presentation.Content? = nil,
        opensPages: Bool = false, hasScreenOfItsOwn: Bool = false, style: Presentation.Style = .sheet
    ) -> ScreenStateMachine {
        let reader = ScreenReader(languages: language.map { [$0] } ?? [], wheels: [.day, .month, .year], year: 2026)
        var machine = ScreenStateMachine(for: reader, opensPages: opensPages, hasScreenOfItsOwn: hasScreenOfItsOwn)
        func come(_ content: Presentation.Content, id: UInt64) {
            let asked = PresentationContext(
                uid: 1000, pid: 4242, program: "app", gatedAction: "store.open", title: "Open the store")
            let summary = PresentationSummary(
                id: id, purpose: .authorize, kind: content.kind, deadline: seconds(60), style: style,
                isDismissible: true, stage: .claimed, asked: asked)
            let cookie = PresentationCookie(bytes: Array(repeating: 0, count: PresentationCookie.byteCount))
            machine.presentationCame(
                Presentation(summary, cookie: cookie, content: content), names: AskerNames(user: "anna"),
                sharesClock: true)
            _ = machine.drawn(id, at: start)
        }
        if let before {
            come(before, id: 6)
            machine.presentationClosed(6)
        }
        come(content, id: 7)
        return machine
    }

    private static func body(_ machine: ScreenStateMachine) throws -> ScreenModel.Body {
        try #require(machine.picture(at: seconds(2))).body
    }

    private static let problem = ArithmeticProblem(left: 8, operator: .times, right: 9)
    private static let upwards = SwipeGesture(.up, fingers: 3)
    private static let quiz = Challenge.quiz([
        QuizText(language: "en", question: "What is blue?", choices: ["sky", "grass"]),
        QuizText(language: "de", question: "Was ist blau?", choices: ["Himmel", "Gras"]),
    ])
    private static let notice = WhatsNewNotice(
        app: "org.example.draw",
        entry: WhatsNew(
            version: AppVersion(1, 2, 0), title: "What's new",
            features: [
                WhatsNew.Feature(image: "layers", colour: "#3584e4", title: "Layers", subtitle: ""),
                WhatsNew.Feature(image: "", colour: "red; } * { color: #fff", title: "Brush", subtitle: "Wide."),
            ],
            primary: WhatsNew.PrimaryAction(title: "Continue"),
            secondary: WhatsNew.SecondaryAction(title: "Learn more", colour: "#26a269", url: "https://example.org/")))

    @Test("the presenter registers exactly the kinds that have a screen (S-01, S-02)")
    func registered() throws {
        let shapes = ShapesProblem(
            left: [ShapesProblem.Shape(.triangle, .red)], operator: .plus,
            right: [ShapesProblem.Shape(.square, .blue)])
        let challenges: [Challenge] = [
            .arithmeticChoice(Self.problem, choices: [72, 80, 63]), .arithmeticEntry(Self.problem),
            .shapes(shapes, choices: [7, 8, 9]), Self.quiz, .confirm, .birthdate(.gregorian), .passcode, .totp,
            .hold(.seconds(3)), .swipe(Self.upwards),
        ]
        let contents =
            challenges.map { Presentation.Content.challenge($0) }
            + [
                .signIn, .paywall(Paywall(entitlement: "premium", title: "Premium", provider: .manual, products: [])),
                .whatsNew(Self.notice),
            ]
        for content in contents { _ = try Self.body(Self.showing(content)) }
        #expect(Set(contents.map(\.kind)) == ScreenStateMachine.kinds.subtracting([.form]))
    }

    @Test(
        "each kind of question takes its own kind of answer (S-02, S-04)",
        arguments: [
            (Challenge.arithmeticEntry(problem), ScreenInput.typed("72"), ChallengeAnswer.text("72")),
            (.shapes(ShapesProblem(left: [], operator: .plus, right: []), choices: [3, 4, 5]), .chosen(2), .text("5")),
            (quiz, .chosen(1), .text("2")),
            (.confirm, .chosen(ScreenInput.no), .text("no")),
            (.birthdate(.minguo), .dated(year: 68, month: 5, day: 1), .text("68-05-01")),
            (.swipe(SwipeGesture(.left, fingers: 2)), .swiped(upwards), .swiped(upwards)),
        ])
    func answers(challenge: Challenge, input: ScreenInput, answer: ChallengeAnswer) {
        var machine = Self.showing(.challenge(challenge))
        #expect(machine.inputReceived(input, at: Self.seconds(2)) == [.complete(answer)])
        #expect(machine.inputReceived(input, at: Self.seconds(2)) == [])
    }

    @Test(
        "input that is not an answer to the kind is ignored, and the question stays (S-02)",
        arguments: [
            (Challenge.arithmeticEntry(problem), ScreenInput.typed("")), (.arithmeticEntry(problem), .chosen(0)),
            (quiz, .chosen(2)), (.birthdate(.gregorian), .typed("1980")), (.hold(.seconds(3)), .released),
            (.swipe(SwipeGesture(.left, fingers: 2)), .finished), (.confirm, .typed("yes")),
        ])
    func noAnswers(challenge: Challenge, input: ScreenInput) throws {
        var machine = Self.showing(.challenge(challenge))
        #expect(machine.inputReceived(input, at: Self.seconds(2)) == [])
        #expect(try #require(machine.picture(at: Self.seconds(2))).takesAnswer)
    }

    @Test("a yes takes two presses, and the second one only a second after it was drawn (S-13)")
    func yes() throws {
        var machine = Self.showing(.challenge(.confirm))
        #expect(machine.inputReceived(.chosen(ScreenInput.yes), at: Self.seconds(2)) == [])
        #expect(machine.isWaitingToBeDrawn)
        #expect(machine.drawn(7, at: Self.seconds(2)) == [])
        guard case .confirm(_, let isSure) = try Self.body(machine) else {
            Issue.record("It is no permission.")
            return
        }
        #expect(isSure)
        #expect(machine.inputReceived(.chosen(ScreenInput.yes), at: Self.seconds(2.9)) == [])
        #expect(machine.inputReceived(.chosen(ScreenInput.yes), at: Self.seconds(3)) == [.complete(.text("yes"))])
    }

    @Test(
        "a secret needs a first press, and appears in no picture (S-06, S-13)", arguments: [Challenge.passcode, .totp])
    func secrets(challenge: Challenge) throws {
        var machine = Self.showing(.challenge(challenge))
        let secret = GateSecret("2468".utf8)
        #expect(machine.inputReceived(.typedSecret(secret), at: Self.seconds(2)) == [])
        #expect(try #require(machine.picture(at: Self.seconds(2))).opening != "")
        #expect(machine.inputReceived(.opened, at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(2)) == [])
        #expect(machine.drawn(7, at: Self.seconds(1)) == [])
        #expect(try #require(machine.picture(at: Self.seconds(2))).opening == "")
        #expect(machine.inputReceived(.typedSecret(GateSecret([])), at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.typedSecret(secret), at: Self.seconds(2)) == [.complete(.secret(secret))])
        #expect(!String(reflecting: machine.picture(at: Self.seconds(2))).contains("2468"))
    }

    @Test("after a question that closed by itself any input needs a first press: somebody may still be typing (S-13)")
    func takenBack() throws {
        var machine = Self.showing(.challenge(.arithmeticEntry(Self.problem)), after: .challenge(.passcode))
        #expect(machine.inputReceived(.typed("72"), at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.opened, at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(2)) == [])
        #expect(machine.drawn(7, at: Self.seconds(1)) == [])
        #expect(machine.inputReceived(.typed("72"), at: Self.seconds(2)) == [.complete(.text("72"))])
        let paywall = Paywall(entitlement: "premium", title: "Premium", provider: .manual, products: [])
        let later = Self.showing(.whatsNew(Self.notice), after: .paywall(paywall))
        #expect(try #require(later.picture(at: Self.seconds(2))).opening == "")
    }

    @Test("a hold is measured from its beginning, and begins anew if that was refused (S-05)")
    func hold() throws {
        var machine = Self.showing(.challenge(.hold(.seconds(3))))
        #expect(machine.inputReceived(.pressed, at: Self.seconds(2)) == [.report(.pressed)])
        #expect(machine.inputReceived(.pressed, at: Self.seconds(3)) == [])
        guard case .hold(_, _, let pressedAt) = try Self.body(machine) else {
            Issue.record("It is no hold.")
            return
        }
        #expect(pressedAt == Self.seconds(2))
        var refused = machine
        refused.answerRefused(7, GateError(.unavailable, .failed, "Try again."), leavesOpen: true)
        #expect(refused.inputReceived(.released, at: Self.seconds(4)) == [])
        #expect(machine.inputReceived(.released, at: Self.seconds(5)) == [.complete(.released)])
    }

    @Test("strokes in one direction make a gesture; one in another begins a new one (S-05)")
    func strokes() throws {
        var machine = Self.showing(.challenge(.swipe(SwipeGesture(.left, fingers: 2))))
        for direction in [SwipeGesture.Direction.up, .left, .left] {
            #expect(machine.inputReceived(.stroked(direction), at: Self.seconds(2)) == [])
        }
        guard case .swipe(_, _, let strokes) = try Self.body(machine) else {
            Issue.record("It is no swipe.")
            return
        }
        #expect(strokes == "←←")
        let answer = ChallengeAnswer.swiped(SwipeGesture(.left, fingers: 2))
        #expect(machine.inputReceived(.finished, at: Self.seconds(2)) == [.complete(answer)])
    }

    @Test("a sign-in needs name and password, can be tried again, and is closed by the state alone (S-07)")
    func signIn() throws {
        var machine = Self.showing(.signIn)
        #expect(machine.inputReceived(.opened, at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(2)) == [])
        #expect(machine.drawn(7, at: Self.seconds(1)) == [])
        let password = GateSecret("horse".utf8)
        #expect(machine.inputReceived(.signedIn(name: "", password: password), at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.signedIn(name: "anna", password: GateSecret([])), at: Self.seconds(2)) == [])
        let right = ScreenInput.signedIn(name: "anna", password: password)
        #expect(machine.inputReceived(right, at: Self.seconds(2)) == [.logIn(name: "anna", password: password)])
        #expect(try !#require(machine.picture(at: Self.seconds(2))).takesAnswer)
        machine.answerRefused(7, GateError(.failedPrecondition, .wrongAnswer, "Wrong."), leavesOpen: false)
        #expect(try #require(machine.picture(at: Self.seconds(3))).takesAnswer)
        #expect(machine.inputReceived(right, at: Self.seconds(3)).count == 1)
        machine.presentationClosed(7)
        #expect(machine.picture(at: Self.seconds(3)) == nil)
    }

    @Test("a sign-in that is being dismissed takes no input, and does not say that somebody is being signed in")
    func signInDismissed() throws {
        func isChecking(_ machine: ScreenStateMachine) throws -> Bool? {
            if case .signIn(_, let isChecking, _, _) = try Self.body(machine) { isChecking } else { nil }
        }
        var signingIn = Self.showing(.signIn)
        _ = signingIn.inputReceived(.opened, at: Self.seconds(2))
        _ = signingIn.drawn(7, at: Self.seconds(1))
        var dismissed = signingIn
        _ = signingIn.inputReceived(
            .signedIn(name: "anna", password: GateSecret("horse".utf8)), at: Self.seconds(2))
        #expect(try isChecking(signingIn) == true)
        #expect(dismissed.inputReceived(.dismissed, at: Self.seconds(2)) == [.dismiss])
        #expect(try isChecking(dismissed) == false)
        #expect(try !#require(dismissed.picture(at: Self.seconds(2))).takesAnswer)
    }

    @Test("a quiz is shown in the person's language or a similar one, else in English (S-04)")
    func languages() throws {
        for (language, question) in [("de-CH", "Was ist blau?"), ("ru-RU", "What is blue?")] {
            let body = try Self.body(Self.showing(.challenge(Self.quiz), language: language))
            #expect(body.spokenQuestion == question)
        }
    }

    @Test("the wheels are in the person's order of dates, and count years as their calendar does (S-04)")
    func wheels() throws {
        guard case .birthdate(let birthdate) = try Self.body(Self.showing(.challenge(.birthdate(.minguo)))) else {
            Issue.record("It is no date.")
            return
        }
        #expect(birthdate.wheels == [.day, .month, .year])
        #expect(birthdate.years.upperBound == 115)
    }

    @Test("release notes have their buttons and colours, and an invalid colour is replaced (S-10, K-12)")
    func notes() throws {
        var machine = Self.showing(.whatsNew(Self.notice))
        guard case .notes(let notes) = try Self.body(machine) else {
            Issue.record("These are no notes.")
            return
        }
        #expect(notes.buttons == ["Continue", "Learn more"])
        #expect(notes.features.map(\.colour) == ["#3584e4", "#2ec27e"] && notes.secondaryColour == "#26a269")
        #expect(notes.link == "https://example.org/")
        #expect(machine.inputReceived(.chosen(1), at: Self.seconds(2)) == [.complete(.acknowledged(.secondary))])
    }

    @Test("titles, paywalls and release notes are shown in the person's language if it is there (L-03)")
    func administrators() throws {
        func text(_ text: String, _ german: String) -> LocalizedText {
            LocalizedText(text, [.init(language: "de", text: german)])
        }
        let paywall = Paywall(
            entitlement: "premium", title: text("Premium", "Prämie"), provider: .manual, products: [])
        guard case .paywall(let shown) = try Self.body(Self.showing(.paywall(paywall), language: "de-AT")) else {
            Issue.record("It is no paywall.")
            return
        }
        #expect(shown.title == "Prämie")
        var notice = Self.notice
        notice.entry.titles = text("What's new", "Neues")
        notice.entry.features[0].titles = text("Layers", "Ebenen")
        notice.entry.primary.titles = text("Go on", "Weiter")
        guard case .notes(let notes) = try Self.body(Self.showing(.whatsNew(notice), language: "de")) else {
            Issue.record("These are no notes.")
            return
        }
        #expect(notes.title == "Neues" && notes.features.map(\.title) == ["Ebenen", "Brush"])
        #expect(notes.buttons == ["Weiter", "Learn more"])
        let asked = PresentationContext(uid: 1, pid: 2, program: "p", gatedAction: "a", title: text("Open", "Öffnen"))
        let summary = PresentationSummary(
            id: 1, purpose: .authorize, kind: .paywall, deadline: .never, style: .sheet, isDismissible: true,
            stage: .claimed, asked: asked)
        for (language, title) in [("de-CH", "Öffnen"), ("ru", "Open")] {
            let reader = ScreenReader(languages: [language], year: 2026)
            #expect(AskedPicture(summary, AskerNames(), reader).title == title)
        }
    }

    @Test("a name can be typed at once on a screen of one's own, and needs a first press beside other programs (K-14)")
    func signInAtOnce() {
        for hasScreenOfItsOwn in [true, false] {
            let machine = Self.showing(.signIn, hasScreenOfItsOwn: hasScreenOfItsOwn)
            #expect(machine.picture(at: Self.seconds(2))?.opening.isEmpty == hasScreenOfItsOwn)
        }
    }

    @Test("a sign-in opens the page of people, and says who can add a person where no settings can be seen (K-14)")
    func personAdded() throws {
        func adding(_ machine: ScreenStateMachine) throws -> String? {
            if case .signIn(_, _, _, let adding) = try Self.body(machine) { adding } else { nil }
        }
        func pressed(_ shown: ScreenStateMachine) -> ScreenStateMachine {
            var machine = shown
            _ = machine.inputReceived(.opened, at: Self.seconds(2))
            _ = machine.drawn(7, at: Self.seconds(2))
            return machine
        }
        var machine = pressed(Self.showing(.signIn))
        #expect(try adding(machine) == "Add a person")
        #expect(machine.inputReceived(.peopleOpened, at: Self.seconds(2.9)) == [], "nobody has read it")
        #expect(machine.inputReceived(.peopleOpened, at: Self.seconds(3)) == [.openPeople])
        #expect(machine.inputReceived(.peopleOpened, at: Self.seconds(3)) == [.openPeople], "the sign-in stays")
        machine.isDesktopHidden = true
        let ownScreen = pressed(Self.showing(.signIn, hasScreenOfItsOwn: true))
        for var screen in [machine, ownScreen, pressed(Self.showing(.signIn, style: .fullScreenCover))] {
            #expect(try adding(screen) == "")
            #expect(screen.inputReceived(.peopleOpened, at: Self.seconds(4)) == [])
        }
        var question = pressed(Self.showing(.challenge(.passcode)))
        #expect(question.inputReceived(.peopleOpened, at: Self.seconds(4)) == [], "it signs nobody in")
    }

    @Test("a paywall lists its features, names its store only if it is set up, and each offer can be bought (K-11)")
    func paywallContents() throws {
        var paywall = Paywall(
            entitlement: "premium", title: "Premium", provider: .storeKit, products: [],
            features: [LocalizedText("All levels", [.init(language: "de", text: "Alle Level")])])
        func shown() throws -> ScreenModel.Paywall {
            guard case .paywall(let shown) = try Self.body(Self.showing(.paywall(paywall), language: "de")) else {
                throw OtherBody()
            }
            return shown
        }
        let empty = try shown()
        #expect(empty.features == ["Alle Level"] && empty.provider.isEmpty && empty.restoring.isEmpty)
        #expect(empty.hint.hasPrefix("This can't be bought on this device"))
        paywall.offers = [Offer(product: "monthly", url: "https://example.org/pay"), Offer(product: "forever")]
        let full = try shown()
        #expect(full.provider == "Sold through: the App Store" && !full.restoring.isEmpty)
        #expect(full.offers.map(\.advice) == ["", "Buy it in the app itself."])
    }

    private struct OtherBody: Error {}

    @Test("a paywall takes nothing but a dismissal (S-08)")
    func paywall() {
        let paywall = Paywall(entitlement: "premium", title: "", provider: .manual, products: ["monthly"])
        var machine = Self.showing(.paywall(paywall))
        #expect(machine.inputReceived(.chosen(0), at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(2)) == [.dismiss])
    }

    @Test("after \"I have paid\" the provider looks again, and the paywall stays (S-08)")
    func restored() {
        let paywall = Paywall(entitlement: "premium", title: "", provider: .manual, products: ["monthly"])
        var machine = Self.showing(.paywall(paywall))
        #expect(machine.inputReceived(.restored, at: Self.seconds(0)) == [], "nobody has read it")
        #expect(machine.inputReceived(.restored, at: Self.seconds(2)) == [.report(.restore)])
        machine.answerRefused(7, GateError(.resourceExhausted, .limit, "Wait a moment."), leavesOpen: false)
        #expect(machine.picture(at: Self.seconds(3))?.note.hasPrefix("The payment") == false)
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(3)) == [.dismiss])
        var question = Self.showing(.challenge(.confirm))
        #expect(question.inputReceived(.restored, at: Self.seconds(2)) == [])
    }

    @Test("an offer's page opens once on a screen with a browser, and the paywall returns after a refusal")
    func followed() throws {
        let offers = [Offer(product: "monthly", url: "https://example.org/pay"), Offer(product: "forever")]
        let paywall = Presentation.Content.paywall(
            Paywall(entitlement: "premium", title: "Premium", provider: .manual, products: [], offers: offers))
        var machine = Self.showing(paywall, opensPages: true)
        guard case .paywall(let shown) = try Self.body(machine) else {
            Issue.record("It is no paywall.")
            return
        }
        #expect(shown.offers.map(\.opening) == ["Open the page", ""])
        for index in [1, 2, -1] { #expect(machine.inputReceived(.followed(index), at: Self.seconds(2)) == []) }
        #expect(machine.inputReceived(.followed(0), at: Self.seconds(2)) == [.follow("https://example.org/pay")])
        #expect(machine.inputReceived(.followed(0), at: Self.seconds(2)) == [], "it is under way")
        machine.answerRefused(7, GateError(.failedPrecondition, .denied, "No."), leavesOpen: false)
        #expect(machine.picture(at: Self.seconds(3))?.note.isEmpty == false)
        #expect(machine.picture(at: Self.seconds(3))?.note != "One moment.")
        #expect(machine.inputReceived(.followed(0), at: Self.seconds(3)) == [.follow("https://example.org/pay")])
        var screen = Self.showing(paywall)
        #expect(screen.inputReceived(.followed(0), at: Self.seconds(2)) == [], "there is no browser")
    }

    @Test("offers have title, price, period and the page to pay on, in words and as a code for a phone (S-08)")
    func offers() throws {
        let offer = Offer(
            product: "monthly",
            titles: [Offer.Title(language: "en", text: "Every month"), Offer.Title(language: "de", text: "Monatlich")],
            period: Offer.Period(1, .month), price: "3,99 €", url: "https://example.org/pay")
        let long = Offer(product: "yearly", url: "https://example.org/" + String(repeating: "x", count: 300))
        let paywall = Paywall(
            entitlement: "premium", title: "Premium", provider: .manual, products: ["monthly"], offers: [offer, long])
        guard case .paywall(let shown) = try Self.body(Self.showing(.paywall(paywall), language: "de")) else {
            Issue.record("It is no paywall.")
            return
        }
        #expect(shown.offers.map(\.title) == ["Monatlich", "yearly"])
        #expect(shown.offers[0].price == "3,99 € for 1 month")
        #expect(shown.offers[0].page == "https://example.org/pay")
        #expect(shown.offers.map { $0.code != nil } == [true, false])
    }
}
