import GateClient
import GateModel
import GateTexts

/// The screen of a terminal that presents, and what a key means there. Decides; draws and calls nothing.
struct PresenterScreen: Hashable {
    private enum State: Hashable {
        /// Nothing is asked. Can go to: asking.
        case idle
        /// A person is asked. Can go to: sent, idle.
        case asking(Presentation)
        /// An answer, a name with a password, or a dismissal is under way to the daemon. Can go to: asking (it was none), idle.
        case sent(Presentation)
    }

    private var state = State.idle
    /// Beside the state: taken out of a case it would be copied, and it may hold a secret.
    private var editor = LineEditor()
    /// The fields of a sign-in, likewise.
    private(set) var fields = SignInFields()
    private(set) var form = PresenterForm()
    private(set) var link = Link.connecting
    private(set) var mode = ModeState.closed
    private(set) var signIn = SignInState.closed
    private(set) var entitlements = EntitlementsState.closed
    /// The presentation that was closed last without anybody's doing here; `nil` once the person has gone on.
    private var closed: Presentation?
    private(set) var note: Note?
    /// Whether the question has stood long enough for a key to be meant for it.
    private var settling = Settling()
    /// Whether Return has to come first: what a person types blindly, or goes on typing, has to end in nothing.
    private(set) var isLocked = false
    /// Whether what was asked before went by itself, and the person has not said since that they saw it.
    private var wasTakenBack = false
    /// When the question came; `nil` where the daemon has a clock of its own, and there is nothing to count down.
    private(set) var cameAt: BootTime?
    /// When a hold began.
    private(set) var pressedAt: BootTime?
    /// How many lines were scrolled.
    private(set) var scrolledLines = 0

    /// The presentation; `nil`: none.
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

    /// The text that was typed so far, as far as it may be seen.
    var typed: String {
        presentation?.challenge.map { !$0.kind.isSecret } ?? false ? editor.text : ""
    }

    // MARK: The daemon

    mutating func registered() {
        link = .registered
    }

    /// The connection is lost. What was open is closed first, by an event of its own.
    mutating func lost() {
        link = .lost
    }

    mutating func modeChanged(to mode: ModeState) {
        self.mode = mode
    }

    mutating func signInChanged(to signIn: SignInState) {
        self.signIn = signIn
        noteClosing()
    }

    mutating func entitlementsChanged(to entitlements: EntitlementsState) {
        self.entitlements = entitlements
        noteClosing()
    }

    mutating func presentationCame(_ presentation: Presentation, sharesClock: Bool, at now: BootTime) -> [Action] {
        state = .asking(presentation)
        fields = SignInFields()
        editor = presentation.content.emptyLine
        form = PresenterForm()
        note = nil
        closed = nil
        settling = Settling()
        isLocked = presentation.content.firstReturn.isNeeded(afterTakenBack: wasTakenBack)
        // What the state alone closes has no end that a person has to know of.
        let isCounted = sharesClock && presentation.summary.isDismissible && presentation.deadline != .never
        cameAt = isCounted ? now : nil
        pressedAt = nil
        scrolledLines = 0
        return [.report(.shown)]
    }

    /// An item of the form is to be answered.
    mutating func formAsked(_ id: UInt64, _ prompt: FormPrompt) {
        guard presentation?.id == id else { return }
        form.asked(prompt)
        if !prompt.isRepeated { scrolledLines = 0 }
    }

    /// The state closes the presentation.
    mutating func formCompleted(_ id: UInt64) {
        guard isCurrent(id) else { return }
        form.isCompleted = true
        wasTakenBack = false
        noteClosing()
    }

    /// It can no longer be answered here. Another one than is shown is passed over: it was closed before.
    mutating func presentationClosed(_ id: UInt64) {
        switch state {
        case .asking(let presentation) where presentation.id == id:
            wasTakenBack = !form.isCompleted
            clear()
            closed = presentation
            noteClosing()
        case .sent(let presentation) where presentation.id == id:
            clear()
            // Of an answer and of a dismissal the daemon says itself what came of it.
            guard case .signIn = presentation.content else { return }
            closed = presentation
            noteClosing()
        case .idle, .asking, .sent:
            break
        }
    }

    /// Notes that the outcome shows in the state, which may be told a moment later.
    private mutating func noteClosing() {
        guard let closed else { return }
        note = closingNote(for: closed)
    }

