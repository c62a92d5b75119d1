package import GateModel
import GateTexts

/// The state of every presenter, in windows or on a terminal: which presentation is on the screen, what the person may
/// do about it and when, and what is reported to the daemon. `ScreenStateMachine` wraps it with the contents of
/// windows, `PresenterScreen` of `gatectl` with a terminal's. Input is ignored in the first second after a presentation
/// was drawn. Listed silent drops: input that comes too early, twice, or for a closed presentation; events of one that
/// is not on the screen.
package struct QuestionStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// No presentation is shown. Can go to: asking.
        case idle
        /// A presentation is shown and takes input. Can go to: sent, idle.
        case asking(Presentation)
        /// An answer, a name with a password, or a dismissal was sent to the daemon, or a page is about to be opened.
        /// Can go to: asking (if it was refused), idle.
        case sent(Presentation, isLogIn: Bool = false)
    }

    /// Where the presentation is shown, which decides what protects it from keys that were meant for something else.
    package enum Surface: Hashable, Sendable {
        /// Buttons in a window among others. A permission is confirmed by a second button, and buttons that replace
        /// others after a first act take no input for another second.
        case window
        /// Like a window, but nothing else is on this screen for which a person could have been typing a name.
        case ownScreen
        /// Keys, which mean the same for every question. A permission needs a first act, as a secret does. What is
        /// typed after that act counts at once.
        case terminal
    }

    package enum Action: Hashable, Sendable {
        /// Tell the daemon that a person can see the question, keeps a button pressed, or has paid already.
        case report(PresentationInput)
        case complete(ChallengeAnswer)
        case logIn(name: String, password: GateSecret)
        case dismiss
        /// In windows: begin to open this page, on which a person can pay, and close the paywall if that works. The
        /// gate of links may ask a question before the page opens.
        case follow(String)
        /// In windows: open the page of people in `gate-settings`, where a grown-up adds somebody.
        case openPeople
        /// In windows: do something about the form.
        case form(FormAction)
        /// On terminals: pass a typed line to the dialogue that asks for the form's items.
        case formLine(GateSecret)
        /// On terminals: give the terminal back. The open question goes to the next presenter.
        case leave
    }

    private let surface: Surface
    /// Whether this screen has a browser, so that pages can be opened.
    package let opensPages: Bool
    private var state = State.idle
    /// Whether the presentation's deadline is by this device's clock, so that the two can be compared.
    private var sharesClock = false
    private var reading = ReadingTime()
    /// Whether it was reported to the daemon that a person can see the presentation.
    private var isReported = false
    private(set) var progress = ScreenProgress()
    /// Whether the first of two acts is still to come. Until then, keys that a person types blindly do nothing.
    package private(set) var isLocked = false
    /// Whether the last presentation was closed by itself and the person has done nothing since. They may still be
    /// typing for it, perhaps a secret.
    package private(set) var wasTakenBack = false
    /// The message that is shown until the person does something. On a terminal it stays after the presentation was
    /// closed.
    package var note: ScreenNote?

    package init(on surface: Surface, opensPages: Bool = false) {
        self.surface = surface
        self.opensPages = opensPages
    }

    // MARK: The daemon

    /// A presentation has come to be shown. The previous one was closed before.
    package mutating func presentationCame(_ presentation: Presentation, sharesClock: Bool) {
        state = .asking(presentation)
        self.sharesClock = sharesClock
        reading = ReadingTime()
        isReported = false
        progress = ScreenProgress()
        note = nil
        isLocked = waitsForFirstAct(presentation.content)
    }

    private func waitsForFirstAct(_ content: Presentation.Content) -> Bool {
        switch (content.kind, surface) {
        // Nobody types into these.
        case (.paywall, _), (.unrecognized, _): false
        // A permission in windows is confirmed by a second button instead.
        case (.challenge(.confirm), .window), (.challenge(.confirm), .ownScreen): false
        case (.signIn, .ownScreen): wasTakenBack
        case (.challenge, _), (.signIn, _), (.form, _), (.whatsNew, _): content.takesTwoActs || wasTakenBack
        }
    }

    /// The presentation was answered elsewhere, withdrawn, or expired, or the daemon was lost. `wasCompleted`: it is a
    /// form that was completed here. Returns whether it was on the screen, and the person did nothing to close it.
    /// Always false for a paywall, which closes by itself when it is paid for.
    @discardableResult
    package mutating func presentationClosed(_ id: UInt64, wasCompleted: Bool) -> Bool {
        guard let presentation, presentation.id == id else { return false }
        let isExpected = isSent || wasCompleted || presentation.content.kind == .paywall
        wasTakenBack = wasTakenBack || !isExpected
        end()
        return !isExpected
    }

    /// The daemon has accepted the answer or the dismissal. The presentation may be closed already.
    package mutating func answerTaken(_ id: UInt64) {
        if isCurrent(id) { end() }
    }

    /// The person acted without `inputReceived`, so they are no longer typing for the previous presentation.
    package mutating func personActed() {
        wasTakenBack = false
    }

    /// `why` is safe to be shown. `leavesOpen`: the question can still be answered.
    package mutating func answerRefused(_ id: UInt64, _ why: String, leavesOpen: Bool) {
        guard isCurrent(id) else { return }
        note = ScreenNote(text: why, isGood: false)
        switch state {
        // A sign-in, a paywall, a form or notes remain until the daemon closes them.
        case .sent(let presentation, _) where leavesOpen || presentation.challenge == nil: state = .asking(presentation)
        // A hold that was refused when it began can begin again.
        case .asking(let presentation) where leavesOpen || presentation.challenge == nil: progress.pressedAt = nil
        case .asking, .sent: end()
        case .idle: break
        }
    }

    /// The provider has looked for a payment, and has found none. `words` are what it said, for a person.
    package mutating func paymentNotFound(_ id: UInt64, _ words: String) {
        guard case .asking(let presentation) = state, presentation.id == id else { return }
        note = ScreenNote(text: words, isGood: false)
    }

    // MARK: The screen

    /// The presentation on the screen, also while its answer is being sent; `nil` if there is none.
    package var presentation: Presentation? {
        switch state {
        case .idle: nil
        case .asking(let presentation), .sent(let presentation, _): presentation
        }
    }

    package var pressedAt: BootTime? { progress.pressedAt }

    /// Whether an answer or a dismissal is under way to the daemon.
    package var isSent: Bool {
        switch state {
        case .sent: true
        case .idle, .asking: false
        }
    }

    /// Whether a name and a password from this screen are being checked. Log-ins of other programs do not count, so
    /// that they can't disable the fields for a person who types here.
    package var isChecking: Bool {
        switch state {
        case .sent(_, let isLogIn): isLogIn
        case .idle, .asking: false
        }
    }

    /// The deadline to count down to; `nil` if there is none, if it is by the clock of another device, or if the
    /// presentation can't be dismissed.
    package var countedDeadline: BootTime? {
        guard let summary = presentation?.summary, sharesClock, summary.isDismissible else { return nil }
        return summary.deadline == .never ? nil : summary.deadline
    }

    /// Whether the presentation has to be drawn before the second of reading begins.
    package var isWaitingToBeDrawn: Bool { presentation != nil && !isSent && reading.drawnAt == nil }

    package var readingEnd: BootTime? { reading.end }

    /// The presentation was drawn, for the first time or again.
    package mutating func drawn(_ id: UInt64, at now: BootTime) -> [Action] {
        guard isWaitingToBeDrawn, isCurrent(id) else { return [] }
        reading.drawn(at: now)
        defer { isReported = true }
        return isReported ? [] : [.report(.shown)]
    }

    /// Something else can be pressed now, so the person gets another second to read.
    package mutating func changed() {
        reading = ReadingTime()
    }

    /// Whether there is an unanswered presentation, and the second of reading is over.
    package func takesInput(at now: BootTime) -> Bool { presentation != nil && !isSent && reading.isOver(at: now) }

    // MARK: The person

    /// Returns whether the input can be an answer or a part of one: the second of reading is over, and the first act is
    /// done. Then it also removes the last message. If only the first act is missing, a message says so.
    package mutating func takesAct(at now: BootTime) -> Bool {
        guard takesInput(at: now) else { return false }
        note = isLocked ? ScreenNote(text: localized("That was not accepted.")) : nil
        return !isLocked
    }

    package mutating func inputReceived(_ input: ScreenInput, at now: BootTime) -> [Action] {
        guard case .asking(let presentation) = state, takesInput(at: now),
            input == .dismissed || input == .opened || takesAct(at: now)
        else { return [] }
        switch input {
        case .dismissed:
            guard presentation.summary.isDismissible else {
                note = ScreenNote(text: presentation.content.lastingText)
                return []
            }
            return sent(.dismiss, presentation)
        case .opened:
            (isLocked, wasTakenBack, note) = (false, false, nil)
            if surface != .terminal { changed() }
            return []
        case .chosen(ScreenInput.yes) where presentation.content.kind == .challenge(.confirm) && !progress.isSure:
            // The button now asks another question, which is read first like every other.
            progress.isSure = true
            changed()
            return []
        case .pressed:
            guard presentation.content.kind == .challenge(.hold), progress.pressedAt == nil else { return [] }
            progress.pressedAt = now
            return [.report(.pressed)]
        case .stroked(let direction):
            progress.stroked(direction)
            return []
        case .restored:
            guard case .paywall = presentation.content else { return [] }
            note = ScreenNote(text: ScreenWords.lookingForPayment)
            return [.report(.restore)]
        case .followed(let index):
            guard opensPages, case .paywall(let paywall) = presentation.content, paywall.offers.indices.contains(index),
                let page = paywall.offers[index].url
            else { return [] }
            state = .sent(presentation)
            return [.follow(page)]
        case .peopleOpened: return presentation.content.kind == .signIn ? [.openPeople] : []
        case .signedIn(let name, let password):
            return signedIn(name, password, for: presentation)
        // `FormScreen` takes these.
        case .form: return []
        case .chosen, .typed, .typedSecret, .dated, .released, .swiped, .finished, .answered:
            guard let answer = presentation.content.answer(input, progress) else {
                note = presentation.content.emptyText(input).map { ScreenNote(text: $0) }
                return []
            }
            return sent(.complete(answer), presentation)
        }
    }

    private mutating func signedIn(_ name: String, _ password: GateSecret, for presentation: Presentation) -> [Action] {
        guard presentation.content.kind == .signIn else { return [] }
        guard !name.isEmpty else {
            note = ScreenNote(text: localized("The name is empty."))
            return []
        }
        guard password.byteCount > 0 else {
            note = ScreenNote(text: localized("The password is empty."))
            return []
        }
        state = .sent(presentation, isLogIn: true)
        return [.logIn(name: name, password: password)]
    }

    private mutating func sent(_ action: Action, _ presentation: Presentation) -> [Action] {
        (state, wasTakenBack, note) = (.sent(presentation), false, nil)
        return [action]
    }

    // MARK: Internals

    /// Whether this presentation is on the screen, or none is, because the daemon's reply came after its closing.
    private func isCurrent(_ id: UInt64) -> Bool { presentation.map { $0.id == id } ?? true }

    private mutating func end() {
        state = .idle
        progress = ScreenProgress()
        isLocked = false
    }
}

/// A message to a person about what they did, or its result.
package struct ScreenNote: Hashable, Sendable {
    package var text: String
    /// `nil` if it is neither good nor bad.
    package var isGood: Bool?

    package init(text: String, isGood: Bool? = nil) {
        self.text = text
        self.isGood = isGood
    }
}

/// The second in which a person reads a question and can press nothing: a key or a click in it was meant for the
/// question before, or for another program. It begins when the question is drawn.
package struct ReadingTime: Hashable, Sendable {
    package static let length = Duration.seconds(1)

    /// `nil` if the question was not drawn yet.
    private(set) var drawnAt: BootTime?

    package init() {}

    package mutating func drawn(at now: BootTime) {
        drawnAt = drawnAt ?? now
    }

    package func isOver(at now: BootTime) -> Bool {
        drawnAt.map { $0.duration(to: now) >= Self.length } ?? false
    }

    /// When the person can press something; `nil` if the question was not drawn yet.
    package var end: BootTime? { drawnAt?.advanced(by: Self.length) }
}
