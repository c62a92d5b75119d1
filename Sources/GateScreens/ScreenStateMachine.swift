package import GateModel
package import GateTexts

/// The screen of a presenter with windows: which one stands there, when it goes, and what may be pressed. Decides; draws and
/// calls nothing.
///
/// Nothing is taken in the first second after a question was drawn. Listed silent drops: what is pressed too early, twice, or
/// on a screen that has gone; news about a presentation that is not on the screen.
package struct ScreenStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// Nothing is asked, and there is no window. Can go to: asking.
        case idle
        /// A person is asked. Can go to: sent, idle.
        case asking(Presentation)
        /// An answer or a dismissal is under way to the daemon. Can go to: asking (it was none), idle.
        case sent(Presentation)
    }

    /// The next thing to tell the daemon.
    package enum Action: Hashable, Sendable {
        /// A person can see it.
        case report(PresentationInput)
        /// The answer.
        case complete(ChallengeAnswer)
        /// A name and a password.
        case logIn(name: String, password: GateSecret)
        /// It is closed without an answer.
        case dismiss
        /// If this page may be opened, it is closed, and the page opens once its gate has let it pass (S-08).
        case follow(String)
        /// Something about the form.
        case form(FormAction)
    }

    /// The kinds that have a screen.
    package static let kinds = Set(Presentation.Kind.allCases)

    /// Those whose answer only grown-ups know.
    package static let secretKinds: Set<Presentation.Kind> = [.challenge(.passcode), .challenge(.totp), .signIn]

    private let reader: ScreenReader
    private let opensPages: Bool
    private let hasScreenOfItsOwn: Bool
    private var state = State.idle
    private var names = AskerNames()
    /// Whether its deadline can be compared with this device's clock.
    private var sharesClock = false
    private var reading = ReadingTime()
    private var note = ""
    /// Whether the daemon knows that a person can see it.
    private var isReported = false
    private var progress = ScreenProgress()
    /// The form that is filled in; `nil`: it is none, or it is not there yet.
    private var form: FormScreen?
    /// The page before it; `nil`: the person has chosen how to begin, or there is nothing to choose.
    private var start: FormStart?
    /// Whether the first of two acts is still to be done.
    private var isLocked = false
    /// Whether what was asked before went by itself: the person may still be typing, a secret perhaps, for that.
    private var wasTakenBack = false
    /// Whether somebody's name and password are being checked, from here or from elsewhere.
    private var isAuthenticating = false
    /// The question on another screen that is not for this one. Its notice stands while nothing is asked here.
    private var elsewhere = ElsewhereNotice()

    /// Begins with an empty screen.
    ///
    /// - Parameters:
    ///   - opensPages: whether there is a browser on this screen, for pages that pass the gate.
    ///   - hasScreenOfItsOwn: whether nothing else is on this screen, that a name could have been typed for.
    package init(for reader: ScreenReader, opensPages: Bool = false, hasScreenOfItsOwn: Bool = false) {
        self.reader = reader
        self.opensPages = opensPages
        self.hasScreenOfItsOwn = hasScreenOfItsOwn
    }

    // MARK: The daemon

    /// This is to be shown. What was on the screen before was closed before.
    ///
    /// - Parameters:
    ///   - names: of those who take part in asking.
    ///   - sharesClock: whether its deadline can be compared with this device's clock.
    package mutating func presentationCame(_ presentation: Presentation, names: AskerNames, sharesClock: Bool) {
        state = .asking(presentation)
        self.names = names
        self.sharesClock = sharesClock
        reading = ReadingTime()
        isReported = false
        note = ""
        progress = ScreenProgress()
        form = nil
        start = nil
        // On a screen of its own the name and the password can be typed at once.
        let isOpen = hasScreenOfItsOwn && presentation.content.kind == .signIn && !wasTakenBack
        isLocked = !isOpen && presentation.content.isLocked(afterTakenBack: wasTakenBack)
    }

    /// The sign-in has changed.
    package mutating func signInChanged(to signIn: SignInState) {
        isAuthenticating = signIn.isAuthenticating
    }

    /// A secret is on another screen, and not for this one (S-15); `nil`: none is.
    ///
    /// - Parameter names: of those who take part in asking.
    package mutating func elsewhereChanged(to elsewhere: PresentationElsewhere?, names: AskerNames) {
        self.elsewhere.changed(to: elsewhere, names: names)
    }

    /// Whether what was asked last went by itself, and nothing was done since: the person may still be typing for it.
    package var mayStillBeTyping: Bool { wasTakenBack }

    /// It can no longer be answered here: it was answered elsewhere, withdrawn, its time was over, or the daemon was lost.
    package mutating func presentationClosed(_ id: UInt64) {
        guard let presentation, presentation.id == id else { return }
        // Into a paywall nobody types, and a form that was completed here has not gone by itself.
        let isExpected = isSent || presentation.content.kind == .paywall || form?.isCompleting ?? false
        wasTakenBack = wasTakenBack || !isExpected
        state = .idle
    }

    /// The daemon has taken the answer or the dismissal.
    package mutating func answerTaken(_ id: UInt64) {
        if isCurrent(id) { state = .idle }
    }

    /// The answer or the dismissal was refused.
    ///
    /// - Parameter leavesOpen: whether the question can still be answered.
    package mutating func answerRefused(_ id: UInt64, _ error: GateError, leavesOpen: Bool) {
        guard isCurrent(id) else { return }
        switch state {
        case .sent(let presentation) where leavesOpen || presentation.challenge == nil:
            // What the state closes stays until then.
            state = .asking(presentation)
            note = RefusalText.sentence(error).foreignLine
        case .sent: state = .idle
        case .asking:
            // A hold that was refused when it began is begun anew.
            note = RefusalText.sentence(error).foreignLine
            progress.pressedAt = nil
        case .idle: break
        }
    }

    /// There is more than one way to begin with the form: the person chooses. It is read first, as every question.
    ///
    /// - Parameter wall: by the clock of the device.
    package mutating func formMayBegin(_ id: UInt64, _ beginnings: FormBeginnings, wall: LocalTime) {
        guard isCurrent(id), form == nil else { return }
        start = FormStart(beginnings, now: wall)
        reading = ReadingTime()
    }

    /// The form is there, with its draft.
    package mutating func formOpened(
        _ id: UInt64, _ questionnaire: Questionnaire, _ standing: FormStanding, at now: BootTime
    ) {
        guard isCurrent(id) else { return }
        note = ""
        start = nil
        if form == nil { form = FormScreen(questionnaire, standing, at: now) }
    }

    /// The form could not be fetched, which is tried again.
    package mutating func formFailed(_ id: UInt64, _ error: GateError) {
        if isCurrent(id) { note = RefusalText.sentence(error).foreignLine }
    }

    /// Something about the form has come from the daemon.
    package mutating func formHeard(_ id: UInt64, _ hear: (inout FormScreen) -> Void) {
        guard isCurrent(id), var form else { return }
        hear(&form)
        self.form = form
    }

    // MARK: The screen

    /// The number of the question on the screen, also while its answer is being sent; `nil` where there is no question.
    package var presentationID: UInt64? { presentation?.id }

    /// Whether the picture waits to be drawn before the second of reading begins.
    package var isWaitingToBeDrawn: Bool {
        switch state {
        case .asking: reading.drawnAt == nil
        case .idle: elsewhere.isWaitingToBeDrawn
        case .sent: false
        }
    }

    /// The picture is on the screen.
    package mutating func drawn(_ id: UInt64, at now: BootTime) -> [Action] {
        if presentation == nil, elsewhere.id == id { elsewhere.drawn(at: now) }
        guard isCurrent(id), isWaitingToBeDrawn else { return [] }
        reading.drawn(at: now)
        defer { isReported = true }
        return isReported ? [] : [.report(.shown)]
    }

    /// The picture; `nil`: there is no window.
    package func picture(at now: BootTime) -> ScreenModel? {
        guard let presentation else { return elsewhere.picture(at: now, reader) }
        guard
            let body = presentation.content.body(
                progress, reader, form: form?.picture(at: now), start: start, isChecking: isChecking,
                opensPages: opensPages)
        else { return nil }
        let summary = presentation.summary
        return ScreenModel(
            id: presentation.id, asked: AskedPicture(summary, names, reader),
            heading: presentation.heading(reader), body: body,
            coversMonitor: summary.style == .fullScreenCover, isDismissible: summary.isDismissible,
            opening: isLocked ? localized("I have read it") : "",
            takesAnswer: takesInput(at: now) && !isChecking,
            takesDismissal: summary.isDismissible && takesInput(at: now),
            note: isSent ? localized("One moment.") : note.isEmpty ? body.note : note,
            timeLeft: timeLeft(of: presentation, at: now))
    }

    /// When the picture changes by itself; `nil`: it does not.
    package func nextChange(after now: BootTime) -> BootTime? {
        guard let presentation else { return elsewhere.nextChange(after: now) }
        let readingEnd = reading.end.flatMap { $0 > now ? $0 : nil }
        let second = isCounted(presentation) ? Self.nextSecond(before: presentation.deadline, after: now) : nil
        return [readingEnd, second, form?.nextChange(after: now)].compactMap { $0 }.min()
    }

    // MARK: The person

    /// A person did something.
    package mutating func inputReceived(_ input: ScreenInput, at now: BootTime) -> [Action] {
        if presentation == nil, input == .dismissed { elsewhere.dismissed(at: now) }
        guard case .asking(let presentation) = state, takesInput(at: now) else { return [] }
        note = ""
        switch input {
        case .dismissed:
            guard presentation.summary.isDismissible else {
                note = presentation.content.lastingText
                return []
            }
            state = .sent(presentation)
            wasTakenBack = false
            return [.dismiss]
        case .opened:
            isLocked = false
            wasTakenBack = false
            // Other buttons stand there now.
            reading = ReadingTime()
            return []
        case _ where isLocked: return []
        case .chosen(ScreenInput.yes) where presentation.content.kind == .challenge(.confirm) && !progress.isSure:
            // Another question now, and it is read first as every other.
            progress.isSure = true
            reading = ReadingTime()
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
            note = localized("The payment is looked for. This closes by itself when it is found.")
            return [.report(.restore)]
        case .followed(let index):
            guard opensPages, case .paywall(let paywall) = presentation.content, paywall.offers.indices.contains(index),
                let page = paywall.offers[index].url
            else { return [] }
            state = .sent(presentation)
            return [.follow(page)]
        case .signedIn(let name, let password):
            return signedIn(name, password, for: presentation)
        case .form(let input):
            guard var form else { return begins(input) }
            defer { self.form = form }
            return form.inputReceived(input, at: now).map { .form($0) }
        case .chosen, .typed, .typedSecret, .dated, .released, .swiped, .finished:
            guard let answer = presentation.content.answer(input, progress, reader) else {
                note = input == .released ? "" : localized("That was empty.")
                return []
            }
            state = .sent(presentation)
            wasTakenBack = false
            return [.complete(answer)]
        }
    }

    private mutating func begins(_ input: FormInput) -> [Action] {
        guard case .began(let index) = input, let beginning = start?.beginning(index) else { return [] }
        start = nil
        wasTakenBack = false
        return [.form(.begin(beginning))]
    }

    private mutating func signedIn(_ name: String, _ password: GateSecret, for presentation: Presentation) -> [Action] {
        guard presentation.content.kind == .signIn, !isChecking else { return [] }
        guard !name.isEmpty else {
            note = localized("The name is empty.")
            return []
        }
        guard password.byteCount > 0 else {
            note = localized("The password is empty.")
            return []
        }
        state = .sent(presentation)
        return [.logIn(name: name, password: password)]
    }

    // MARK: Within

    private var presentation: Presentation? {
        switch state {
        case .idle: nil
        case .asking(let presentation), .sent(let presentation): presentation
        }
    }

    private var isSent: Bool {
        switch state {
        case .sent: true
        case .idle, .asking: false
        }
    }

    /// Whether a name and a password are being checked (F-66, F-68).
    private var isChecking: Bool { presentation?.content.kind == .signIn && (isSent || isAuthenticating) }

    private func isCurrent(_ id: UInt64) -> Bool { presentation?.id == id }

    private func takesInput(at now: BootTime) -> Bool { !isSent && reading.isOver(at: now) }

    /// Whether the time is counted down: what the state alone closes has no end that a person has to know of.
    private func isCounted(_ presentation: Presentation) -> Bool {
        sharesClock && presentation.summary.isDismissible && presentation.deadline != .never
    }

    private func timeLeft(of presentation: Presentation, at now: BootTime) -> String {
        guard isCounted(presentation) else { return "" }
        return DurationWords.left(now.duration(to: presentation.deadline))
    }

    private static func nextSecond(before deadline: BootTime, after now: BootTime) -> BootTime? {
        let left = now.duration(to: deadline).clampedNanoseconds
        guard left > 0 else { return nil }
        let rest = left % 1_000_000_000
        return now.advanced(by: .nanoseconds(rest == 0 ? 1_000_000_000 : rest))
    }
}

extension Presentation {
    /// The request to the person; of a form with its title.
    fileprivate func heading(_ reader: ScreenReader) -> String {
        let heading = AskedWords(summary).heading
        guard case .form(let invitation) = content, !invitation.title.isEmpty, !summary.asked.isAppsOwn else {
            return heading
        }
        return "\(heading) \(invitation.titles.text(for: reader.languages).foreignLine)"
    }
}

extension Presentation.Content {
    /// Whether the ways to answer wait for a first act. A permission asks twice instead.
    fileprivate func isLocked(afterTakenBack wasTakenBack: Bool) -> Bool {
        switch kind {
        case .challenge(.confirm), .paywall, .unrecognized: false
        case .challenge, .signIn, .form, .whatsNew: takesTwoActs || wasTakenBack
        }
    }
}