    /// The daemon has taken the answer. The presentation may be closed already.
    ///
    /// - Parameter kind: `nil`: it was no question, and is put away.
    mutating func answerTaken(_ id: UInt64, kind: Challenge.Kind?) {
        guard isCurrent(id) else { return }
        note = kind.map { Note(text: $0 == .confirm ? localized("Answered.") : localized("Right."), isGood: true) }
        clear()
    }

    /// Somebody is signed in. The state closes the presentation.
    mutating func loggedIn(_ id: UInt64) {
        guard isCurrent(id), presentation != nil else { return }
        note = Note(text: localized("Right."), isGood: true)
    }

    mutating func dismissed(_ id: UInt64) {
        guard isCurrent(id) else { return }
        note = Note(text: localized("Dismissed."))
        // The person left it, although the state may have closed it first.
        (closed, wasTakenBack) = (nil, false)
        clear()
    }

    /// The answer, or the dismissal, was refused.
    mutating func answerRefused(_ id: UInt64, _ error: GateError) {
        guard isCurrent(id) else { return }
        // What the state has closed meanwhile needs no answer any more.
        guard closed == nil else { return }
        note = Note(text: VisibleText.line(RefusalText.sentence(error)), isGood: false)
        switch state {
        case .sent(let presentation) where error.leavesQuestionOpen || presentation.challenge == nil:
            // What the state closes stays until then.
            state = .asking(presentation)
            fields.refused()
        case .asking(let presentation) where presentation.challenge == nil:
            // A form's items are asked again, and a paywall stays until it is paid for.
            break
        case .idle, .asking, .sent:
            // A hold that was refused when it began is begun anew.
            pressedAt = nil
            if !error.leavesQuestionOpen { clear() }
        }
    }

    /// The question is on the screen.
    ///
    /// - Parameters:
    ///   - isWhole: all of Gate's own words are.
    ///   - places: where something can be pressed, and what.
    mutating func drawn(isWhole: Bool, places: Set<PresenterPlace> = [], at now: BootTime) {
        settling.drawn(isWhole: isWhole, places: places, at: now)
    }

    // MARK: The person

    /// - Parameter now: when the key was pressed.
    mutating func keyReceived(_ key: Key, at now: BootTime) -> [Action] {
        switch state {
        case .idle:
            note = nil
            closed = nil
            return []
        case .asking(let presentation):
            guard !scrolls(key) else { return [] }
            if key == .escape {
                guard settling.mayDismiss(at: now) else { return [] }
                note = nil
                return dismiss(presentation)
            }
            guard settling.mayAnswer(at: now) else { return [] }
            note = nil
            guard !isLocked else {
                if key == .enter {
                    isLocked = false
                    wasTakenBack = false
                } else {
                    note = Note(text: localized("That was not taken."))
                }
                return []
            }
            switch presentation.content {
            case .challenge(let challenge): return keyReceived(key, for: challenge, of: presentation, at: now)
            case .signIn: return keyReceived(key, signingInFor: presentation)
            case .paywall: return [UInt8(ascii: "r"), UInt8(ascii: "R")].contains { key == .byte($0) } ? restore() : []
            case .unrecognized: return []
            case .form:
                switch form.keyReceived(key) {
                case .edited: return []
                case .finished(let line): return [.formLine(line)]
                case .dismissed: return dismiss(presentation)
                }
            case .whatsNew(let notice): return keyReceived(key, for: WhatsNewText(notice), of: presentation)
            }
        case .sent:
            return []
        }
    }

    /// - Parameters:
    ///   - target: what stands where it was pressed; `nil`: nothing that can be.
    ///   - now: when it was pressed.
    mutating func pressReceived(on target: PresenterTarget?, at now: BootTime) -> [Action] {
        // As after any key, the last words go.
        guard case .asking(let presentation) = state else { return keyReceived(.release, at: now) }
        guard let target else { return [] }
        // For a dismissal nobody has to read anything, wherever it stands.
        if target == .dismiss { return keyReceived(.escape, at: now) }
        guard settling.mayPress(at: now) else { return [] }
        switch target {
        case .dismiss, .enter: return keyReceived(.enter, at: now)
        case .hold, .answer, .field, .restore:
            guard !isLocked else { return [] }
            note = nil
        }
        switch (target, presentation.content) {
        case (.answer(let text), .challenge(let challenge)):
            return lineTyped(GateSecret(text.utf8), for: challenge, of: presentation, at: now)
        case (.answer(let text), .whatsNew(let notice)):
            return lineTyped(GateSecret(text.utf8), for: WhatsNewText(notice), of: presentation)
        case (.answer(let text), .form):
            guard case .finished(let line) = form.pressed(text) else { return [] }
            return [.formLine(line)]
        case (.hold, .challenge(let challenge)) where pressedAt == nil:
            return lineTyped(GateSecret(" ".utf8), for: challenge, of: presentation, at: now)
        case (.field(let field), .signIn):
            if !isAuthenticating { fields.pressed(field) }
            return []
        case (.restore, .paywall): return restore()
        case (_, _): return []
        }
    }

