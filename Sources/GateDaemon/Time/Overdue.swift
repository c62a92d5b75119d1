import GateCore
import GateModel
import NIOCore

/// State that is durable and past its deadline is over, even while that can't be recorded.
extension Authority {
    /// The mode for someone who asks now.
    var modeStateNow: ModeState {
        isModeOverdue() ? .closed : durable.modeState
    }

    /// The state of the sign-in, for someone who asks now.
    var signInStateNow: SignInState {
        var state = durable.signIn
        if isSessionOverdue() {
            state.session = nil
            state.needsAuthentication = durable.configuration.signIn.isRequired
        }
        return state
    }

    /// Durable state is past a deadline. Where that can't be recorded there is no revision to tell it by, so watchers are
    /// let go: without a stream they take the mode to be child, nobody to be signed in, and nothing to be paid for.
    func isOverdue(by margin: Duration = .zero) -> Bool {
        isModeOverdue(by: margin) || isSessionOverdue(by: margin) || areEntitlementsOverdue(by: margin)
    }

    /// The alarm rings again for a deadline of the state. What the wall clock has ended, because it was set, is none as long as
    /// that is not recorded.
    func recordOverdueLater() {
        guard !isRecordingLater, !isStopping else { return }
        isRecordingLater = true
        eventLoop.scheduleTask(in: .seconds(1)) { self.assumeIsolated { $0.recordOverdue() } }
    }

    private func recordOverdue() {
        isRecordingLater = false
        if !isStopping, isOverdue() { deadlineCame() }
    }

    /// Whether what is paid for may be something else by now than what is durable.
    var areEntitlementsInQuestion: Bool { isSessionOverdue() || areEntitlementsOverdue() }

    private func isModeOverdue(by margin: Duration = .zero) -> Bool {
        durable.modeState.deadline.map { $0.advanced(by: margin) <= clock.bootTime() } ?? false
    }

    private func isSessionOverdue(by margin: Duration = .zero) -> Bool {
        durable.signIn.session.map { $0.deadline.advanced(by: margin) <= clock.bootTime() } ?? false
    }

    private func areEntitlementsOverdue(by margin: Duration = .zero) -> Bool {
        let ends = durable.entitlements.entitlements.compactMap { $0.isActive ? $0.source?.until : nil }
        guard let first = ends.min() else { return false }
        let now = clock.wallTime().unixMilliseconds
        return now >= first.unixMilliseconds && Duration.milliseconds(now - first.unixMilliseconds) >= margin
    }
}
