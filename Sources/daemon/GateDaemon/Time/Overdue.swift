import GateCore
import GateModel

/// State that is durable and past its deadline is over, even while that can't be recorded.
extension GateState {
    /// The mode for someone who asks now.
    func modeState(by clock: any Clock) -> ModeState {
        isModeOverdue(clock) ? .closed : modeState
    }

    /// The state of the sign-in, for someone who asks now.
    func signIn(by clock: any Clock) -> SignInState {
        var state = signIn
        if isSessionOverdue(clock) {
            state.session = nil
            state.needsAuthentication = configuration.signIn.isRequired
        }
        return state
    }

    /// Whether it is past a deadline.
    func isOverdue(by margin: Duration = .zero, _ clock: any Clock) -> Bool {
        isModeOverdue(by: margin, clock) || isSessionOverdue(by: margin, clock)
            || areEntitlementsOverdue(by: margin, clock)
    }

    /// Whether what is paid for may be something else by now.
    func areEntitlementsInQuestion(by clock: any Clock) -> Bool {
        isSessionOverdue(clock) || areEntitlementsOverdue(clock)
    }

    private func isModeOverdue(by margin: Duration = .zero, _ clock: any Clock) -> Bool {
        modeState.deadline.map { $0.advanced(by: margin) <= clock.bootTime() } ?? false
    }

    private func isSessionOverdue(by margin: Duration = .zero, _ clock: any Clock) -> Bool {
        signIn.session.map { $0.deadline.advanced(by: margin) <= clock.bootTime() } ?? false
    }

    private func areEntitlementsOverdue(by margin: Duration = .zero, _ clock: any Clock) -> Bool {
        let ends = entitlements.entitlements.compactMap { $0.isActive ? $0.source?.until : nil }
        guard let first = ends.min() else { return false }
        let now = clock.wallTime().unixMilliseconds
        return now >= first.unixMilliseconds && Duration.milliseconds(now - first.unixMilliseconds) >= margin
    }
}
