import GateModel
import GateTexts
import Glibc

/// Asks the questions of `gatectl setup` in the assistant of gate-settings. The assistant runs
/// `gatectl setup --for-window` as root, shows the questions that it writes, and hands it a person's answers. So the
/// questions, and what follows from the answers, are written only once, in gatectl.
///
/// | a line from here       | the line that answers it                     |
/// |------------------------|----------------------------------------------|
/// | `{"ask": {…}}`         | `=` and the answer; `<`: the question before |
/// | `{"plan": ["…", …]}`   | `=`: do it; `<`: the question before         |
/// | `{"step": {…}}`        | –                                            |
/// | `{"checked": {…}}`     | –                                            |
/// | `{"refused": "…"}`     | – (the sentence says why it gives up)        |
///
/// If the window goes away before the person agrees to the plan, nothing is done. Afterwards all of it is done.
struct SetupWindow {
    private let prompt: LinePrompt
    private(set) var conversation: SetupConversation
    /// The passcode that was typed last.
    private(set) var passcode: GateSecret?
    /// The conversation as it was before each answer, so that the person can go back.
    private var earlier: [SetupConversation] = []
    /// The last answer to each question, which is shown again when the person goes back. The passcode is not kept here.
    private var lastAnswers: [SetupConversation.Question: String] = [:]

    init(_ situation: SetupSituation, today: CivilDate) throws(GateError) {
        prompt = try LinePrompt(readsStandardInput: true, orElse: "")
        var situation = situation
        // The window sets an authenticator up on a page of its own, so set-up does not ask about it.
        situation.asksForCode = false
        conversation = SetupConversation(situation, today: today)
        // If the window is closed, the rest of the plan is still carried out.
        signal(SIGPIPE, SIG_IGN)
    }

    // MARK: - Questions

    /// Asks until the person agrees to what follows from the answers.
    mutating func plan() async throws(GateError) -> SetupPlan {
        while true {
            try await ask()
            let plan = SetupPlan(
                conversation.answers, on: conversation.situation, setsPasscode: conversation.setsPasscode)
            Self.send("plan", JSONText.list(plan.steps.map { JSONString.quoted($0.text) }))
            if try await answer() != nil { return plan }
            goBack()
        }
    }

    private mutating func ask() async throws(GateError) {
        var problem: String?
        while let question = conversation.question {
            Self.send("ask", asked(question, problem ?? ""))
            do throws(GateError) {
                guard let typed = try await answer() else {
                    problem = nil
                    goBack()
                    continue
                }
                problem = take(typed, for: question)
            } catch let error where error.code == .invalidArgument {
                problem = question == .passcode ? PasswordSource.passcodeLengths : RefusalText.sentence(error)
            }
        }
    }

    /// - Returns: what is wrong with the answer; `nil`: it was taken.
    private mutating func take(_ typed: GateSecret, for question: SetupConversation.Question) -> String? {
        let before = conversation
        if question == .passcode {
            guard PasswordSource.newLengths.contains(typed.byteCount) else { return PasswordSource.passcodeLengths }
            passcode = typed
            conversation.passcodeTyped()
        } else {
            let text = typed.withBytes { String(decoding: $0, as: UTF8.self) }
            if let mistake = conversation.answered(text) { return mistake }
            lastAnswers[question] = text
        }
        earlier.append(before)
        return nil
    }

    private mutating func goBack() {
        if let before = earlier.popLast() { conversation = before }
    }

    /// The person's answer; `nil` if they go back to the question before.
    /// - Throws: `INVALID_ARGUMENT` if it is longer than any answer.
    private func answer() async throws(GateError) -> GateSecret? {
        try await prompt.secret("").withBytes { bytes in
            bytes.first == UInt8(ascii: "=") ? GateSecret(UnsafeRawBufferPointer(rebasing: bytes.dropFirst())) : nil
        }
    }

