package import GateModel

/// When the monitor goes to a screen of its own, and back (S-15).
///
/// It goes there when a question comes, and back to where it was when the question is closed. A person who switches by hand is never
/// brought back for the same question, and nothing is done while nothing is asked.
///
/// A question that goes by itself keeps the monitor for some seconds more, and longer while keys are pressed: the asker could take it
/// back in the middle of a passcode, and the rest would be typed into the asker's own window.
package struct ScreenSwitchStateMachine: Hashable, Sendable {
    /// Something that can have the monitor.
    package enum Place: Hashable, Sendable {
        /// A session of logind's, by its name.
        case session(String)
        /// A virtual terminal where nobody is logged in.
        case terminal(UInt32)
    }

    private enum State: Hashable {
        /// Nothing is asked here. Can go to: asked.
        case idle
        /// A question is open here; `hasComeUp` once this screen has had the monitor for it. Can go to: coming, lingering, idle.
        case asked(hasComeUp: Bool)
        /// The question has gone while the monitor was on its way here. Until then it can still come. Can go to: asked, lingering, idle.
        case coming(until: BootTime, wasTakenBack: Bool)
        /// The question has gone, and the monitor goes back then. Can go to: asked, idle.
        case lingering(until: BootTime, wasTakenBack: Bool)
    }

    /// The next question of the same request comes within this.
    package static let betweenQuestions = Duration.milliseconds(400)
    /// A monitor that was asked for is here within this, or does not come.
    package static let onItsWay = Duration.seconds(10)
    /// Nobody who types stops longer than this in the middle.
    package static let afterKeys = Duration.seconds(4)

    private let own: Place
    private var state = State.idle
    private var active: Place?
    /// The place that had the monitor last, beside this screen.
    private var before: Place?

    /// Begins with nothing asked.
    ///
    /// - Parameter own: this screen.
    package init(own: Place) {
        self.own = own
    }

    // MARK: Reading

    /// Whether a question went by itself, and the person is to stop typing.
    package var wasTakenBack: Bool {
        switch state {
        case .idle, .asked: false
        case .coming(_, let wasTakenBack), .lingering(_, let wasTakenBack): wasTakenBack
        }
    }

    /// Whether there is somewhere to go back to.
    package var canGoBack: Bool { active == own && before != nil }

    /// Where the monitor has to go if this program ends now; `nil`: it stays where it is.
    package var placeAfterDeath: Place? {
        switch state {
        case .idle: nil
        case .asked(let hasComeUp): active == own ? before : hasComeUp ? nil : active
        case .coming: active
        case .lingering: active == own ? before : nil
        }
    }

    /// When `timePassed` has something to do.
    package var nextChange: BootTime? {
        switch state {
        case .idle, .asked: nil
        case .coming(let end, _), .lingering(let end, _): end
        }
    }

    // MARK: Events. Each returns who is to have the monitor; `nil`: it stays where it is.

    /// A question is on this screen.
    package mutating func questionCame() -> Place? {
        state = .asked(hasComeUp: active == own)
        return active == own ? nil : own
    }

    /// The question is there no more.
    ///
    /// - Parameter wasTakenBack: it went by itself, and the person may still be typing.
    package mutating func questionClosed(wasTakenBack: Bool, at now: BootTime) {
        switch state {
        case .asked where active == own && before != nil: linger(wasTakenBack: wasTakenBack, at: now)
        case .asked(hasComeUp: false) where active != own:
            state = .coming(until: now.advanced(by: Self.onItsWay), wasTakenBack: wasTakenBack)
        case .asked: state = .idle
        case .idle, .coming, .lingering: break
        }
    }

    private mutating func linger(wasTakenBack: Bool, at now: BootTime) {
        let wait = wasTakenBack ? Self.afterKeys : Self.betweenQuestions
        state = .lingering(until: now.advanced(by: wait), wasTakenBack: wasTakenBack)
    }

    /// Another place has the monitor; `nil`: nobody knows which.
    package mutating func activeChanged(to place: Place?, at now: BootTime) {
        active = place
        guard place == own else {
            before = place ?? before
            // By hand, or because somebody else was faster.
            if case .lingering = state { state = .idle }
            return
        }
        switch state {
        case .asked: state = .asked(hasComeUp: true)
        case .coming(_, let wasTakenBack): linger(wasTakenBack: wasTakenBack, at: now)
        case .idle, .lingering: break
        }
    }

    /// A key was pressed on this screen.
    package mutating func keyPressed(at now: BootTime) {
        switch state {
        case .lingering(_, wasTakenBack: true):
            state = .lingering(until: now.advanced(by: Self.afterKeys), wasTakenBack: true)
        case .idle, .asked, .coming, .lingering: break
        }
    }

    /// The person presses "Back". Not while a question stands: that has a button of its own.
    package mutating func backPressed() -> Place? {
        switch state {
        case .asked: return nil
        case .idle, .coming, .lingering:
            state = .idle
            return active == own ? before : nil
        }
    }

    /// Time has passed.
    package mutating func timePassed(at now: BootTime) -> Place? {
        switch state {
        case .coming(let end, _) where end <= now, .lingering(let end, _) where end <= now:
            state = .idle
            return active == own ? before : nil
        case .idle, .asked, .coming, .lingering: return nil
        }
    }
}
