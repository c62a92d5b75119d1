import GateModel
import GateScreens
import GateTexts

/// The state of a terminal that presents, and what a key or a mouse press means there. It only decides: other code
/// draws and makes the calls. What input is taken, and when, is decided by `QuestionStateMachine`, as in windows. Here
/// are the lines that are typed, what is known of the daemon, and the last note.
struct PresenterScreen: Hashable {
    typealias Action = QuestionStateMachine.Action
    typealias Note = ScreenNote

    enum Link: Hashable {
        case connecting
        case registered
        case lost
    }

    private var presenter = QuestionStateMachine(on: .terminal)
    /// The line that is being typed. It may hold a secret.
    private var editor = LineEditor()
    /// The fields of a sign-in. They may hold a secret, too.
    private(set) var fields = SignInFields()
    private(set) var form = PresenterForm()
    private(set) var link = Link.connecting
    private(set) var mode = ModeState.closed
    private(set) var signIn = SignInState.closed
    private(set) var entitlements = EntitlementsState.closed
    /// The presentation that was closed last, if nobody here closed it; `nil` once the person has gone on.
    private var closed: Presentation?
    /// How long all of Gate's own words have been on the screen: what can't be read can't be answered.
    private var whole = ReadingTime()
    /// What can be pressed, and how long it has been just there: a press on something that just moved was not meant.
    private var places: Set<PresenterPlace> = []
    private var placed = ReadingTime()
    /// When the question came; `nil` if there is nothing to count down.
    private(set) var cameAt: BootTime?
    private(set) var scrolledLines = 0

    /// `nil` if nothing is presented.
    var presentation: Presentation? { presenter.presentation }
    /// Whether an answer or a dismissal was sent, and its result is not known yet.
    var isChecking: Bool { presenter.isSent }
    /// Whether a log-in, or the dismissal of a sign-in, was sent.
    var isAuthenticating: Bool { isChecking && presentation?.content.kind == .signIn }
    /// Whether the person has to press Return first, to say that they have read.
    var isLocked: Bool { presenter.isLocked }
    var pressedAt: BootTime? { presenter.pressedAt }
    /// The last note to the person. The next key removes it.
    var note: Note? { presenter.note }

    /// What was typed so far; empty if it is secret.
    var typed: String {
        presentation?.challenge.map { !$0.kind.isSecret } ?? false ? editor.text : ""
    }

    /// How often to draw anew because something on the screen changes by itself; `nil` if nothing does.
    var redrawInterval: Duration? {
        if isAuthenticating { return ProgressLine.interval }
        return cameAt != nil || pressedAt != nil || mode.deadline != nil ? .seconds(1) : nil
    }

    // MARK: The daemon

    mutating func registered() {
        link = .registered
    }

    /// The connection is lost. An open presentation is closed before that, by an event of its own.
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

    mutating func presentationCame(_ presentation: Presentation, sharesClock: Bool, at now: BootTime) {
        clear()
        presenter.presentationCame(presentation, sharesClock: sharesClock)
        editor = presentation.content.emptyLine
        form = PresenterForm()
        closed = nil
        cameAt = presenter.countedDeadline == nil ? nil : now
    }

    mutating func formAsked(_ id: UInt64, _ prompt: FormPrompt) {
        guard presentation?.id == id else { return }
        form.asked(prompt)
        if !prompt.isRepeated { scrolledLines = 0 }
    }

    /// The form was completed here. The daemon closes the presentation.
    mutating func formCompleted(_ id: UInt64) {
        guard isCurrent(id) else { return }
        form.isCompleted = true
        presenter.personActed()
        noteClosing()
    }

    /// The presentation can no longer be answered here. Another id is ignored: that presentation was closed before.
    mutating func presentationClosed(_ id: UInt64) {
        guard let presentation, presentation.id == id else { return }
        // The reply to an answer or a dismissal brings its result; the result of a sign-in is in the state only.
        closed = isChecking && presentation.content.kind != .signIn ? nil : presentation
        presenter.presentationClosed(id, wasCompleted: form.isCompleted)
        clear()
        noteClosing()
    }

    /// Makes the note anew whenever the state changes: the outcome may arrive a moment after the closing.
    private mutating func noteClosing() {
        guard let closed else { return }
        presenter.note = closingNote(for: closed)
    }

    /// The presentation may be closed already. `kind` is `nil` if it was not a question, and is simply put away.
    mutating func answerTaken(_ id: UInt64, kind: Challenge.Kind?) {
        ended(id, kind.map { Note(text: $0 == .confirm ? localized("Answered.") : localized("Right."), isGood: true) })
    }

