package import GateModel
import GateTexts

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
        /// It is closed without an answer.
        case dismiss
    }

    /// The kinds that have a screen.
    package static let kinds: Set<Presentation.Kind> = [.challenge(.arithmeticChoice)]

    private var state = State.idle
    private var userName: String?
    /// Whether its deadline can be compared with this device's clock.
    private var sharesClock = false
    private var reading = ReadingTime()
    private var note = ""

    /// Begins with an empty screen.
    package init() {}

    // MARK: The daemon

    /// This is to be shown. What was on the screen before was closed before.
    ///
    /// - Parameters:
    ///   - userName: of the asker; `nil`: the device has no such account.
    ///   - sharesClock: whether its deadline can be compared with this device's clock.
    package mutating func presentationCame(_ presentation: Presentation, userName: String?, sharesClock: Bool) {
        state = .asking(presentation)
        self.userName = userName
        self.sharesClock = sharesClock
        reading = ReadingTime()
        note = ""
    }

    /// It can no longer be answered here: it was answered elsewhere, withdrawn, its time was over, or the daemon was lost.
    package mutating func presentationClosed(_ id: UInt64) {
        if isCurrent(id) { state = .idle }
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
        case .sent(let presentation) where leavesOpen:
            state = .asking(presentation)
            note = RefusalText.sentence(error).foreignLine
        case .sent: state = .idle
        case .idle, .asking: break
        }
    }

    // MARK: The screen

    /// Whether the picture waits to be drawn before the second of reading begins.
    package var isWaitingToBeDrawn: Bool {
        switch state {
        case .asking: reading.drawnAt == nil
        case .idle, .sent: false
        }
    }

    /// The picture is on the screen.
    package mutating func drawn(_ id: UInt64, at now: BootTime) -> [Action] {
        guard isCurrent(id), isWaitingToBeDrawn else { return [] }
        reading.drawn(at: now)
        return [.report(.shown)]
    }

    /// The picture; `nil`: there is no window.
    package func picture(at now: BootTime) -> ScreenPicture? {
        guard let presentation, let body = presentation.content.body else { return nil }
        let summary = presentation.summary
        return ScreenPicture(
            id: presentation.id, asked: AskedPicture(summary, userName: userName), heading: AskedWords(summary).heading,
            body: body,
            coversMonitor: summary.style == .fullScreenCover, isDismissible: summary.isDismissible,
            takesAnswer: takesInput(at: now), takesDismissal: summary.isDismissible && takesInput(at: now),
            note: isSent ? localized("One moment.") : note, timeLeft: timeLeft(of: presentation, at: now))
    }

    /// When the picture changes by itself; `nil`: it does not.
    package func nextChange(after now: BootTime) -> BootTime? {
        guard let presentation else { return nil }
        let readingEnd = reading.end.flatMap { $0 > now ? $0 : nil }
        let second = isCounted(presentation) ? Self.nextSecond(before: presentation.deadline, after: now) : nil
        return [readingEnd, second].compactMap { $0 }.min()
    }

    // MARK: The person

    /// A person did something.
    package mutating func inputReceived(_ input: ScreenInput, at now: BootTime) -> [Action] {
        guard case .asking(let presentation) = state, takesInput(at: now) else { return [] }
        note = ""
        switch input {
        case .dismissed:
            guard presentation.summary.isDismissible else {
                note = localized("This stays until it is answered.")
                return []
            }
            state = .sent(presentation)
            return [.dismiss]
        case .chosen(let index):
            guard let answer = presentation.content.answer(choice: index) else { return [] }
            state = .sent(presentation)
            return [.complete(answer)]
        }
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
