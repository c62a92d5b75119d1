import GateModel
import GateTexts

/// The notice of a presenter that is not to show what is asked (S-15): for what, who asks, and where it is answered. There is nothing to
/// answer it with. A person may put it away; the question stays where it is.
struct ElsewhereNotice: Hashable, Sendable {
    private enum State: Hashable {
        /// Nothing is on another screen. Can go to: told.
        case none
        /// It is to be read. Can go to: putAway, told (another one), none.
        case told(PresentationElsewhere, names: AskerNames)
        /// The person has read it. Can go to: told (another one), none.
        case putAway(PresentationElsewhere)
    }

    private var state = State.none
    private var reading = ReadingTime()

    /// Another one is there, or none.
    ///
    /// - Parameter names: of those who take part in asking.
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

    /// The number of the presentation that it is about; `nil`: it is not to be seen.
    var id: UInt64? { told?.elsewhere.summary.id }

    /// Whether it waits to be drawn before the second of reading begins.
    var isWaitingToBeDrawn: Bool { told != nil && reading.drawnAt == nil }

    /// The picture is on the screen.
    mutating func drawn(at now: BootTime) { reading.drawn(at: now) }

    /// The person puts it away. What the state alone closes stays.
    mutating func dismissed(at now: BootTime) {
        guard let told, told.elsewhere.summary.isDismissible, reading.isOver(at: now) else { return }
        state = .putAway(told.elsewhere)
    }

    /// The picture; `nil`: it is not to be seen.
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
                ? "" : localized("This can't be dismissed: it goes when somebody is signed in."),
            timeLeft: "")
    }

    /// When the picture changes by itself.
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
