package import GateModel
package import GateTexts

/// Everything on the screen, as a value. The program that draws it decides nothing. ScreenContent.swift has what is
/// between head and foot.
package struct ScreenModel: Hashable, Sendable {
    /// The number of the presentation. Another number means another window.
    package let id: UInt64
    package let asked: AskedPicture
    package let heading: String
    package let body: Body
    package let coversMonitor: Bool
    package let isDismissible: Bool
    /// The label of the first act's button, which shows the ways to answer. Empty if they are shown already.
    package let opening: String
    package let takesAnswer: Bool
    package let takesDismissal: Bool
    /// The line below the question: what was wrong, or what is going on. May be empty.
    package let note: String
    /// `4:59 left`. Empty if nothing is counted down.
    package let timeLeft: String
    /// Whether the question is closed already, and only its window stays, because a person may still be typing.
    package var isTakenBack = false

    /// The same picture after its question was closed by itself. Nothing in it takes an answer.
    var takenBack: ScreenModel {
        ScreenModel(
            id: id, asked: asked, heading: heading, body: body, coversMonitor: coversMonitor,
            isDismissible: isDismissible, opening: opening, takesAnswer: false, takesDismissal: false,
            note: ScreenWords.takenBack, timeLeft: "", isTakenBack: true)
    }

    package var dismissal: String {
        switch body {
        case .elsewhere: ScreenWords.close
        case .sum, .typedSum, .shapes, .quiz, .confirm, .birthdate, .secret, .hold, .swipe, .signIn, .paywall, .notes,
            .form:
            ScreenWords.notNow
        }
    }

    package var spokenName: String { ListText.pair("Gate", asked.title) }

    /// All words for a screen reader that comes to the window: what is asked for, who asks, and the question.
    package var spokenText: String {
        let parts = [
            asked.title, asked.detailsSource, asked.details, asked.who, spokenProgram, heading, body.spokenQuestion,
        ]
        return parts.filter { !$0.isEmpty }.map { $0.last.map { ".:?!…。：？！".contains($0) } ?? true ? $0 : "\($0)." }
            .joined(separator: " ")
    }

    private var spokenProgram: String {
        asked.program.isEmpty ? "" : "\(ScreenWords.callsItself) \(asked.program)"
    }
}

/// Something that a person did on the screen.
package enum ScreenInput: Hashable, Sendable {
    /// Did the first of two acts.
    case opened
    /// Pressed the button of a choice, counted from 0. For a permission: `no` or `yes`.
    case chosen(Int)
    case typed(String)
    /// Typed a passcode, or an authenticator's code.
    case typedSecret(GateSecret)
    /// The year is counted as the question's calendar does.
    case dated(year: Int, month: Int, day: Int)
    case pressed
    case released
    case swiped(SwipeGesture)
    /// Made one stroke of a gesture with the mouse or an arrow key.
    case stroked(SwipeGesture.Direction)
    /// Finished the gesture that the strokes make.
    case finished
    /// Typed an answer on a terminal's line, which was parsed already; `nil` if the line is no answer.
    case answered(ChallengeAnswer?)
    case signedIn(name: String, password: GateSecret)
    /// Says that the purchase was paid already, so that the daemon looks for the payment.
    case restored
    /// Pressed the button that opens the page of an offer, counted from 0.
    case followed(Int)
    /// Pressed the button of a sign-in that opens the page of people in `gate-settings`.
    case peopleOpened
    case form(FormInput)
    /// Pressed Escape, or a button that closes the screen.
    case dismissed

    package static let no = 0
    package static let yes = 1
}

/// The head of every screen: what is asked for, and who asks. Each text has a label of its own.
package struct AskedPicture: Hashable, Sendable {
    /// The subject, in a few words of Gate or of an administrator.
    package let title: String
    /// What exactly would be done, in the requester's words: an address, a command line, an amount. May be empty.
    package let details: String
    /// Tells a screen reader what the frame tells the eye: the details are the requester's words. Empty if not.
    package let detailsSource: String
    /// `Asked by anna`, which the kernel vouches for, and a warning if no administrator has read the words.
    package let who: String
    /// The name that the program gives itself, which nobody has checked. May be empty.
    package let program: String

    package init(_ summary: PresentationSummary, _ names: AskerNames, _ reader: ScreenReader) {
        let words = AskedWords(summary, for: reader.languages)
        title = words.title.foreignLine
        details = words.details.foreignLine
        detailsSource = words.areDetailsTheAskers && !details.isEmpty ? ScreenWords.programsWords : ""
        who = [words.who(names.map(\.foreignLine)), words.caution].compactMap(\.self).joined(separator: " ")
        program = words.isAskedByGate ? "" : summary.asked.program.foreignLine
    }
}

