package import GateModel

/// Decides when the monitor changes to Gate's own screen, and back: it comes when a question does, and goes back to
/// where it was when the question is closed. If a person changes by hand, they are not brought back for the same
/// question. Nothing happens while nothing is asked.
///
/// After a question that is closed by itself, the monitor stays for some seconds, and longer while keys are pressed.
/// Otherwise the requester could withdraw the question in the middle of a passcode, and the rest would be typed into
/// its window.
package struct ScreenSwitchStateMachine: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// A session of logind, by its name.
        case session(String)
        /// A virtual terminal on which nobody is logged in.
        case terminal(UInt32)
    }

    private enum State: Hashable {
        /// Nothing is asked here. Can go to: asked.
        case idle
        /// A question is open here. `hasComeUp`: the monitor has shown this screen while the question was open. Can go
        /// to: coming, lingering, idle.
        case asked(hasComeUp: Bool)
        /// The question was closed while the monitor was on its way here. It can still arrive, at most until `until`.
        /// Can go to: asked, lingering, idle.
        case coming(until: BootTime, wasTakenBack: Bool)
        /// The question was closed, and the monitor goes back at `until`. Can go to: asked, idle.
        case lingering(until: BootTime, wasTakenBack: Bool)
    }

    /// How long the screen waits for the next question of the same request.
    package static let betweenQuestions = Duration.milliseconds(400)
    /// How long a change of the monitor to this screen can take.
    package static let onItsWay = Duration.seconds(10)
    /// How long the screen waits for the next key. Nobody who is typing pauses longer.
    package static let afterKeys = Duration.seconds(4)

    private let own: Place
    private var state = State.idle
    private var active: Place?
    /// The last place besides this screen that had the monitor.
    private var before: Place?

    package init(own: Place) {
        self.own = own
    }

    // MARK: Reading

    /// Whether a question was closed by itself, so that the person has to be told to stop typing.
    package var wasTakenBack: Bool {
        switch state {
        case .idle, .asked: false
        case .coming(_, let wasTakenBack), .lingering(_, let wasTakenBack): wasTakenBack
        }
    }

    /// Whether this screen has the monitor, and a place to go back to is known.
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

    /// When `timePassed` has something to do; `nil` if it doesn't.
    package var nextChange: BootTime? {
        switch state {
        case .idle, .asked: nil
        case .coming(let end, _), .lingering(let end, _): end
        }
    }

    // MARK: Events. Each returns the place that is to get the monitor, or `nil` to leave it.

    package mutating func questionCame() -> Place? {
        state = .asked(hasComeUp: active == own)
        return active == own ? nil : own
    }

    /// `wasTakenBack`: it was closed by itself, so that the person may still be typing.
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

    /// The monitor has changed to a place; `nil` if it is not known to which.
    package mutating func activeChanged(to place: Place?, at now: BootTime) {
        active = place
        guard place == own else {
            before = place ?? before
            // The person changed by hand, or another program was faster.
            if case .lingering = state { state = .idle }
            return
        }
        switch state {
        case .asked: state = .asked(hasComeUp: true)
        case .coming(_, let wasTakenBack): linger(wasTakenBack: wasTakenBack, at: now)
        case .idle, .lingering: break
        }
    }

    package mutating func keyPressed(at now: BootTime) {
        switch state {
        case .lingering(_, wasTakenBack: true):
            state = .lingering(until: now.advanced(by: Self.afterKeys), wasTakenBack: true)
        case .idle, .asked, .coming, .lingering: break
        }
    }

    /// The person pressed "Back". Ignored while a question is open, because that has a button of its own.
    package mutating func backPressed() -> Place? {
        switch state {
        case .asked: return nil
        case .idle, .coming, .lingering:
            state = .idle
            return active == own ? before : nil
        }
    }

    package mutating func timePassed(at now: BootTime) -> Place? {
        switch state {
        case .coming(let end, _) where end <= now, .lingering(let end, _) where end <= now:
            state = .idle
            return active == own ? before : nil
        case .idle, .asked, .coming, .lingering: return nil
        }
    }
}
