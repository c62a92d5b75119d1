import GateModel

/// Keeps a window whose question was closed by itself while a person was typing into it, until nobody types any more.
/// Otherwise the requester could take a question back in the middle of a passcode, and the rest would be typed into the
/// window below. On Gate's own screen `ScreenSwitchStateMachine` does that.
///
/// | event              | quiet     | typing     | taken back                         |
/// |--------------------|-----------|------------|------------------------------------|
/// | `keyPressed`       | typing    | typing     | stays longer                       |
/// | `presentationCame` | nothing   | quiet      | quiet: its window takes the keys   |
/// | `wasAnswered`      | nothing   | quiet      | nothing                            |
/// | `wasTakenBack`     | nothing   | taken back | nothing                            |
/// | `dismissed`        | nothing   | nothing    | quiet                              |
/// | `timePassed`       | nothing   | nothing    | quiet, once nobody types any more  |
struct TypingStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// Nobody has pressed a key for the question. Can go to: typing.
        case quiet
        /// The last key for the question was pressed at this time. Can go to: quiet, takenBack.
        case typing(lastKey: BootTime)
        /// The question is closed, and this picture of it stays until `end`. Can go to: quiet.
        case takenBack(ScreenModel, end: BootTime)
    }

    private var state = State.quiet

    // MARK: Reading

    /// When the last key for the open question was pressed; `nil`: none was.
    var lastKey: BootTime? {
        switch state {
        case .quiet, .takenBack: nil
        case .typing(let lastKey): lastKey
        }
    }

    var isTakenBack: Bool {
        switch state {
        case .quiet, .typing: false
        case .takenBack: true
        }
    }

    /// What stays on the screen; `nil` if nothing does.
    func picture(at now: BootTime) -> ScreenModel? {
        switch state {
        case .takenBack(let picture, let end) where now < end: picture
        case .quiet, .typing, .takenBack: nil
        }
    }

    /// When `timePassed` has something to do; `nil` if it doesn't.
    var nextChange: BootTime? {
        switch state {
        case .quiet, .typing: nil
        case .takenBack(_, let end): end
        }
    }

    // MARK: Events

    mutating func keyPressed(at now: BootTime) {
        switch state {
        case .quiet, .typing: state = .typing(lastKey: now)
        case .takenBack(let picture, _): state = .takenBack(picture, end: Self.end(after: now))
        }
    }

    mutating func presentationCame() {
        state = .quiet
    }

    mutating func wasAnswered() {
        if case .typing = state { state = .quiet }
    }

    /// `picture` is the question as it stood when the last key was pressed.
    mutating func wasTakenBack(leaving picture: ScreenModel) {
        guard case .typing(let lastKey) = state else { return }
        state = .takenBack(picture.takenBack, end: Self.end(after: lastKey))
    }

    mutating func dismissed() {
        if isTakenBack { state = .quiet }
    }

    mutating func timePassed(at now: BootTime) {
        if case .takenBack(_, let end) = state, end <= now { state = .quiet }
    }

    private static func end(after key: BootTime) -> BootTime {
        key.advanced(by: ScreenSwitchStateMachine.afterKeys)
    }
}