/// Decides what a presenter with windows shows. It draws nothing and makes no calls. `QuestionStateMachine` decides
/// what can be pressed and when; this wraps it with a window's form, how to begin with it, and the notice about another
/// screen. Those change together with the presentation, and here a test without a display can see that they do.
package struct ScreenStateMachine: Hashable, Sendable {
    package typealias Action = QuestionStateMachine.Action

    package static let kinds = Set(Presentation.Kind.allCases)

    /// The kinds that are answered with a secret: a passcode, an authenticator's code, or a password.
    package static let secretKinds: Set<Presentation.Kind> = [.challenge(.passcode), .challenge(.totp), .signIn]

    private let reader: ScreenReader
    private var presenter: QuestionStateMachine
    private var names = AskerNames()
    /// The form that is being filled in; `nil` if this is no form, or it was not fetched yet.
    private var form: FormScreen?
    /// The page on which the person chooses how to begin with the form; `nil` if they have chosen, or have no choice.
    private var start: FormStart?
    /// The question on another screen that this one must not show. Its notice is shown while this screen asks nothing.
    private var elsewhere = ElsewhereNotice()
    /// Whether the person is typing, and the window that stays for that.
    private var typing = TypingStateMachine()
    /// Whether a window stays if its question is closed while the person types. False on Gate's own screen, where
    /// `ScreenSwitchStateMachine` keeps the keys away from other programs.
    private let keepsWindow: Bool
    /// Whether windows hide the desktop, and with it the windows of other programs.
    package var isDesktopHidden = false

    /// `opensPages`: there is a browser here. `hasScreenOfItsOwn`: nothing else is on this screen for which a person
    /// could have been typing a name.
    package init(for reader: ScreenReader, opensPages: Bool = false, hasScreenOfItsOwn: Bool = false) {
        self.reader = reader
        keepsWindow = !hasScreenOfItsOwn
        presenter = QuestionStateMachine(on: hasScreenOfItsOwn ? .ownScreen : .window, opensPages: opensPages)
    }

    // MARK: The daemon

    /// The presentation before was closed already.
    package mutating func presentationCame(_ presentation: Presentation, names: AskerNames, sharesClock: Bool) {
        presenter.presentationCame(presentation, sharesClock: sharesClock)
        typing.presentationCame()
        (self.names, form, start) = (names, nil, nil)
    }

    /// Another screen shows a question with a secret that this one must not show; `nil`: none does.
    package mutating func elsewhereChanged(to elsewhere: PresentationElsewhere?, names: AskerNames) {
        self.elsewhere.changed(to: elsewhere, names: names)
    }

    /// Whether the last presentation was closed by itself, and the person may still be typing for it.
    package var mayStillBeTyping: Bool { presenter.wasTakenBack }

    /// If the person was typing, the window stays until they have stopped.
    package mutating func presentationClosed(_ id: UInt64) {
        let left = keepsWindow && presentationID == id ? typing.lastKey.flatMap { picture(at: $0) } : nil
        let wasCompleted = form?.isCompleting ?? false
        // A paywall closes by itself when it is paid for, which does not end what was typed for a question before it.
        let isLeftOver = typing.isLeftOver && !presenter.isSent && !wasCompleted
        let isTakenBack = presenter.presentationClosed(id, wasCompleted: wasCompleted)
        guard presentationID == nil else { return }
        if isTakenBack || isLeftOver, let left { typing.wasTakenBack(leaving: left) } else { typing.wasAnswered() }
    }

    package mutating func answerTaken(_ id: UInt64) {
        presenter.answerTaken(id)
        if presentationID == nil { typing.wasAnswered() }
    }

    package mutating func paymentNotFound(_ id: UInt64, _ words: String) {
        presenter.paymentNotFound(id, words)
    }

    package mutating func answerRefused(_ id: UInt64, _ error: GateError, leavesOpen: Bool) {
        presenter.answerRefused(id, RefusalText.sentence(error).foreignLine, leavesOpen: leavesOpen)
    }

    /// The person can choose how to begin with the form. That page is read for a second first, like every question.
    /// `wall` is the time by the device's clock.
    package mutating func formMayBegin(_ id: UInt64, _ beginnings: FormBeginnings, wall: LocalTime) {
        guard presentationID == id, form == nil else { return }
        start = FormStart(beginnings, now: wall)
        presenter.changed()
    }

    package mutating func formOpened(
        _ id: UInt64, _ questionnaire: Questionnaire, _ standing: FormStanding, at now: BootTime
    ) {
        guard presentationID == id else { return }
        presenter.note = nil
        start = nil
        if form == nil { form = FormScreen(questionnaire, standing, at: now) }
    }

    /// The form could not be fetched. Fetching is tried again.
    package mutating func formFailed(_ id: UInt64, _ error: GateError) {
        guard presentationID == id else { return }
        presenter.note = ScreenNote(text: RefusalText.sentence(error).foreignLine, isGood: false)
    }

    /// Applies something that the daemon reported about the form.
    package mutating func formHeard(_ id: UInt64, _ hear: (inout FormScreen) -> Void) {
        guard presentationID == id, var form else { return }
        hear(&form)
        self.form = form
    }

    // MARK: The screen

    package var presentationID: UInt64? { presenter.presentation?.id }

    /// Whether the picture has to be drawn before the second of reading begins.
    package var isWaitingToBeDrawn: Bool {
        guard presenter.presentation == nil else { return presenter.isWaitingToBeDrawn }
        return !typing.isTakenBack && elsewhere.isWaitingToBeDrawn
    }

    package mutating func drawn(_ id: UInt64, at now: BootTime) -> [Action] {
        if presentationID == nil, elsewhere.id == id { elsewhere.drawn(at: now) }
        return presenter.drawn(id, at: now)
    }

    /// The picture; `nil` if no window is shown.
    package func picture(at now: BootTime) -> ScreenModel? {
        guard let presentation = presenter.presentation else {
            return typing.picture(at: now) ?? elsewhere.picture(at: now, reader)
        }
        guard
            let body = presentation.content.body(
                presenter.progress, reader, form: form?.picture(at: now), start: start,
                isChecking: presenter.isChecking, opensPages: presenter.opensPages,
                opensSettings: opensSettings(for: presentation.summary))
        else { return nil }
        let summary = presentation.summary
        let takesInput = presenter.takesInput(at: now)
        return ScreenModel(
            id: presentation.id, asked: AskedPicture(summary, names, reader),
            heading: presentation.heading(reader), body: body,
            coversMonitor: summary.style == .fullScreenCover, isDismissible: summary.isDismissible,
            opening: presenter.isLocked ? ScreenWords.haveRead : "",
            takesAnswer: takesInput,
            takesDismissal: summary.isDismissible && takesInput,
            note: presenter.isSent ? ScreenWords.oneMoment : presenter.note?.text ?? body.note,
            timeLeft: presenter.countedDeadline.map { DurationWords.left(now.duration(to: $0)) } ?? "")
    }

    /// Whether a window of `gate-settings` would be seen beside this question. None opens on Gate's own screen.
    private func opensSettings(for summary: PresentationSummary) -> Bool {
        keepsWindow && !isDesktopHidden && summary.style != .fullScreenCover
    }

    /// When the picture changes by itself; `nil` if it does not.
    package func nextChange(after now: BootTime) -> BootTime? {
        guard presentationID != nil else {
            return [typing.nextChange, elsewhere.nextChange(after: now)].compactMap { $0 }.min()
        }
        let readingEnd = presenter.readingEnd.flatMap { $0 > now ? $0 : nil }
        let second = presenter.countedDeadline.flatMap { Self.nextSecond(before: $0, after: now) }
        return [readingEnd, second, form?.nextChange(after: now)].compactMap { $0 }.min()
    }

    package mutating func timePassed(at now: BootTime) {
        typing.timePassed(at: now)
    }

    // MARK: The person

    /// The person pressed a key or a button in the window. If that is an input, `inputReceived` is called too.
    package mutating func keyPressed(at now: BootTime) {
        guard presentationID != nil || typing.isTakenBack else { return }
        typing.keyPressed(at: now)
    }

    package mutating func inputReceived(_ input: ScreenInput, at now: BootTime) -> [Action] {
        if presentationID == nil, input == .dismissed {
            if typing.isTakenBack { typing.dismissed() } else { elsewhere.dismissed(at: now) }
        }
        if input == .peopleOpened, let summary = presenter.presentation?.summary, !opensSettings(for: summary) {
            return []
        }
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
    /// What the person is asked to do. For a form, its title follows.
    fileprivate func heading(_ reader: ScreenReader) -> String {
        let heading = AskedWords(summary).heading
        guard case .form(let invitation) = content, !invitation.title.isEmpty, !summary.asked.isAppsOwn else {
            return heading
        }
        return "\(heading) \(invitation.titles.text(for: reader.languages).foreignLine)"
    }
}
