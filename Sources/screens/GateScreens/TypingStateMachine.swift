import GateModel

/// Keeps a window whose question was closed by itself while a person was typing into it, until nobody types any more.
/// Otherwise the requester could take a question back in the middle of a passcode, and the rest would be typed into the
/// window below. On Gate's own screen `ScreenSwitchStateMachine` does that.
///
/// | event              | quiet     | typing     | taken back                                      |
/// |--------------------|-----------|------------|-------------------------------------------------|
/// | `keyPressed`       | typing    | typing     | stays longer                                    |
/// | `presentationCame` | nothing   | quiet      | typing, left over: the new window gets the keys |
/// | `wasAnswered`      | nothing   | quiet      | nothing                                         |
/// | `wasTakenBack`     | nothing   | taken back | nothing                                         |
/// | `dismissed`        | nothing   | nothing    | quiet                                           |
/// | `timePassed`       | nothing   | nothing    | quiet, once nobody types any more               |
///
/// While a window stays, another question may come and be taken back at once, and then further ones. So the time of the
/// last key is kept until nobody types any more, whatever comes and goes.
struct TypingStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// Nobody has pressed a key for the question. Can go to: typing.
        case quiet
        /// The last key was pressed at this time. `isLeftOver`: the person began to type for an earlier question, which
        /// was taken back, and has not stopped since. Can go to: quiet, takenBack.
        case typing(lastKey: BootTime, isLeftOver: Bool)
        /// The question is closed, and this picture of it stays until nobody types any more. Can go to: quiet, typing.
        case takenBack(ScreenModel, lastKey: BootTime)
    }

    private var state = State.quiet

    // MARK: Reading

    /// When the last key was pressed for the open question, or for one before that was taken back; `nil`: none was.
    var lastKey: BootTime? {
        switch state {
        case .quiet, .takenBack: nil
        case .typing(let lastKey, _): lastKey
        }
    }

    /// Whether the person may still be typing for a question before the open one.
    var isLeftOver: Bool {
        switch state {
        case .quiet, .takenBack: false
        case .typing(_, let isLeftOver): isLeftOver
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
        case .takenBack(let picture, let lastKey) where now < Self.end(after: lastKey): picture
        case .quiet, .typing, .takenBack: nil
        }
    }

    /// When `timePassed` has something to do; `nil` if it doesn't.
    var nextChange: BootTime? {
        switch state {
        case .quiet, .typing: nil
        case .takenBack(_, let lastKey): Self.end(after: lastKey)
        }
    }

    // MARK: Events

    mutating func keyPressed(at now: BootTime) {
        switch state {
        case .quiet: state = .typing(lastKey: now, isLeftOver: false)
        case .typing(let lastKey, let isLeftOver):
            state = .typing(lastKey: now, isLeftOver: isLeftOver && now < Self.end(after: lastKey))
        case .takenBack(let picture, _): state = .takenBack(picture, lastKey: now)
        }
    }

    mutating func presentationCame() {
        switch state {
        case .quiet, .typing: state = .quiet
        case .takenBack(_, let lastKey): state = .typing(lastKey: lastKey, isLeftOver: true)
        }
    }

    mutating func wasAnswered() {
        if case .typing = state { state = .quiet }
    }

    /// `picture` is the question as it stood when the last key was pressed.
    mutating func wasTakenBack(leaving picture: ScreenModel) {
        guard case .typing(let lastKey, _) = state else { return }
        state = .takenBack(picture.takenBack, lastKey: lastKey)
    }

    mutating func dismissed() {
        if isTakenBack { state = .quiet }
    }

    mutating func timePassed(at now: BootTime) {
        if let nextChange, nextChange <= now { state = .quiet }
    }

    private static func end(after key: BootTime) -> BootTime {
        key.advanced(by: ScreenSwitchStateMachine.afterKeys)
    }
}
