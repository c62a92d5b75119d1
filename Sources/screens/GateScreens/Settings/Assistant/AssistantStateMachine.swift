package import GateModel
import GateTexts

/// The assistant of gate-settings, which sets a device up for a family. It shows one page after the other: what
/// `gatectl setup --for-window` asks, what will be done, how that went, and where each child's questions are answered.
package struct AssistantStateMachine {
    private enum State: Hashable {
        /// Nothing was begun. Can go to: waiting, over.
        case welcome
        /// gatectl was started, or has an answer to work on. Can go to: asking, planned, over.
        case waiting
        /// gatectl has asked. Can go to: waiting, over.
        case asking(SetupMessage.Question)
        /// gatectl has sent its plan. Can go to: waiting, doing, over.
        case planned([String])
        /// The person has agreed, and gatectl is doing it. Can go to: over.
        case doing
        /// gatectl has ended, or will. The sentence says why it gave up; empty if it did not. The last state.
        case over(String)
    }

    /// Whether gatectl can be started as root from here.
    private let canBegin: Bool
    private var state = State.welcome
    private var steps: [SetupMessage.Step] = []
    private var check: SetupMessage.Check?

    package init(canBegin: Bool) {
        self.canBegin = canBegin
    }

    // MARK: - gatectl

    package mutating func began() {
        if state == .welcome { state = .waiting }
    }

    package mutating func came(_ message: SetupMessage) {
        switch (message, state) {
        case (.ask(let question), .waiting): state = .asking(question)
        case (.plan(let lines), .waiting): state = .planned(lines)
        case (.step(let step), .doing): steps.append(step)
        case (.checked(let check), .doing):
            self.check = check
            state = .over("")
        case (.refused(let reason), .waiting), (.refused(let reason), .doing): state = .over(reason)
        // gatectl sends each message only in the state that expects it, so any other message is late and is dropped.
        case (.ask, _), (.plan, _), (.step, _), (.checked, _), (.refused, _): break
        }
    }

    /// gatectl has ended.
    ///
    /// - Parameter status: its exit status; `nil`: it was killed.
    package mutating func ended(_ status: Int32?) {
        switch state {
        case .over: break
        case .doing: state = .over(localized("Setting up was not finished. Set up this device again."))
        case .welcome, .waiting, .asking, .planned:
            // The exit statuses of pkexec if the password was not given, or if nobody could be asked for it.
            let isRefused = status == 126 || status == 127
            state = .over(
                isRefused ? Self.needsAdministrator : localized("Nothing was changed. Set up this device again."))
        }
    }

    private static var needsAdministrator: String {
        localized("Nothing was changed: this needs an administrator. In a terminal: `sudo gatectl setup`.")
    }

    // MARK: - The person

    /// The person goes on.
    ///
    /// - Returns: the line for gatectl; `nil` if there is none to send.
    /// - Throws: `Mistake` if a field is wrong. The page stays.
    package mutating func answered(
        _ filled: SettingsDialog.Filled, habits: WritingHabits = .ofPerson
    ) throws(SettingsDialog.Mistake) -> GateSecret? {
        switch state {
        case .asking(let question):
            let line = Self.line(try Self.answer(to: question, filled, habits))
            state = .waiting
            return line
        case .planned:
            state = .doing
            return Self.line(GateSecret([]))
        case .welcome, .waiting, .doing, .over: return nil
        }
    }

    /// The person goes back to the question before.
    ///
    /// - Returns: the line for gatectl; `nil` if there is no question before.
    package mutating func wentBack() -> GateSecret? {
        guard page.leaving == .back else { return nil }
        state = .waiting
        return GateSecret("<\n".utf8)
    }

    private static func answer(
        to question: SetupMessage.Question, _ filled: SettingsDialog.Filled, _ habits: WritingHabits
    ) throws(SettingsDialog.Mistake) -> GateSecret {
        switch question.kind {
        case .choice: return GateSecret(filled.text(.role).utf8)
        case .word: return GateSecret(filled.text(.name).filter { !$0.isNewline }.utf8)
        case .date:
            let date = try SettingsDialog.date(filled.text(.birth), habits)
            return GateSecret((date.map { "\($0)" } ?? "").utf8)
        case .secret: return try SettingsDialog.twice(filled)
        }
    }

    private static func line(_ answer: GateSecret) -> GateSecret {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(answer.byteCount + 2)
        bytes.append(UInt8(ascii: "="))
        answer.withBytes { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\n"))
        return GateSecret(wiping: &bytes)
    }

    // MARK: - The window

    package var page: AssistantPage {
        switch state {
        case .welcome:
            canBegin
                ? AssistantPage(AssistantWords.welcome, next: localized("Begin"), leaving: .later)
                : AssistantPage(Self.needsAdministrator, leaving: .close)
        case .waiting: AssistantPage(localized("One moment…"), leaving: .cancel)
        case .asking(let question): AssistantPage(question)
        case .planned(let lines):
            AssistantPage(
                lines.isEmpty ? localized("Nothing needs to be changed.") : localized("This will be done:"),
                rows: lines.enumerated().map { SettingsRow("\($0.offset)", $0.element) },
                next: lines.isEmpty ? localized("Continue") : localized("Do this now"), leaving: .back)
        case .doing: AssistantPage(localized("One moment…"), rows: AssistantWords.rows(steps), leaving: .close)
        case .over(let reason):
            AssistantPage(
                reason.isEmpty ? check?.trial ?? "" : reason,
                rows: AssistantWords.rows(steps) + (check.map(AssistantWords.rows) ?? []), leaving: .close)
        }
    }
}

/// A page of the assistant, as it is drawn.
package struct AssistantPage: Hashable, Sendable {
    /// How the person leaves the page without going on.
    package enum Leaving: Hashable, Sendable {
        case later
        case cancel
        /// To the question before.
        case back
        case close
    }

    package var text: String
    package var fields: [SettingsDialog.Field] = []
    /// What stands in the fields at first.
    package var initial: [SettingsDialog.Key: String] = [:]
    package var rows: [SettingsRow]
    /// What is wrong with the answer before. May be empty.
    package var problem = ""
    /// The label of the button that goes on; `nil`: there is none.
    package var next: String?
    package var leaving: Leaving

    init(_ text: String, rows: [SettingsRow] = [], next: String? = nil, leaving: Leaving) {
        (self.text, self.rows, self.next, self.leaving) = (text, rows, next, leaving)
    }

    fileprivate init(_ question: SetupMessage.Question, habits: WritingHabits = .ofPerson) {
        self.init(question.text, next: localized("Continue"), leaving: question.canGoBack ? .back : .cancel)
        problem = question.problem
        let label = question.label
        switch question.kind {
        case .choice:
            fields = [.choice(.role, label: label, choices: question.choices)]
            initial[.role] = question.standing
        case .date:
            fields = [.text(.birth, label: label, hint: SettingsDialog.exampleDate)]
            initial[.birth] = question.standing.map { habits.date(atStartOf: $0) }
        case .word:
            fields = [.text(.name, label: label, hint: localized("empty: no word"))]
            initial[.name] = question.standing
        case .secret:
            fields = [
                .secret(.newPassword, label: label), .secret(.again, label: localized("Type it again")),
            ]
        }
    }
}

package enum AssistantWords {
    package static var title: String { localized("Set up this device") }

    /// The label of the button that leaves a page.
    package static func leave(_ leaving: AssistantPage.Leaving) -> String {
        switch leaving {
        case .later: localized("Not now")
        case .cancel: SettingsWords.cancel
        case .back: FormWords.back
        case .close: SettingsWords.close
        }
    }

    fileprivate static var welcome: String {
        localized(
            "In a few questions you say who is a grown-up and who is a child, choose a passcode, and decide what asks a grown-up first. Nothing is changed until you agree at the end. Do this in your own session, not in a child's. You need an administrator's password to begin."
        )
    }

    fileprivate static func rows(_ steps: [SetupMessage.Step]) -> [SettingsRow] {
        steps.enumerated().map { place, step in
            SettingsRow(
                "step \(place)", step.text,
                step.problem.isEmpty ? localized("Done") : localized("FAIL: {reason}", ["reason": step.problem]))
        }
    }

    /// The table at the end: for each person a heading with what has to be mended, and a row for each gate.
    fileprivate static func rows(_ check: SetupMessage.Check) -> [SettingsRow] {
        check.people.flatMap { person in
            [
                SettingsRow(
                    "who \(person.who)", person.who, person.mends.joined(separator: "\n"),
                    icon: .symbol("avatar-default-symbolic"))
            ]
                + person.gates.map { SettingsRow("\(person.who) \($0.title)", $0.title, $0.end) }
        } + check.advice.map { SettingsRow("advice \($0)", $0) }
    }
}