    /// Somebody has paid already. The state closes the paywall once the provider has found it (S-08).
    private mutating func restore() -> [Action] {
        note = Note(text: localized("The payment is looked for. This closes by itself when it is found."))
        return [.report(.restore)]
    }

    /// The button of the mouse was let go, wherever: only a hold ends with it.
    mutating func releaseReceived(at now: BootTime) -> [Action] {
        guard case .asking(let presentation) = state, case .challenge(let challenge) = presentation.content,
            challenge.kind == .hold, pressedAt != nil
        else { return [] }
        return lineTyped(GateSecret(" ".utf8), for: challenge, of: presentation, at: now)
    }

    /// Ctrl-C, a hang-up, or being asked to end.
    func interrupted() -> [Action] { [.leave] }

    private mutating func keyReceived(
        _ key: Key, for challenge: Challenge, of presentation: Presentation, at now: BootTime
    ) -> [Action] {
        switch editor.keyReceived(key) {
        case .edited, .ended: return []
        case .dismissed: return dismiss(presentation)
        case .finished(let line): return lineTyped(line, for: challenge, of: presentation, at: now)
        }
    }

    private mutating func lineTyped(
        _ line: GateSecret, for challenge: Challenge, of presentation: Presentation, at now: BootTime
    ) -> [Action] {
        switch AnswerText.input(line, to: challenge, isPressed: pressedAt != nil) {
        case nil:
            note = Note(text: localized("That was empty."))
            return []
        case .pressed:
            pressedAt = now
            return [.report(.pressed)]
        case .answer(let answer):
            state = .sent(presentation)
            return [.complete(answer)]
        }
    }

    private mutating func keyReceived(
        _ key: Key, for notice: WhatsNewText, of presentation: Presentation
    ) -> [Action] {
        switch editor.keyReceived(key) {
        case .edited, .ended: return []
        case .dismissed: return dismiss(presentation)
        case .finished(let line): return lineTyped(line, for: notice, of: presentation)
        }
    }

    private mutating func lineTyped(
        _ line: GateSecret, for notice: WhatsNewText, of presentation: Presentation
    ) -> [Action] {
        guard let answer = notice.answer(line.withBytes { String(decoding: $0, as: UTF8.self) }) else {
            note = Note(text: localized("There is no such button."))
            return []
        }
        state = .sent(presentation)
        return [.complete(answer)]
    }

    /// While others' are being checked the button does nothing (F-66).
    private mutating func keyReceived(_ key: Key, signingInFor presentation: Presentation) -> [Action] {
        switch fields.keyReceived(key, mayLogIn: !isAuthenticating) {
        case .edited: return []
        case .dismissed: return dismiss(presentation)
        case .missing(.name):
            note = Note(text: localized("The name is empty."))
            return []
        case .missing(.password):
            note = Note(text: localized("The password is empty."))
            return []
        case .finished(let name, let password):
            state = .sent(presentation)
            return [.logIn(name: name, password: password)]
        }
    }

    private mutating func dismiss(_ presentation: Presentation) -> [Action] {
        guard presentation.summary.isDismissible else {
            note = Note(text: presentation.content.lastingText)
            return []
        }
        state = .sent(presentation)
        return [.dismiss]
    }

    /// Whether the key was for what is too long for the screen.
    private mutating func scrolls(_ key: Key) -> Bool {
        switch key {
        case .up: scrolledLines -= 1
        case .down: scrolledLines += 1
        case .pageUp: scrolledLines -= 10
        case .pageDown: scrolledLines += 10
        case .byte, .enter, .backspace, .clear, .end, .redraw, .escape, .tab, .backTab, .back, .press, .release:
            return false
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
        fields = SignInFields()
        settling = Settling()
        isLocked = false
        cameAt = nil
        pressedAt = nil
        scrolledLines = 0
    }
}
