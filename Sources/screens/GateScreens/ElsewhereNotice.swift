import GateModel
import GateTexts

/// The notice on a presenter that must not show the question itself, such as a passcode's. It says what is asked, who
/// asks, and on which screen to answer. A person can put the notice away; the question remains on its screen.
struct ElsewhereNotice: Hashable, Sendable {
    private enum State: Hashable {
        /// No question is on another screen. Can go to: told.
        case none
        /// The notice is shown. Can go to: putAway, told (of another question), none.
        case told(PresentationElsewhere, names: AskerNames)
        /// The person has put the notice away. Can go to: told (of another question), none.
        case putAway(PresentationElsewhere)
    }

    private var state = State.none
    private var reading = ReadingTime()

    /// `elsewhere` is `nil` if no question is on another screen.
    mutating func changed(to elsewhere: PresentationElsewhere?, names: AskerNames) {
        switch (state, elsewhere) {
        case (_, nil): state = .none
        case (.putAway(let before), let now?) where before.summary.id == now.summary.id: state = .putAway(now)
        case (.told(let before, _), let now?) where before.summary.id == now.summary.id:
            state = .told(now, names: names)
        case (_, let now?):
            state = .told(now, names: names)
            reading = ReadingTime()
        }
    }

    /// The number of the presentation that the notice is about; `nil` if no notice is shown.
    var id: UInt64? { told?.elsewhere.summary.id }

    /// Whether the notice has to be drawn before the second of reading begins.
    var isWaitingToBeDrawn: Bool { told != nil && reading.drawnAt == nil }

    mutating func drawn(at now: BootTime) { reading.drawn(at: now) }

    /// The person puts the notice away. Ignored if the question can't be dismissed, and during the second of reading.
    mutating func dismissed(at now: BootTime) {
        guard let told, told.elsewhere.summary.isDismissible, reading.isOver(at: now) else { return }
        state = .putAway(told.elsewhere)
    }

    func picture(at now: BootTime, _ reader: ScreenReader) -> ScreenModel? {
        guard let (elsewhere, names) = told else { return nil }
        let summary = elsewhere.summary
        return ScreenModel(
            id: summary.id, asked: AskedPicture(summary, names, reader),
            heading: localized("This is asked on another screen."),
            body: .elsewhere(ElsewhereWords.sentence(elsewhere)),
            coversMonitor: summary.style == .fullScreenCover, isDismissible: summary.isDismissible, opening: "",
            takesAnswer: false, takesDismissal: summary.isDismissible && reading.isOver(at: now),
            note: summary.isDismissible
                ? "" : localized("This closes only when somebody signs in."),
            timeLeft: "")
    }

    /// The end of the second of reading, when the notice can be put away; `nil` if it is past, or no notice is shown.
    func nextChange(after now: BootTime) -> BootTime? {
        told == nil ? nil : reading.end.flatMap { $0 > now ? $0 : nil }
    }

    private var told: (elsewhere: PresentationElsewhere, names: AskerNames)? {
        switch state {
        case .none, .putAway: nil
        case .told(let elsewhere, let names): (elsewhere, names)
        }
    }
}
