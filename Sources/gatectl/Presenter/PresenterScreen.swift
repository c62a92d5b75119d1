import GateClient
import GateModel

/// What is on the screen of a terminal that presents, and what a key means there. Decides; draws and calls nothing.
struct PresenterScreen: Hashable {
    private enum State: Hashable {
        /// Nothing is asked. Can go to: asking.
        case idle
        /// A person is asked. Can go to: sent, idle.
        case asking(Presentation)
        /// An answer or a dismissal is under way to the daemon. Can go to: asking (it was no answer), idle.
        case sent(Presentation)
    }

    /// What the surroundings are to do.
    enum Action: Hashable, Sendable {
        case report(PresentationInput)
        case complete(Answer)
        case dismiss
        /// Give the terminal back, and what is open to the next presenter.
        case leave
    }

    /// The daemon, as far as it is known.
    enum Link: Hashable {
        case connecting
        case registered
        case lost
    }

    /// What was said last, until the next key.
    struct Note: Hashable {
        var text: String
        /// `nil`: neither good nor bad.
        var isGood: Bool?
    }

    /// How long a question has to stand before keys answer it: what was meant for the one before, or for nothing, is no
    /// answer.
    static let settlingTime = Duration.milliseconds(300)

    private var state = State.idle
    /// Beside the state: taken out of a case it would be copied, and it may hold a secret.
    private var editor = LineEditor()
    private(set) var link = Link.connecting
    private(set) var mode = ModeState.closed
    private(set) var note: Note?
    /// When the question came.
    private var shownAt = BootTime(nanoseconds: 0)
    /// The same; `nil` where the daemon has a clock of its own, and there is nothing to count down.
    private(set) var cameAt: BootTime?
    /// When a hold began.
    private(set) var pressedAt: BootTime?
    /// How many lines were scrolled.
    private(set) var scrolledLines = 0

    /// What is asked; `nil`: nothing.
    var presentation: Presentation? {
        switch state {
        case .idle: nil
        case .asking(let presentation), .sent(let presentation): presentation
        }
    }

    var isChecking: Bool {
        switch state {
        case .sent: true
        case .idle, .asking: false
        }
    }

    /// What was typed so far, as far as it may be seen.
    var typed: String {
        presentation.map { !$0.challenge.kind.isSecret } ?? false ? editor.text : ""
    }

    /// Whether something on the screen changes by itself.
    var isCounting: Bool { cameAt != nil || pressedAt != nil || mode.deadline != nil }

    // MARK: The daemon

    mutating func registered() {
        link = .registered
    }

    /// What was open is closed first, by an event of its own.
    mutating func lost() {
        link = .lost
    }

    mutating func modeChanged(to mode: ModeState) {
        self.mode = mode
    }

    mutating func presentationCame(_ presentation: Presentation, sharesClock: Bool, at now: BootTime) -> [Action] {
        let challenge = presentation.challenge
        state = .asking(presentation)
        editor = LineEditor(
            singleKeys: AnswerText.singleKeys(for: challenge), alphabet: challenge.kind.isSecret ? .any : .ascii)
        note = nil
        shownAt = now
        cameAt = sharesClock ? now : nil
        pressedAt = nil
        scrolledLines = 0
        return [.report(.shown)]
    }

    /// It can no longer be answered here. Another one than is shown is passed over: it was closed before.
    mutating func presentationClosed(_ id: UInt64) {
        switch state {
        case .asking(let presentation) where presentation.id == id:
            note = Note(text: "The question was taken back, or its time was over.")
            clear()
        case .sent(let presentation) where presentation.id == id:
            clear()
        case .idle, .asking, .sent:
            break
        }
    }

    /// The daemon has taken the answer. The presentation may be closed already.
    mutating func answerTaken(_ id: UInt64, kind: Challenge.Kind) {
        guard isCurrent(id) else { return }
        note = Note(text: kind == .confirm ? "Answered." : "Right.", isGood: true)
        clear()
    }

    mutating func dismissed(_ id: UInt64) {
        guard isCurrent(id) else { return }
        note = Note(text: "Dismissed.")
        clear()
    }

    /// The answer, or the dismissal, was refused.
    mutating func answerRefused(_ id: UInt64, _ error: GateError) {
        guard isCurrent(id) else { return }
        note = Note(text: VisibleText.line(error.message), isGood: false)
        switch state {
        case .sent(let presentation) where error.leavesQuestionOpen:
            state = .asking(presentation)
        case .idle, .asking, .sent:
            // Of a hold's beginning nothing was made, so it begins anew.
            pressedAt = nil
            if !error.leavesQuestionOpen { clear() }
        }
    }

    // MARK: The person

    mutating func keyReceived(_ key: Key, at now: BootTime) -> [Action] {
        switch state {
        case .idle:
            note = nil
            return key == .byte(UInt8(ascii: "q")) || key == .end ? [.leave] : []
        case .asking(let presentation):
            guard !scrolls(key), shownAt.duration(to: now) >= Self.settlingTime else { return [] }
            return keyReceived(key, for: presentation, at: now)
        case .sent:
            return []
        }
    }

    /// Ctrl-C, a hang-up, or being asked to end.
    func interrupted() -> [Action] { [.leave] }

    private mutating func keyReceived(_ key: Key, for presentation: Presentation, at now: BootTime) -> [Action] {
        note = nil
        switch editor.keyReceived(key) {
        case .edited, .ended: return []
        case .dismissed:
            guard presentation.summary.isDismissible else {
                note = Note(text: "This can't be dismissed: it goes when it is answered.")
                return []
            }
            state = .sent(presentation)
            return [.dismiss]
        case .finished(let line):
            switch AnswerText.input(line, to: presentation.challenge, isPressed: pressedAt != nil) {
            case nil:
                note = Note(text: "That was empty.")
                return []
            case .pressed:
                pressedAt = now
                return [.report(.pressed)]
            case .answer(let answer):
                state = .sent(presentation)
                return [.complete(answer)]
            }
        }
    }

    /// Whether the key was for what is too long for the screen.
    private mutating func scrolls(_ key: Key) -> Bool {
        switch key {
        case .up: scrolledLines -= 1
        case .down: scrolledLines += 1
        case .pageUp: scrolledLines -= 10
        case .pageDown: scrolledLines += 10
        case .byte, .enter, .backspace, .clear, .end, .redraw, .escape: return false
        }
        scrolledLines = max(0, scrolledLines)
        return true
    }

    /// As far as there is something to scroll to.
    mutating func scrolled(atMost lines: Int) {
        scrolledLines = min(scrolledLines, lines)
    }

    /// Whether it is shown, or was the last that was.
    private func isCurrent(_ id: UInt64) -> Bool { presentation.map { $0.id == id } ?? true }

    private mutating func clear() {
        state = .idle
        // Takes what was typed along.
        editor = LineEditor()
        cameAt = nil
        pressedAt = nil
        scrolledLines = 0
    }
}
