import GateModel
import GateScreens
import GateTexts

/// The screen of a terminal that presents, and what a key or a press of the mouse means there. Decides; draws and calls
/// nothing. What is taken, and when, is decided by `PresenterStateMachine`, as for windows: here are the lines that are
/// typed, the daemon as far as it is known, and the last words.
struct PresenterScreen: Hashable {
    typealias Action = PresenterStateMachine.Action
    typealias Note = ScreenNote

    /// The daemon, as far as it is known.
    enum Link: Hashable {
        case connecting
        case registered
        case lost
    }

    private var presenter = PresenterStateMachine(on: .terminal)
    /// The line that is typed. It may hold a secret.
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
    /// Since when all of Gate's own words are on the screen: what can't be read can't be answered.
    private var whole = ReadingTime()
    /// Where something can be pressed, and since when just there: what moves under a finger was not meant.
    private var places: Set<PresenterPlace> = []
    private var placed = ReadingTime()
    /// When the question came; `nil` where there is nothing to count down.
    private(set) var cameAt: BootTime?
    /// How many lines were scrolled.
    private(set) var scrolledLines = 0

    /// The presentation; `nil`: none.
    var presentation: Presentation? { presenter.presentation }
    /// Whether an answer or a dismissal is under way.
    var isChecking: Bool { presenter.isSent }
    /// Whether a name and a password are being checked, from here or from elsewhere (F-66, F-68).
    var isAuthenticating: Bool { presenter.isChecking }
    /// Whether Return has to come first.
    var isLocked: Bool { presenter.isLocked }
    /// When a hold began.
    var pressedAt: BootTime? { presenter.pressedAt }
    /// The last words to the person, until the next key.
    var note: Note? { presenter.note }

    /// The text that was typed so far, as far as it may be seen.
    var typed: String {
        presentation?.challenge.map { !$0.kind.isSecret } ?? false ? editor.text : ""
    }

    /// After how long something on the screen changes by itself; `nil`: it does not.
    var redrawInterval: Duration? {
        if isAuthenticating { return ProgressLine.interval }
        return cameAt != nil || pressedAt != nil || mode.deadline != nil ? .seconds(1) : nil
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
        presenter.signInChanged(to: signIn)
        noteClosing()
    }

    mutating func entitlementsChanged(to entitlements: EntitlementsState) {
        self.entitlements = entitlements
        noteClosing()
    }

    mutating func presentationCame(_ presentation: Presentation, sharesClock: Bool, at now: BootTime) {
        clear()
        presenter.presentationCame(presentation, sharesClock: sharesClock)
        editor = presentation.content.emptyLine
        form = PresenterForm()
        closed = nil
        cameAt = presenter.countedDeadline == nil ? nil : now
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
        presenter.personActed()
        noteClosing()
    }

    /// It can no longer be answered here. Another one than is shown is passed over: it was closed before.
    mutating func presentationClosed(_ id: UInt64) {
        guard let presentation, presentation.id == id else { return }
        // Of an answer and of a dismissal the daemon says itself what came of it.
        closed = isChecking && presentation.content.kind != .signIn ? nil : presentation
        presenter.presentationClosed(id, wasCompleted: form.isCompleted)
        clear()
        noteClosing()
    }

    /// Notes that the outcome shows in the state, which may be told a moment later.
    private mutating func noteClosing() {
        guard let closed else { return }
        presenter.note = closingNote(for: closed)
    }

    /// The daemon has taken the answer. The presentation may be closed already.
    ///
    /// - Parameter kind: `nil`: it was no question, and is put away.
    mutating func answerTaken(_ id: UInt64, kind: Challenge.Kind?) {
        ended(id, kind.map { Note(text: $0 == .confirm ? localized("Answered.") : localized("Right."), isGood: true) })
    }

    /// Somebody is signed in. The state closes the presentation.
    mutating func loggedIn(_ id: UInt64) {
        guard presentation?.id == id else { return }
        presenter.note = Note(text: localized("Right."), isGood: true)
    }

    mutating func dismissed(_ id: UInt64) {
        guard isCurrent(id) else { return }
        // The person left it, although the state may have closed it first.
        presenter.personActed()
        closed = nil
        ended(id, Note(text: localized("Dismissed.")))
    }

    private mutating func ended(_ id: UInt64, _ note: Note?) {
        guard isCurrent(id) else { return }
        presenter.answerTaken(id)
        presenter.note = note
        clear()
    }

    /// The answer, or the dismissal, was refused.
    mutating func answerRefused(_ id: UInt64, _ error: GateError) {
        // What the state has closed meanwhile needs no answer any more.
        guard isCurrent(id), closed == nil else { return }
        let why = VisibleText.line(RefusalText.sentence(error))
        presenter.answerRefused(id, why, leavesOpen: error.leavesQuestionOpen)
        if presentation == nil { clear() } else { fields.refused() }
    }

    /// The question is on the screen.
    ///
    /// - Parameters:
    ///   - isWhole: all of Gate's own words are.
    ///   - places: where something can be pressed, and what.
    @discardableResult
    mutating func drawn(isWhole: Bool, places: Set<PresenterPlace> = [], at now: BootTime) -> [Action] {
        guard let presentation else { return [] }
        if places != self.places { (self.places, placed) = (places, ReadingTime()) }
        placed.drawn(at: now)
        if !isWhole { whole = ReadingTime() } else { whole.drawn(at: now) }
        return presenter.drawn(presentation.id, at: now)
    }

