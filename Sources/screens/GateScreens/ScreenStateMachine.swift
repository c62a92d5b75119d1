package import GateModel
package import GateTexts

/// The screen of a presenter with windows: which one stands there, and what is in it. Decides; draws and calls nothing.
/// What may be pressed, and when, is decided by `PresenterStateMachine`, as for a terminal.
package struct ScreenStateMachine: Hashable, Sendable {
    package typealias Action = PresenterStateMachine.Action

    /// The kinds that have a screen.
    package static let kinds = Set(Presentation.Kind.allCases)

    /// Those whose answer only grown-ups know.
    package static let secretKinds: Set<Presentation.Kind> = [.challenge(.passcode), .challenge(.totp), .signIn]

    private let reader: ScreenReader
    private var presenter: PresenterStateMachine
    private var names = AskerNames()
    /// The form that is filled in; `nil`: it is none, or it is not there yet.
    private var form: FormScreen?
    /// The page before it; `nil`: the person has chosen how to begin, or there is nothing to choose.
    private var start: FormStart?
    /// The question on another screen that is not for this one. Its notice stands while nothing is asked here.
    private var elsewhere = ElsewhereNotice()

    /// Begins with an empty screen.
    ///
    /// - Parameters:
    ///   - opensPages: whether there is a browser on this screen, for pages that pass the gate.
    ///   - hasScreenOfItsOwn: whether nothing else is on this screen, that a name could have been typed for.
    package init(for reader: ScreenReader, opensPages: Bool = false, hasScreenOfItsOwn: Bool = false) {
        self.reader = reader
        presenter = PresenterStateMachine(on: hasScreenOfItsOwn ? .ownScreen : .window, opensPages: opensPages)
    }

    // MARK: The daemon

    /// This is to be shown. What was on the screen before was closed before.
    ///
    /// - Parameters:
    ///   - names: of those who take part in asking.
    ///   - sharesClock: whether its deadline can be compared with this device's clock.
    package mutating func presentationCame(_ presentation: Presentation, names: AskerNames, sharesClock: Bool) {
        presenter.presentationCame(presentation, sharesClock: sharesClock)
        (self.names, form, start) = (names, nil, nil)
    }

    /// The sign-in has changed.
    package mutating func signInChanged(to signIn: SignInState) {
        presenter.signInChanged(to: signIn)
    }

    /// A secret is on another screen, and not for this one (S-15); `nil`: none is.
    ///
    /// - Parameter names: of those who take part in asking.
    package mutating func elsewhereChanged(to elsewhere: PresentationElsewhere?, names: AskerNames) {
        self.elsewhere.changed(to: elsewhere, names: names)
    }

    /// Whether what was asked last went by itself, and nothing was done since: the person may still be typing for it.
    package var mayStillBeTyping: Bool { presenter.wasTakenBack }

    /// It can no longer be answered here: it was answered elsewhere, withdrawn, its time was over, or the daemon was lost.
    package mutating func presentationClosed(_ id: UInt64) {
        presenter.presentationClosed(id, wasCompleted: form?.isCompleting ?? false)
    }

    /// The daemon has taken the answer or the dismissal.
    package mutating func answerTaken(_ id: UInt64) {
        presenter.answerTaken(id)
    }

    /// The answer or the dismissal was refused.
    ///
    /// - Parameter leavesOpen: whether the question can still be answered.
    package mutating func answerRefused(_ id: UInt64, _ error: GateError, leavesOpen: Bool) {
        presenter.answerRefused(id, RefusalText.sentence(error).foreignLine, leavesOpen: leavesOpen)
    }

    /// There is more than one way to begin with the form: the person chooses. It is read first, as every question.
    ///
    /// - Parameter wall: by the clock of the device.
    package mutating func formMayBegin(_ id: UInt64, _ beginnings: FormBeginnings, wall: LocalTime) {
        guard presentationID == id, form == nil else { return }
        start = FormStart(beginnings, now: wall)
        presenter.changed()
    }

    /// The form is there, with its draft.
    package mutating func formOpened(
        _ id: UInt64, _ questionnaire: Questionnaire, _ standing: FormStanding, at now: BootTime
    ) {
        guard presentationID == id else { return }
        presenter.note = nil
        start = nil
        if form == nil { form = FormScreen(questionnaire, standing, at: now) }
    }

    /// The form could not be fetched, which is tried again.
    package mutating func formFailed(_ id: UInt64, _ error: GateError) {
        guard presentationID == id else { return }
        presenter.note = ScreenNote(text: RefusalText.sentence(error).foreignLine, isGood: false)
    }

    /// Something about the form has come from the daemon.
    package mutating func formHeard(_ id: UInt64, _ hear: (inout FormScreen) -> Void) {
        guard presentationID == id, var form else { return }
        hear(&form)
        self.form = form
    }

    // MARK: The screen

    /// The number of the question on the screen, also while its answer is being sent; `nil` where there is no question.
    package var presentationID: UInt64? { presenter.presentation?.id }

    /// Whether the picture waits to be drawn before the second of reading begins.
    package var isWaitingToBeDrawn: Bool {
        presenter.presentation == nil ? elsewhere.isWaitingToBeDrawn : presenter.isWaitingToBeDrawn
    }

    /// The picture is on the screen.
    package mutating func drawn(_ id: UInt64, at now: BootTime) -> [Action] {
        if presentationID == nil, elsewhere.id == id { elsewhere.drawn(at: now) }
        return presenter.drawn(id, at: now)
    }

    /// The picture; `nil`: there is no window.
    package func picture(at now: BootTime) -> ScreenModel? {
        guard let presentation = presenter.presentation else { return elsewhere.picture(at: now, reader) }
        guard
            let body = presentation.content.body(
                presenter.progress, reader, form: form?.picture(at: now), start: start,
                isChecking: presenter.isChecking, opensPages: presenter.opensPages)
        else { return nil }
        let summary = presentation.summary
        let takesInput = presenter.takesInput(at: now)
        return ScreenModel(
            id: presentation.id, asked: AskedPicture(summary, names, reader),
            heading: presentation.heading(reader), body: body,
            coversMonitor: summary.style == .fullScreenCover, isDismissible: summary.isDismissible,
            opening: presenter.isLocked ? ScreenWords.haveRead : "",
            takesAnswer: takesInput && !presenter.isChecking,
            takesDismissal: summary.isDismissible && takesInput,
            note: presenter.isSent ? ScreenWords.oneMoment : presenter.note?.text ?? body.note,
            timeLeft: presenter.countedDeadline.map { DurationWords.left(now.duration(to: $0)) } ?? "")
    }

    /// When the picture changes by itself; `nil`: it does not.
    package func nextChange(after now: BootTime) -> BootTime? {
        guard presentationID != nil else { return elsewhere.nextChange(after: now) }
        let readingEnd = presenter.readingEnd.flatMap { $0 > now ? $0 : nil }
        let second = presenter.countedDeadline.flatMap { Self.nextSecond(before: $0, after: now) }
        return [readingEnd, second, form?.nextChange(after: now)].compactMap { $0 }.min()
    }

    // MARK: The person

    /// A person did something.
    package mutating func inputReceived(_ input: ScreenInput, at now: BootTime) -> [Action] {
        if presentationID == nil, input == .dismissed { elsewhere.dismissed(at: now) }
        guard case .form(let input) = input else { return presenter.inputReceived(input, at: now) }
        guard presenter.takesAct(at: now) else { return [] }
        guard var form else { return begins(input) }
        defer { self.form = form }
        return form.inputReceived(input, at: now).map { .form($0) }
    }

    private mutating func begins(_ input: FormInput) -> [Action] {
        guard case .began(let index) = input, let beginning = start?.beginning(index) else { return [] }
        start = nil
        presenter.personActed()
        return [.form(.begin(beginning))]
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
