package import GateModel

// watch.proto: what clients make of it

extension StateUpdate {
    /// The update that a message of a watch tells.
    package init(_ message: WatchResponse) {
        self.init(
            firstNumber: message.firstNumber, revision: message.revision, mode: message.mode,
            presentations: message.presentations, signIn: message.signIn, entitlements: message.entitlements,
            forms: message.forms)
    }
}

extension WatchResponse {
    /// The message that tells an update.
    package init(_ update: StateUpdate, isSnapshot: Bool) {
        self.init(
            firstNumber: update.firstNumber, revision: update.revision, isSnapshot: isSnapshot, mode: update.mode,
            presentations: update.presentations, signIn: update.signIn, entitlements: update.entitlements,
            forms: update.forms)
    }
}