    // MARK: The person

    /// - Parameter now: when the key was pressed.
    mutating func keyReceived(_ key: Key, at now: BootTime) -> [Action] {
        guard let presentation else {
            (presenter.note, closed) = (nil, nil)
            return []
        }
        guard !isChecking, !scrolls(key) else { return [] }
        // For a dismissal nobody has to read anything.
        if key == .escape { return presenter.inputReceived(.dismissed, at: now) }
        guard whole.isOver(at: now) else { return [] }
        if isLocked, key == .enter { return presenter.inputReceived(.opened, at: now) }
        guard presenter.takesAct(at: now) else { return [] }
        switch presentation.content {
        case .challenge, .whatsNew:
            guard case .finished(let line) = editor.keyReceived(key) else { return [] }
            return lineTyped(line, at: now)
        case .signIn:
            // While others' are being checked the button does nothing (F-66).
            switch fields.keyReceived(key, mayLogIn: !isAuthenticating) {
            case .edited, .dismissed: return []
            case .missing:
                return presenter.inputReceived(.signedIn(name: fields.name, password: GateSecret([])), at: now)
            case .finished(let name, let password):
                return presenter.inputReceived(.signedIn(name: name, password: password), at: now)
            }
        case .paywall(let paywall):
            let isRestoring = paywall.isForSale && [UInt8(ascii: "r"), UInt8(ascii: "R")].contains { key == .byte($0) }
            return isRestoring ? presenter.inputReceived(.restored, at: now) : []
        case .form:
            switch form.keyReceived(key) {
            case .edited: return []
            case .finished(let line): return [.formLine(line)]
            case .dismissed: return presenter.inputReceived(.dismissed, at: now)
            }
        case .unrecognized: return []
        }
    }

    /// - Parameters:
    ///   - target: what stands where it was pressed; `nil`: nothing that can be.
    ///   - now: when it was pressed.
    mutating func pressReceived(on target: PresenterTarget?, at now: BootTime) -> [Action] {
        // As after any key, the last words go.
        guard let presentation, !isChecking else { return keyReceived(.release, at: now) }
        guard let target else { return [] }
        // Wherever it stands.
        if target == .dismiss { return keyReceived(.escape, at: now) }
        guard whole.isOver(at: now), placed.isOver(at: now) else { return [] }
        if target == .enter { return keyReceived(.enter, at: now) }
        guard presenter.takesAct(at: now) else { return [] }
        switch (target, presentation.content) {
        case (.answer(let text), .challenge), (.answer(let text), .whatsNew):
            return lineTyped(GateSecret(text.utf8), at: now)
        case (.answer(let text), .form):
            guard case .finished(let line) = form.pressed(text) else { return [] }
            return [.formLine(line)]
        case (.hold, _): return presenter.inputReceived(.pressed, at: now)
        case (.field(let field), .signIn):
            if !isAuthenticating { fields.pressed(field) }
            return []
        case (.restore, _): return presenter.inputReceived(.restored, at: now)
        case (_, _): return []
        }
    }

    /// The button of the mouse was let go, wherever: only a hold ends with it.
    mutating func releaseReceived(at now: BootTime) -> [Action] {
        pressedAt == nil ? [] : presenter.inputReceived(.released, at: now)
    }

    /// Ctrl-C, a hang-up, or being asked to end.
    func interrupted() -> [Action] { [.leave] }

    private mutating func lineTyped(_ line: GateSecret, at now: BootTime) -> [Action] {
        let input: ScreenInput
        switch presentation?.content {
        case .challenge(let challenge):
            switch AnswerText.input(line, to: challenge, isPressed: pressedAt != nil) {
            case .answer(let answer): input = .answered(answer)
            case .pressed: input = .pressed
            case nil: input = .answered(nil)
            }
        case .whatsNew(let notice):
            input = .answered(WhatsNewText(notice).answer(line.withBytes { String(decoding: $0, as: UTF8.self) }))
        case .signIn, .paywall, .form, .unrecognized, nil: return []
        }
        return presenter.inputReceived(input, at: now)
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
        // Takes what was typed along.
        editor = LineEditor()
        fields = SignInFields()
        whole = ReadingTime()
        (places, placed) = ([], ReadingTime())
        cameAt = nil
        scrolledLines = 0
    }
}

extension Presentation.Content {
    /// Whether a line is typed for it, which Return ends. A choice is a key by itself.
    var takesLine: Bool {
        switch self {
        case .challenge(.arithmeticEntry), .challenge(.birthdate), .challenge(.passcode), .challenge(.totp), .form: true
        case .challenge(.arithmeticChoice), .challenge(.shapes), .challenge(.quiz), .challenge(.confirm),
            .challenge(.hold), .challenge(.swipe), .signIn, .paywall, .whatsNew, .unrecognized:
            false
        }
    }

    /// An empty line to answer it on.
    fileprivate var emptyLine: LineEditor {
        switch self {
        case .challenge(let challenge):
            LineEditor(
                singleKeys: AnswerText.singleKeys(for: challenge), alphabet: challenge.kind.isSecret ? .any : .ascii)
        case .whatsNew(let notice): LineEditor(singleKeys: WhatsNewText(notice).singleKeys, alphabet: .any)
        case .signIn, .paywall, .form, .unrecognized: LineEditor()
        }
    }
}
