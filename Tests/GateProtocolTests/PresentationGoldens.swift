import GateModel
import GateProtocol

extension ProtocTests {
    static let summary = PresentationSummary(
        id: 7, purpose: .authorize, kind: .challenge(.quiz), deadline: BootTime(nanoseconds: 99), style: .sheet,
        isDismissible: true, stage: .offered,
        asked: PresentationContext(
            uid: 1000, pid: 4242, program: "firefox", gatedAction: "link.open", title: "Open a web page",
            details: "https://a.example/", duration: .seconds(300), broker: Broker(uid: 997, program: "powerd"),
            device: "Tablet"))
    static let summaryText = """
        id: 7 purpose: PURPOSE_AUTHORIZE kind: PRESENTATION_KIND_QUIZ deadline_boottime_nanoseconds: 99 style: STYLE_SHEET
        is_dismissible: true stage: STAGE_OFFERED
        asked {
          uid: 1000 pid: 4242 program: "firefox" gated_action: "link.open" title: "Open a web page"
          details: "https://a.example/" duration_milliseconds: 300000 broker {uid: 997 program: "powerd"}
          device: "Tablet"
        }
        """

    static func presentation(_ challenge: Challenge) -> Presentation {
        Presentation(summary, cookie: PresentationCookie(bytes: [0, 1, 0xFF]), challenge: challenge)
    }
    static let presentationText = "summary {\(summaryText)} cookie: \"\\000\\001\\377\""

    /// A summary with every optional part left out.
    private static func summary(
        _ purpose: Presentation.Purpose, _ style: Presentation.Style, _ stage: Presentation.Stage
    ) -> PresentationSummary {
        PresentationSummary(
            id: 0, purpose: purpose, kind: .challenge(.confirm), deadline: .never, style: style,
            isDismissible: false, stage: stage, asked: PresentationContext(uid: 0, pid: 0, program: ""))
    }
    private static let summaries = [
        summary(.enterParentMode, .sheet, .waiting), summary(.extendParentMode, .fullScreenCover, .claimed),
        summary(.authorize, .sheet, .shown), summary(.signIn, .fullScreenCover, .offered),
        summary(.pay, .sheet, .waiting), summary(.fillForm, .sheet, .shown), summary(.whatsNew, .sheet, .claimed),
    ]
    private static let summariesText = """
        presentations {purpose: PURPOSE_ENTER_PARENT_MODE kind: PRESENTATION_KIND_CONFIRM style: STYLE_SHEET
                       stage: STAGE_WAITING asked {}}
        presentations {purpose: PURPOSE_EXTEND_PARENT_MODE kind: PRESENTATION_KIND_CONFIRM style: STYLE_FULL_SCREEN_COVER
                       stage: STAGE_CLAIMED asked {}}
        presentations {purpose: PURPOSE_AUTHORIZE kind: PRESENTATION_KIND_CONFIRM style: STYLE_SHEET stage: STAGE_SHOWN
                       asked {}}
        presentations {purpose: PURPOSE_SIGN_IN kind: PRESENTATION_KIND_CONFIRM style: STYLE_FULL_SCREEN_COVER
                       stage: STAGE_OFFERED asked {}}
        presentations {purpose: PURPOSE_PAY kind: PRESENTATION_KIND_CONFIRM style: STYLE_SHEET stage: STAGE_WAITING
                       asked {}}
        presentations {purpose: PURPOSE_FILL_FORM kind: PRESENTATION_KIND_CONFIRM style: STYLE_SHEET stage: STAGE_SHOWN
                       asked {}}
        presentations {purpose: PURPOSE_WHATS_NEW kind: PRESENTATION_KIND_CONFIRM style: STYLE_SHEET
                       stage: STAGE_CLAIMED asked {}}
        """

    private static var ownScreen: PresenterAbilities {
        var abilities = PresenterAbilities(kinds: [], styles: [])
        abilities.hasScreenOfItsOwn = true
        return abilities
    }