    private func asked(_ question: SetupConversation.Question, _ problem: String) -> String {
        let choices = choices(for: question).map {
            JSONText.object([("value", JSONString.quoted($0.value)), ("title", JSONString.quoted($0.title))])
        }
        let standing =
            lastAnswers[question] ?? conversation.standing ?? conversation.agrees.map { $0 ? "y" : "n" }
        return JSONText.object([
            ("kind", JSONString.quoted(kind(of: question))), ("label", JSONString.quoted(label(of: question))),
            ("text", JSONString.quoted(text(of: question))), ("problem", JSONString.quoted(problem)),
            ("canGoBack", "\(!earlier.isEmpty)"), ("choices", choices.isEmpty ? nil : JSONText.list(choices)),
            ("standing", standing.map(JSONString.quoted)),
        ])
    }

    /// How the question is answered in a window.
    private func kind(of question: SetupConversation.Question) -> String {
        switch question {
        case .role, .anotherPasscode, .authenticator, .links, .software, .time, .screen: "choice"
        case .born: "date"
        case .passcode: "secret"
        case .screenWord: "word"
        }
    }

    private func label(of question: SetupConversation.Question) -> String {
        switch question {
        case .role(let user): user.text
        case .born: localized("Date of birth")
        case .passcode: localized("New passcode, six digits or more")
        case .screenWord: localized("Word")
        case .anotherPasscode, .authenticator, .links, .software, .time, .screen: conversation.decision ?? ""
        }
    }

    private func text(of question: SetupConversation.Question) -> String {
        switch question {
        case .role: localized("Who is who on this device?")
        case .born(let user):
            localized(
                "When was {user} born? The age decides about the questions. Without it, the hardest are asked.",
                ["user": user.text])
        case .passcode, .anotherPasscode, .authenticator, .links, .software, .time, .screen, .screenWord:
            conversation.explanation ?? ""
        }
    }

    private func choices(for question: SetupConversation.Question) -> [(value: String, title: String)] {
        switch question {
        case .role:
            [
                ("1", RoleWords.grownUp), ("2", RoleWords.child), ("3", RoleWords.shared),
                ("4", localized("Nobody in the family")),
            ]
        case .anotherPasscode, .authenticator, .links, .software, .time, .screen:
            [("y", localized("Yes")), ("n", localized("No"))]
        case .born, .passcode, .screenWord: []
        }
    }

    // MARK: - Results

    /// A step of the plan was done, or failed.
    func done(_ finding: Finding) {
        let problem: String =
            switch finding.verdict {
            case .failed(let reason): reason
            case .ok, .unknown: ""
            }
        Self.send(
            "step",
            JSONText.object([("text", JSONString.quoted(finding.found)), ("problem", JSONString.quoted(problem))]))
    }

    /// Tells the window the results at the end.
    /// - Parameters:
    ///   - trial: the result of asking for parent mode as a child.
    ///   - table: `nil` if there is none.
    func checked(_ trial: String, _ table: AskingTable?) {
        let people = (table?.words ?? []).map { words in
            let gates = words.gates.map {
                JSONText.object([("title", JSONString.quoted($0.title)), ("end", JSONString.quoted($0.end))])
            }
            return JSONText.object([
                ("who", JSONString.quoted(words.who)), ("gates", JSONText.list(gates)),
                ("mends", JSONText.list(words.mends.map(JSONString.quoted))),
            ])
        }
        let advice = SetupAdvice.missingPackages(conversation.situation) + [SetupAdvice.timeAtTheComputer]
        Self.send(
            "checked",
            JSONText.object([
                ("trial", JSONString.quoted(trial)), ("people", JSONText.list(people)),
                ("advice", JSONText.list(advice.map(JSONString.quoted))),
            ]))
    }

    /// Tells the window why nothing more is set up.
    static func refused(_ error: GateError) { send("refused", JSONString.quoted(RefusalText.sentence(error))) }

    /// Writes a line. `Output` would end the program if the window is gone.
    private static func send(_ key: String, _ json: String) {
        var rest = Array("\(JSONText.object([(key, json)]))\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