    mutating func paymentNotFound(_ id: UInt64, _ words: String) {
        presenter.paymentNotFound(id, words)
    }

    /// A person is signed in. The daemon closes the presentation.
    mutating func loggedIn(_ id: UInt64) {
        guard presentation?.id == id else { return }
        presenter.note = Note(text: localized("Right."), isGood: true)
    }

    mutating func dismissed(_ id: UInt64) {
        guard isCurrent(id) else { return }
        // The person left it, even if the daemon closed it first.
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

    mutating func answerRefused(_ id: UInt64, _ error: GateError) {
        // If the daemon has closed it meanwhile, it needs no answer any more.
        guard isCurrent(id), closed == nil else { return }
        let why = VisibleText.line(RefusalText.sentence(error))
        presenter.answerRefused(id, why, leavesOpen: error.leavesQuestionOpen)
        if presentation == nil { clear() } else { fields.refused() }
    }

    /// `isWhole`: all of Gate's own words are there.
    @discardableResult
    mutating func drawn(isWhole: Bool, places: Set<PresenterPlace> = [], at now: BootTime) -> [Action] {
        guard let presentation else { return [] }
        if places != self.places { (self.places, placed) = (places, ReadingTime()) }
        placed.drawn(at: now)
        if !isWhole { whole = ReadingTime() } else { whole.drawn(at: now) }
        return presenter.drawn(presentation.id, at: now)
    }

    // MARK: The person

    mutating func keyReceived(_ key: Key, at now: BootTime) -> [Action] {
        guard let presentation else {
            (presenter.note, closed) = (nil, nil)
            return []
        }
        guard !isChecking, !scrolls(key) else { return [] }
        // A dismissal needs no reading time.
        if key == .escape { return presenter.inputReceived(.dismissed, at: now) }
        guard whole.isOver(at: now) else { return [] }
        if isLocked, key == .enter { return presenter.inputReceived(.opened, at: now) }
        guard presenter.takesAct(at: now) else { return [] }
        switch presentation.content {
        case .challenge, .whatsNew:
            guard case .finished(let line) = editor.keyReceived(key) else { return [] }
            return lineTyped(line, at: now)
        case .signIn:
            switch fields.keyReceived(key) {
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

    /// `target` is `nil` if nothing can be pressed there.
    mutating func pressReceived(on target: PresenterTarget?, at now: BootTime) -> [Action] {
        // As after any key, the last note goes.
        guard let presentation, !isChecking else { return keyReceived(.release, at: now) }
        guard let target else { return [] }
        // A dismissal needs no reading time, and it does not matter whether the button has moved.
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
            fields.pressed(field)
            return []
        case (.restore, _): return presenter.inputReceived(.restored, at: now)
        case (_, _): return []
        }
    }

    /// The mouse button was released, no matter where. Only a hold ends with it.
    mutating func releaseReceived(at now: BootTime) -> [Action] {
        pressedAt == nil ? [] : presenter.inputReceived(.released, at: now)
    }

    /// Ctrl-C, a hang-up, or SIGTERM.
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
            let text = WhatsNewText(notice, isAppsOwn: presentation?.summary.asked.isAppsOwn ?? false)
            input = .answered(text.answer(line.withBytes { String(decoding: $0, as: UTF8.self) }))
        case .signIn, .paywall, .form, .unrecognized, nil: return []
        }
        return presenter.inputReceived(input, at: now)
    }

    /// Scrolls if the key does that. Returns whether it does.
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

    mutating func scrolled(atMost lines: Int) {
        scrolledLines = min(scrolledLines, lines)
    }

    /// Whether this presentation is shown now. If none is, it is taken for the last one.
    private func isCurrent(_ id: UInt64) -> Bool { presentation.map { $0.id == id } ?? true }

    private mutating func clear() {
        // This also drops what was typed.
        editor = LineEditor()
        fields = SignInFields()
        whole = ReadingTime()
        (places, placed) = ([], ReadingTime())
        cameAt = nil
        scrolledLines = 0
    }
}

extension Presentation.Content {
    /// Whether a line is typed for it and ended with Return. A choice is a single key.
    var takesLine: Bool {
        switch self {
        case .challenge(let challenge):
            switch challenge.answering {
            case .number, .date, .secret: true
            case .result, .choice, .permission, .hold, .swipe: false
            }
        case .form: true
        case .signIn, .paywall, .whatsNew, .unrecognized: false
        }
    }

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
