import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("The assistant that sets a device up (U-05)")
struct AssistantTests {
    private static let german = WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ",")

    private static let role = SetupMessage.Question(
        .choice, label: "mia", text: "Who is who?", standing: "2",
        choices: [.init("1", title: "A grown-up"), .init("2", title: "A child")])
    private static let born = SetupMessage.Question(.date, label: "Date of birth", canGoBack: true)
    private static let check = SetupMessage.Check(
        "A child who wants parent mode is asked for the passcode.",
        [
            .init(
                "mia (a child)",
                [.init("parent mode", "FAIL: nobody can answer"), .init("Share", "asks on this screen")],
                mends: ["Turn on Gate's own screen."])
        ], advice: ["Limit the time."])

    private static func begun() -> AssistantStateMachine {
        var machine = AssistantStateMachine(canBegin: true)
        machine.began()
        return machine
    }

    /// A line for gatectl as text.
    private static func text(_ line: GateSecret?) -> String? {
        line.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
    }

    private static func message(_ line: String) -> SetupMessage? { SetupMessage(line: Array(line.utf8)) }

    @Test("each line of gatectl is read, and a line that is none of these is no message")
    func messages() {
        #expect(
            Self.message(
                #"{"ask":{"kind":"choice","label":"mia","text":"Who is who?","problem":"","canGoBack":false,"#
                    + #""choices":[{"value":"1","title":"A grown-up"},{"value":"2","title":"A child"}],"standing":"2"}}"#
            )
                == .ask(Self.role))
        #expect(
            Self.message(#"{"ask":{"kind":"date","label":"Date of birth","text":"","problem":"","canGoBack":true}}"#)
                == .ask(Self.born))
        #expect(Self.message(#"{"plan":["a","b"]}"#) == .plan(["a", "b"]))
        #expect(Self.message(#"{"plan":[]}"#) == .plan([]))
        #expect(Self.message(#"{"step":{"text":"a","problem":"b"}}"#) == .step(.init("a", problem: "b")))
        #expect(
            Self.message(
                #"{"checked":{"trial":"A child who wants parent mode is asked for the passcode.","people":[{"who":"mia (a child)","#
                    + #""gates":[{"title":"parent mode","end":"FAIL: nobody can answer"},"#
                    + #"{"title":"Share","end":"asks on this screen"}],"mends":["Turn on Gate's own screen."]}],"#
                    + #""advice":["Limit the time."]}}"#) == .checked(Self.check))
        #expect(Self.message(#"{"refused":"No."}"#) == .refused("No."))
        for line in ["", "{}", "[]", "gatectl: no", #"{"ask":{"kind":"picture"}}"#, #"{"ask":{"kind":"choice"}}"#] {
            #expect(Self.message(line) == nil, "\(line)")
        }
    }

    @Test("the pages follow gatectl: questions with what stands there, the plan, each step, and the table at the end")
    func pages() throws {
        var machine = AssistantStateMachine(canBegin: true)
        #expect(machine.page.next == "Begin" && machine.page.leaving == .later)
        machine.began()
        #expect(machine.page.next == nil && machine.page.leaving == .cancel)
        machine.came(.ask(Self.role))
        #expect(machine.page.text == "Who is who?" && machine.page.initial == [.role: "2"])
        #expect(machine.page.leaving == .cancel)
        #expect(Self.text(try machine.answered(.init(texts: [.role: "1"]))) == "=1\n")
        #expect(machine.page.next == nil, "an answer is sent once")
        machine.came(.ask(Self.born))
        #expect(machine.page.leaving == .back)
        #expect(Self.text(machine.wentBack()) == "<\n")
        machine.came(.ask(Self.role))
        #expect(machine.wentBack() == nil, "there is no question before the first")
        _ = try machine.answered(.init(texts: [.role: "2"]))
        machine.came(.plan(["mia is a child"]))
        #expect(machine.page.rows.map(\.title) == ["mia is a child"] && machine.page.next == "Do this now")
        #expect(Self.text(try machine.answered(.init())) == "=\n")
        machine.came(.step(.init("mia is a child")))
        machine.came(.step(.init("links ask", problem: "No browser.")))
        #expect(machine.page.rows.map(\.text) == ["Done", "FAIL: No browser."])
        machine.came(.checked(Self.check))
        machine.ended(0)
        #expect(machine.page.text == Self.check.trial && machine.page.next == nil && machine.page.leaving == .close)
        #expect(
            machine.page.rows.dropFirst(2).map { "\($0.title): \($0.text)" } == [
                "mia (a child): Turn on Gate's own screen.", "parent mode: FAIL: nobody can answer",
                "Share: asks on this screen", "Limit the time.: ",
            ])
        #expect(Set(machine.page.rows.map(\.id)).count == machine.page.rows.count)
    }

    @Test("a date is written as the person writes dates, and a passcode is typed twice the same")
    func answers() throws {
        func answer(_ question: SetupMessage.Question, _ filled: SettingsDialog.Filled) throws -> String? {
            var machine = Self.begun()
            machine.came(.ask(question))
            return Self.text(try machine.answered(filled, habits: Self.german))
        }
        #expect(try answer(Self.born, .init(texts: [.birth: "2.3.2015"])) == "=2015-03-02\n")
        #expect(try answer(Self.born, .init()) == "=\n")
        #expect(throws: SettingsDialog.Mistake.self) { try answer(Self.born, .init(texts: [.birth: "soon"])) }
        let secret = SetupMessage.Question(.secret, label: "Passcode")
        func typed(_ again: String) -> SettingsDialog.Filled {
            .init(secrets: [.newPassword: GateSecret("8391".utf8), .again: GateSecret(again.utf8)])
        }
        #expect(try answer(secret, typed("8391")) == "=8391\n")
        #expect(throws: SettingsDialog.Mistake.self) { try answer(secret, typed("8392")) }
        let word = SetupMessage.Question(.word, label: "Word")
        #expect(try answer(word, .init(texts: [.name: "blue\nwhale"])) == "=bluewhale\n")
    }

    @Test("without an administrator, and when gatectl ends early, the window says what was done and what to do")
    func ends() throws {
        #expect(AssistantStateMachine(canBegin: false).page.text.contains("sudo gatectl setup"))
        #expect(AssistantStateMachine(canBegin: false).page.next == nil)
        for (status, words) in [
            (126, "sudo gatectl setup"), (127, "sudo gatectl setup"), (3, "Set up"), (nil, "Set up"),
        ]
            as [(Int32?, String)]
        {
            var machine = Self.begun()
            machine.ended(status)
            #expect(machine.page.text.hasPrefix("Nothing was changed") && machine.page.text.contains(words))
            #expect(machine.page.leaving == .close)
        }
        var refused = Self.begun()
        refused.came(.refused("The daemon is away."))
        refused.ended(69)
        #expect(refused.page.text == "The daemon is away.")
        var broken = Self.begun()
        broken.came(.plan([]))
        #expect(broken.page.text == "Nothing needs to be changed.")
        _ = try broken.answered(.init())
        broken.ended(nil)
        #expect(broken.page.text.hasPrefix("Setting up was not finished"))
    }

    @Test("the assistant opens by itself only where parent mode asks for a secret and none is set up")
    func firstStart() {
        func isSetUp(_ kind: Challenge.Kind, _ secrets: [SecretKind]?) -> Bool? {
            var machine = SettingsStateMachine()
            _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
            let summary = PolicySummary(
                files: [], modeChallenges: [ChallengeForAge(fromAge: 0, challenge: kind, isForGrownUps: false)],
                lease: .seconds(900), maximumLease: .seconds(3600), answerTime: .seconds(60),
                lockout: PolicySummary.LockoutRule(
                    after: 5, duration: .seconds(30), factor: 2, maximum: .seconds(3600)),
                signIn: PolicySummary.SignInRule(
                    isRequired: false, session: .seconds(60), maximumSession: .seconds(60)), roles: [], browser: nil)
            machine.came(
                \.policy, .success(PolicyFacts(summary, odds: .unreadable)), generation: machine.generation)
            if let secrets { machine.came(\.secrets, .success(secrets), generation: machine.generation) }
            return machine.isSetUp
        }
        #expect(isSetUp(.passcode, []) == false)
        #expect(isSetUp(.totp, []) == false)
        #expect(isSetUp(.passcode, [.passcode]) == true)
        #expect(isSetUp(.passcode, nil) == nil, "the secrets are not known yet")
        #expect(isSetUp(.arithmeticChoice, []) == true)
        #expect(SettingsStateMachine().isSetUp == nil)
    }
}