    static let presentations: [Golden] = [
        Golden(
            RegisterPresenterRequest(
                abilities: PresenterAbilities(
                    kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))),
            """
            kinds: PRESENTATION_KIND_ARITHMETIC_CHOICE kinds: PRESENTATION_KIND_ARITHMETIC_ENTRY kinds: PRESENTATION_KIND_SHAPES
            kinds: PRESENTATION_KIND_QUIZ kinds: PRESENTATION_KIND_CONFIRM kinds: PRESENTATION_KIND_BIRTHDATE
            kinds: PRESENTATION_KIND_PASSCODE kinds: PRESENTATION_KIND_TOTP kinds: PRESENTATION_KIND_HOLD
            kinds: PRESENTATION_KIND_SWIPE kinds: PRESENTATION_KIND_SIGN_IN kinds: PRESENTATION_KIND_PAYWALL
            kinds: PRESENTATION_KIND_FORM kinds: PRESENTATION_KIND_WHATS_NEW
            styles: STYLE_SHEET styles: STYLE_FULL_SCREEN_COVER
            """),
        Golden(RegisterPresenterResponse(presentation: nil), ""),
        Golden(RegisterPresenterResponse(presentation: nil, isCovered: true), "is_covered: true"),
        Golden(RegisterPresenterResponse(presentation: summary), "presentation {\(summaryText)}"),
        Golden(RegisterPresenterRequest(abilities: ownScreen), "has_screen_of_its_own: true"),
        Golden(
            RegisterPresenterResponse(
                presentation: nil, elsewhere: PresentationElsewhere(summary, on: .screenOfItsOwn)),
            "elsewhere {presentation {\(summaryText)} place: PLACE_SCREEN_OF_ITS_OWN}"),
        Golden(
            RegisterPresenterResponse(presentation: nil, elsewhere: PresentationElsewhere(summary, on: .grownUp)),
            "elsewhere {presentation {\(summaryText)} place: PLACE_GROWN_UP}"),
        Golden(ClaimRequest(id: 7), "id: 7"),
        Golden(
            ReportRequest(cookie: PresentationCookie(bytes: [9]), input: .shown), "cookie: \"\\011\" input: INPUT_SHOWN"
        ),
        Golden(ReportRequest(cookie: PresentationCookie(bytes: []), input: .pressed), "input: INPUT_PRESSED"),
        Golden(ReportResponse(), ""),
        Golden(
            CompleteRequest(cookie: PresentationCookie(bytes: [9]), answer: .text("90")),
            "cookie: \"\\011\" text: \"90\""),
        Golden(CompleteRequest(cookie: PresentationCookie(bytes: []), answer: .text("")), "text: \"\""),
        Golden(
            CompleteRequest(cookie: PresentationCookie(bytes: []), answer: .secret(GateSecret([0x31, 0]))),
            "secret: \"1\\000\""),
        Golden(CompleteRequest(cookie: PresentationCookie(bytes: []), answer: .secret(GateSecret([]))), "secret: \"\""),
        Golden(CompleteRequest(cookie: PresentationCookie(bytes: []), answer: .released), "released {}"),
        swiped(.up, "DIRECTION_UP"), swiped(.down, "DIRECTION_DOWN"), swiped(.left, "DIRECTION_LEFT"),
        swiped(.right, "DIRECTION_RIGHT"),
        Golden(
            CompleteRequest(cookie: PresentationCookie(bytes: []), answer: .acknowledged(.primary)),
            "acknowledged {action: ACTION_PRIMARY}"),
        Golden(
            CompleteRequest(cookie: PresentationCookie(bytes: []), answer: .acknowledged(.secondary)),
            "acknowledged {action: ACTION_SECONDARY}"),
        Golden(CompleteResponse(revision: revision, state: state), "\(reply) done {}"),
        Golden(
            CompleteResponse(revision: revision, state: state, result: .next(presentation(.confirm))),
            "\(reply) next {\(presentationText) confirm {}}"),
        Golden(
            CompleteResponse(revision: revision, state: state, result: .grant(grant)), "\(reply) grant {\(grantText)}"),
        Golden(DismissRequest(cookie: PresentationCookie(bytes: [9])), "cookie: \"\\011\""),
        Golden(DismissResponse(revision: revision, state: state), reply),
        Golden(AwaitClosingRequest(cookie: PresentationCookie(bytes: [9])), "cookie: \"\\011\""),
        Golden(AwaitClosingResponse(revision: revision, state: state), "\(reply) done {}"),
        Golden(
            AwaitClosingResponse(revision: revision, state: state, result: .next(presentation(.confirm))),
            "\(reply) next {\(presentationText) confirm {}}"),
        Golden(
            AwaitClosingResponse(revision: revision, state: state, result: .grant(grant)),
            "\(reply) grant {\(grantText)}"),
        Golden(WithdrawRequest(id: 7), "id: 7"),
        Golden(WithdrawResponse(revision: revision), "revision {epoch: 11 number: 22}"),
        Golden(ListPresentationsRequest(), ""),
        Golden(ListPresentationsResponse(presentations: summaries), summariesText),
    ]

    private static func swiped(_ direction: SwipeGesture.Direction, _ name: String) -> Golden {
        Golden(
            CompleteRequest(
                cookie: PresentationCookie(bytes: []), answer: .swiped(SwipeGesture(direction, fingers: 3))),
            "swipe {direction: \(name) fingers: 3}")
    }

    /// Each kind of content, with each value of its enums.
    static let contents: [Golden] = [
        claimed(
            .arithmeticChoice(ArithmeticProblem(left: 3, operator: .times, right: 5), choices: [15, 8, 300]),
            "arithmetic_choice {left: 3 operation: OPERATOR_TIMES right: 5 choices: 15 choices: 8 choices: 300}"),
        claimed(
            .arithmeticEntry(ArithmeticProblem(left: 35, operator: .plus, right: 55)),
            "arithmetic_entry {left: 35 operation: OPERATOR_PLUS right: 55}"),
        claimed(
            .arithmeticEntry(ArithmeticProblem(left: 8, operator: .dividedBy, right: 2)),
            "arithmetic_entry {left: 8 operation: OPERATOR_DIVIDED_BY right: 2}"),
        claimed(
            .shapes(
                ShapesProblem(
                    left: [
                        ShapesProblem.Shape(.circle, .red), ShapesProblem.Shape(.triangle, .yellow),
                        ShapesProblem.Shape(.square, .green),
                    ], operator: .minus,
                    right: [ShapesProblem.Shape(.pentagon, .blue), ShapesProblem.Shape(.hexagon, .red)]),
                choices: [1, 2, 3]),
            """
            shapes {
              left {form: FORM_CIRCLE colour: COLOUR_RED} left {form: FORM_TRIANGLE colour: COLOUR_YELLOW}
              left {form: FORM_SQUARE colour: COLOUR_GREEN} operation: OPERATOR_MINUS
              right {form: FORM_PENTAGON colour: COLOUR_BLUE} right {form: FORM_HEXAGON colour: COLOUR_RED}
              choices: 1 choices: 2 choices: 3
            }
            """),
        claimed(
            .quiz([
                QuizText(language: "en", question: "Q?", choices: ["a", "b"]),
                QuizText(language: "zh", question: "问?", choices: ["甲", "乙"]),
            ]),
            """
            quiz {
              texts {language: "en" question: "Q?" choices: "a" choices: "b"}
              texts {language: "zh" question: "问?" choices: "甲" choices: "乙"}
            }
            """),
        claimed(.confirm, "confirm {}"),
        claimed(.birthdate(.gregorian), "birthdate {calendar: CALENDAR_GREGORIAN}"),
        claimed(.birthdate(.buddhist), "birthdate {calendar: CALENDAR_BUDDHIST}"),
        claimed(.birthdate(.minguo), "birthdate {calendar: CALENDAR_MINGUO}"),
        claimed(.passcode, "passcode {}"),
        claimed(.totp, "totp {}"),
        claimed(.hold(.seconds(3)), "hold {duration_milliseconds: 3000}"),
        claimed(.swipe(SwipeGesture(.left, fingers: 2)), "swipe {direction: DIRECTION_LEFT fingers: 2}"),
        claimed(content: .signIn, "sign_in {}"),
        claimed(content: .paywall(paywall), paywallText),
        claimed(
            content: .paywall(Paywall(entitlement: "", title: "", provider: .storeKit, products: [])),
            "paywall {provider: PROVIDER_STORE_KIT}"),
        claimed(
            content: .form(
                FormInvitation(name: "consent", title: "Consent", holder: .account("anna"), isForGrownUps: true)),
            "form {name: \"consent\" title: \"Consent\" holder {account: \"anna\"} is_for_grown_ups: true}"),
        claimed(
            content: .form(FormInvitation(name: "", title: "", holder: .user(0), isForGrownUps: false)),
            "form {holder {uid: 0}}"),
        claimed(content: .whatsNew(notice), "whats_new {\(noticeText)}"),
    ]

    private static func claimed(_ challenge: Challenge, _ content: String) -> Golden {
        claimed(content: .challenge(challenge), content)
    }

    private static func claimed(content: Presentation.Content, _ text: String) -> Golden {
        Golden(
            ClaimResponse(
                presentation: Presentation(summary, cookie: PresentationCookie(bytes: [0, 1, 0xFF]), content: content)),
            "presentation {\(presentationText) \(text)}")
    }
}
