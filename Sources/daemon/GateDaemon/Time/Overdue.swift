import GateCore
import GateModel

/// Reads the state so that what has passed its deadline counts as over, even while the store can't record that.
extension GateState {
    func modeState(by clock: any Clock) -> ModeState {
        let state = modeState
        return state.isOverdue(by: .zero, clock) ? .closed : state
    }

    func signIn(by clock: any Clock) -> SignInState {
        var state = signIn
        if isSessionOverdue(clock) {
            state.session = nil
            state.needsAuthentication = configuration.signIn.isRequired
        }
        return state
    }

    /// Whether some deadline has passed at least `margin` ago.
    func isOverdue(by margin: Duration = .zero, _ clock: any Clock) -> Bool {
        modeState.isOverdue(by: margin, clock) || isSessionOverdue(by: margin, clock)
            || areEntitlementsOverdue(by: margin, clock) || areSchedulesOverdue(by: margin, clock)
    }

    /// Whether what is paid for may have changed without being recorded yet.
    func areEntitlementsInQuestion(by clock: any Clock) -> Bool {
        isSessionOverdue(clock) || areEntitlementsOverdue(clock)
    }

    private func isSessionOverdue(by margin: Duration = .zero, _ clock: any Clock) -> Bool {
        signIn.session.map { $0.deadline.advanced(by: margin) <= clock.bootTime() } ?? false
    }

    private func areEntitlementsOverdue(by margin: Duration = .zero, _ clock: any Clock) -> Bool {
        clock.hasPassed(
            entitlements.entitlements.lazy.compactMap { $0.isActive ? $0.source?.until : nil }.min(), by: margin)
    }

    private func areSchedulesOverdue(by margin: Duration, _ clock: any Clock) -> Bool {
        clock.hasPassed(firstScheduleClosing, by: margin)
    }
}

extension Clock {
    /// Whether this end has passed at least `margin` ago; never for `nil`.
    fileprivate func hasPassed(_ end: WallTime?, by margin: Duration) -> Bool {
        guard let end else { return false }
        let now = wallTime().unixMilliseconds
        return now >= end.unixMilliseconds && Duration.milliseconds(now - end.unixMilliseconds) >= margin
    }
}

extension ModeState {
    fileprivate func isOverdue(by margin: Duration, _ clock: any Clock) -> Bool {
        deadline.map { $0.advanced(by: margin) <= clock.bootTime() } ?? false
    }
}
