package import GateModel
import GateTexts

/// The machine of every presenter, whether it has windows or a terminal: which presentation stands on the screen, what a
/// person may do about it and when, and what is told the daemon. Windows wrap it with what stands in them
/// (`ScreenStateMachine`), a terminal with its keys and lines (`PresenterScreen` of `gatectl`).
///
/// Nothing is taken in the first second after a presentation was drawn. Listed silent drops: what is done too early, twice,
/// or for a presentation that has gone; news about a presentation that is not on the screen.
package struct PresenterStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// Nothing is asked. Can go to: asking.
        case idle
        /// A person is asked. Can go to: sent, idle.
        case asking(Presentation)
        /// An answer, a name with a password, or a dismissal is under way to the daemon. Can go to: asking (it was none), idle.
        case sent(Presentation)
    }

    /// The screen, as far as it matters for when something is taken.
    package enum Surface: Hashable, Sendable {
        /// Buttons in a window. A permission asks once more for its yes, and the buttons that stand there after a first act
        /// are read anew.
        case window
        /// The same on a screen where nothing else is, that a name could have been typed for.
        case ownScreen
        /// Keys, which mean the same wherever the question stands. A yes waits for a first act, as a secret does, and what
        /// comes behind that act is taken at once.
        case terminal
    }

    /// The next thing to do for the program around the machine.
    package enum Action: Hashable, Sendable {
        /// A person can see it, keeps something pressed, or has paid already.
        case report(PresentationInput)
        /// The answer.
        case complete(ChallengeAnswer)
        /// A name and a password.
        case logIn(name: String, password: GateSecret)
        /// It is closed without an answer.
        case dismiss
        /// In windows: if this page may be opened, the paywall is closed, and the page opens once its gate has let it pass
        /// (S-08).
        case follow(String)
        /// In windows: something about the form.
        case form(FormAction)
        /// On terminals: a typed line goes to the dialogue that asks for the items of the form.
        case formLine(GateSecret)
        /// On terminals: give the terminal back, and what is open to the next presenter.
        case leave
    }

    private let surface: Surface
    /// Whether there is a browser on this screen, for pages that pass the gate.
    package let opensPages: Bool
    private var state = State.idle
    /// Whether its deadline can be compared with this device's clock.
    private var sharesClock = false
    private var reading = ReadingTime()
    /// Whether the daemon knows that a person can see it.
    private var isReported = false
    private(set) var progress = ScreenProgress()
    /// Whether the first of two acts is still to be done. What a person types blindly, or goes on typing, has to end in nothing.
    package private(set) var isLocked = false
    /// Whether what was asked last went by itself, and nothing was done since: the person may still be typing, a secret
    /// perhaps, for that.
    package private(set) var wasTakenBack = false
    private var signIn = SignInState.closed
    /// The last words to the person, until they do something. A terminal shows them also when the presentation has gone.
    package var note: ScreenNote?

    /// Begins with an empty screen.
    package init(on surface: Surface, opensPages: Bool = false) {
        self.surface = surface
        self.opensPages = opensPages
    }

    // MARK: The daemon

    /// This is to be shown. What was on the screen before was closed before.
    ///
    /// - Parameter sharesClock: whether its deadline can be compared with this device's clock.
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
        // Nothing is typed there.
        case (.paywall, _), (.unrecognized, _): false
        // Its yes asks once more instead.
        case (.challenge(.confirm), .window), (.challenge(.confirm), .ownScreen): false
        case (.signIn, .ownScreen): wasTakenBack
        case (.challenge, _), (.signIn, _), (.form, _), (.whatsNew, _): content.takesTwoActs || wasTakenBack
        }
    }

    /// The sign-in has changed.
    package mutating func signInChanged(to signIn: SignInState) {
        self.signIn = signIn
    }

    /// It can no longer be answered here: it was answered elsewhere, withdrawn, its time was over, or the daemon was lost.
    ///
    /// - Parameter wasCompleted: whether it is a form that was completed here.
    package mutating func presentationClosed(_ id: UInt64, wasCompleted: Bool) {
        guard let presentation, presentation.id == id else { return }
        // Nobody types into a paywall.
        let isExpected = isSent || wasCompleted || presentation.content.kind == .paywall
        wasTakenBack = wasTakenBack || !isExpected
        end()
    }

    /// The daemon has taken the answer or the dismissal. The presentation may be closed already.
    package mutating func answerTaken(_ id: UInt64) {
        if isCurrent(id) { end() }
    }

    /// The person has done something about it themselves, by another way than an input: they are not typing for what was
    /// there before.
    package mutating func personActed() {
        wasTakenBack = false
    }

    /// The answer or the dismissal was refused.
    ///
    /// - Parameters:
    ///   - why: made harmless for the screen.
    ///   - leavesOpen: whether the question can still be answered.
    package mutating func answerRefused(_ id: UInt64, _ why: String, leavesOpen: Bool) {
        guard isCurrent(id) else { return }
        note = ScreenNote(text: why, isGood: false)
        switch state {
        // What the state closes stays until then.
        case .sent(let presentation) where leavesOpen || presentation.challenge == nil: state = .asking(presentation)
        // A hold that was refused when it began is begun anew.
        case .asking(let presentation) where leavesOpen || presentation.challenge == nil: progress.pressedAt = nil
        case .asking, .sent: end()
        case .idle: break
        }
    }

    // MARK: The screen

    /// The presentation on the screen, also while its answer is being sent; `nil`: there is none.
    package var presentation: Presentation? {
        switch state {
        case .idle: nil
        case .asking(let presentation), .sent(let presentation): presentation
        }
    }

    /// When a hold began.
    package var pressedAt: BootTime? { progress.pressedAt }

    /// Whether an answer or a dismissal is under way.
    package var isSent: Bool {
        switch state {
        case .sent: true
        case .idle, .asking: false
        }
    }

    /// Whether a name and a password are being checked, from here or from elsewhere (F-66, F-68).
    package var isChecking: Bool { presentation?.content.kind == .signIn && (isSent || signIn.isAuthenticating) }

    /// The deadline that is counted down to. What the state alone closes has no end that a person has to know of.
    package var countedDeadline: BootTime? {
        guard let summary = presentation?.summary, sharesClock, summary.isDismissible else { return nil }
        return summary.deadline == .never ? nil : summary.deadline
    }

    /// Whether it waits to be drawn before the second of reading begins.
    package var isWaitingToBeDrawn: Bool { presentation != nil && !isSent && reading.drawnAt == nil }

    /// When the second of reading is over; `nil`: it is not on the screen yet.
    package var readingEnd: BootTime? { reading.end }

    /// It is on the screen, or still is.
    package mutating func drawn(_ id: UInt64, at now: BootTime) -> [Action] {
        guard isWaitingToBeDrawn, isCurrent(id) else { return [] }
        reading.drawn(at: now)
        defer { isReported = true }
        return isReported ? [] : [.report(.shown)]
    }

    /// Other things to press stand there now, which are read first.
    package mutating func changed() {
        reading = ReadingTime()
    }

    /// Whether a person can mean it with what they do.
    package func takesInput(at now: BootTime) -> Bool { presentation != nil && !isSent && reading.isOver(at: now) }

    // MARK: The person

    /// A person does something. The last words go.
    ///
    /// - Returns: whether that may be an answer, or a part of one: it was read, and the first act is done.
    package mutating func takesAct(at now: BootTime) -> Bool {
        guard takesInput(at: now) else { return false }
        note = isLocked ? ScreenNote(text: localized("That was not taken.")) : nil
        return !isLocked
    }

    /// A person did something.
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
            // Another question now, and it is read first as every other.
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
        case .signedIn(let name, let password):
            return signedIn(name, password, for: presentation)
        // A form has a machine of its own.
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
        guard presentation.content.kind == .signIn, !isChecking else { return [] }
        guard !name.isEmpty else {
            note = ScreenNote(text: localized("The name is empty."))
            return []
        }
        guard password.byteCount > 0 else {
            note = ScreenNote(text: localized("The password is empty."))
            return []
        }
        state = .sent(presentation)
        return [.logIn(name: name, password: password)]
    }

    private mutating func sent(_ action: Action, _ presentation: Presentation) -> [Action] {
        (state, wasTakenBack, note) = (.sent(presentation), false, nil)
        return [action]
    }

    // MARK: Within

    /// Whether it is on the screen, or was the last that was.
    private func isCurrent(_ id: UInt64) -> Bool { presentation.map { $0.id == id } ?? true }

    private mutating func end() {
        state = .idle
        progress = ScreenProgress()
        isLocked = false
    }
}

/// The last words to a person about what they did, or about what came of it.
package struct ScreenNote: Hashable, Sendable {
    package var text: String
    /// `nil`: neither good nor bad.
    package var isGood: Bool?

    /// Makes a note of these values.
    package init(text: String, isGood: Bool? = nil) {
        self.text = text
        self.isGood = isGood
    }
}
