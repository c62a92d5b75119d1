import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("The choice of how to begin a form on the screen (F-74, F-84)")
struct FormStartTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)
    private static let noon = WallTime(unixMilliseconds: 1_767_268_800_000)
    private static let holder = FormHolder.account("anna")

    private static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    private static func draft(_ id: UInt64, _ label: String, daysAgo: Int64 = 0, of holder: FormHolder = holder)
        -> FormSummary
    {
        FormSummary(
            name: "car", holder: holder, revision: 10 + id, draftID: id, label: label,
            openedAt: WallTime(unixMilliseconds: noon.unixMilliseconds - daysAgo * 86_400_000))
    }

    private static func response(_ id: UInt64, _ label: String, _ status: QuestionnaireResponse.Status = .completed)
        -> ResponseSummary
    {
        ResponseSummary(
            id: id, name: "car", version: nil, holder: holder, status: status,
            savedAt: WallTime(unixMilliseconds: noon.unixMilliseconds - 86_400_000), label: label)
    }

    private static func beginnings(_ drafts: [FormSummary], _ responses: [ResponseSummary] = []) -> FormBeginnings {
        FormBeginnings(drafts: drafts, responses: responses, with: "car", of: holder)
    }

    /// A machine that shows the form, a second after it was drawn.
    private static func machine() -> ScreenStateMachine {
        let invitation = FormInvitation(name: "car", title: "A car", holder: holder, isForGrownUps: false)
        let asked = PresentationContext(
            uid: 1000, pid: 4242, program: "shop", gatedAction: "car", title: "Insure a car", details: "")
        let summary = PresentationSummary(
            id: 7, purpose: .fillForm, kind: .form, deadline: seconds(600), style: .sheet, isDismissible: true,
            stage: .claimed, asked: asked)
        let cookie = PresentationCookie(bytes: Array(repeating: 0, count: PresentationCookie.byteCount))
        var machine = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        machine.presentationCame(
            Presentation(summary, cookie: cookie, content: .form(invitation)), names: AskerNames(user: "anna"),
            sharesClock: true)
        _ = machine.drawn(7, at: start)
        return machine
    }

    private static func form(_ machine: ScreenStateMachine, at seconds: Double) -> FormPicture? {
        guard case .form(let form) = machine.picture(at: Self.seconds(seconds))?.body else { return nil }
        return form
    }

    private static func ways(_ machine: ScreenStateMachine, at seconds: Double = 5) -> [String] {
        (form(machine, at: seconds)?.rows ?? []).compactMap { row in
            switch row.content {
            case .beginning(_, let words): words
            case .text, .heading, .field, .line, .table, .section, .parts: nil
            }
        }
    }

    @Test(
        "a new draft is offered first, then drafts and responses with the newest first, only the holder's"
    )
    func order() {
        let beginnings = Self.beginnings(
            [Self.draft(0, "Anna, Golf"), Self.draft(2, ""), Self.draft(3, "Ben", of: .account("ben"))],
            [Self.response(1, "Carla"), Self.response(2, "", .inProgress), Self.response(3, "Dora", .enteredInError)])
        #expect(
            beginnings.all == [
                .new, .draft(Self.draft(2, "")), .draft(Self.draft(0, "Anna, Golf")),
                .response(Self.response(2, "", .inProgress)), .response(Self.response(1, "Carla")),
            ])
        #expect(beginnings.usual == 1 && beginnings.isChoice && beginnings.isChoiceOnScreen)
        let many = Self.beginnings([], (1...40).map { Self.response($0, "x") })
        #expect(many.all.count == 1 + FormBeginnings.maximumResponseCount && many.usual == 0)
    }

    @Test("a screen resumes a single draft without a label, and asks if there are drafts to choose from or responses")
    func asks() {
        #expect(!Self.beginnings([]).isChoice && !Self.beginnings([]).isChoiceOnScreen)
        #expect(Self.beginnings([Self.draft(0, "")]).isChoice && !Self.beginnings([Self.draft(0, "")]).isChoiceOnScreen)
        #expect(Self.beginnings([Self.draft(0, "Anna")]).isChoiceOnScreen, "there may be more customers")
        #expect(Self.beginnings([Self.draft(4, "")]).isChoiceOnScreen)
        #expect(Self.beginnings([Self.draft(0, ""), Self.draft(4, "")]).isChoiceOnScreen)
        #expect(Self.beginnings([Self.draft(0, "")], [Self.response(1, "")]).isChoiceOnScreen)
        #expect(Self.beginnings([], [Self.response(1, "")]).isChoiceOnScreen)
    }

    @Test("the page has a large button for each beginning, which works once, a second after it was drawn")
    func page() throws {
        var machine = Self.machine()
        let beginnings = Self.beginnings(
            [Self.draft(0, "Anna, Golf", daysAgo: 1), Self.draft(1, ""), Self.draft(2, "B\u{202E}en", daysAgo: 9)],
            [Self.response(4, "Carla"), Self.response(5, "")])
        machine.formMayBegin(7, beginnings, wall: LocalTime(Self.noon))
        #expect(
            Self.ways(machine) == [
                "Start a new one", "Continue with B\u{FFFD}en (2025-12-23)", "Continue with draft 1 (today)",
                "Continue with Anna, Golf (yesterday)", "Start from response 5 (yesterday)",
                "Start from Carla (yesterday)",
            ])
        let page = try #require(Self.form(machine, at: 5))
        #expect(page.title == "A car" && page.heading == "How do you want to begin?" && page.next.isEmpty)
        #expect(machine.inputReceived(.form(.began(3)), at: Self.seconds(5)) == [], "it was not drawn yet")
        #expect(machine.isWaitingToBeDrawn && machine.drawn(7, at: Self.seconds(6)) == [])
        #expect(machine.inputReceived(.form(.began(3)), at: Self.seconds(6.5)) == [], "it is read first")
        #expect(machine.inputReceived(.form(.began(6)), at: Self.seconds(8)) == [])
        #expect(
            machine.inputReceived(.form(.began(3)), at: Self.seconds(8))
                == [.form(.begin(.draft(Self.draft(0, "Anna, Golf", daysAgo: 1))))])
        #expect(machine.inputReceived(.form(.began(0)), at: Self.seconds(8)) == [] && Self.ways(machine).isEmpty)
        // After that the form itself is shown, and input for the page is ignored.
        let questionnaire = Questionnaire(name: "car", title: "A car", items: [.question("holder")])
        machine.formOpened(
            7, questionnaire,
            FormStanding(revision: 3, response: QuestionnaireResponse(status: .inProgress), issues: []),
            at: Self.seconds(9))
        machine.formMayBegin(7, beginnings, wall: LocalTime(Self.noon))
        #expect(Self.ways(machine).isEmpty && Self.form(machine, at: 9)?.steps.isEmpty == false)
        #expect(machine.inputReceived(.form(.began(0)), at: Self.seconds(12)) == [])
    }

    @Test("the page is shown again with the reason if a draft could not be opened")
    func failed() {
        var machine = Self.machine()
        machine.formMayBegin(7, Self.beginnings([], [Self.response(4, "Carla")]), wall: LocalTime(Self.noon))
        _ = machine.drawn(7, at: Self.seconds(1))
        #expect(machine.inputReceived(.form(.began(1)), at: Self.seconds(3)).count == 1)
        machine.formFailed(7, GateError(.notFound, .unknown, "gone", parameters: ["what": "response", "name": "4"]))
        machine.formMayBegin(7, Self.beginnings([Self.draft(4, "")]), wall: LocalTime(Self.noon))
        #expect(Self.ways(machine) == ["Start a new one", "Continue with draft 4 (today)"])
        #expect(machine.picture(at: Self.seconds(5))?.note == "gone")
        machine.formMayBegin(8, Self.beginnings([], [Self.response(4, "Carla")]), wall: LocalTime(Self.noon))
        #expect(Self.ways(machine).count == 2, "news of another presentation")
    }
}
