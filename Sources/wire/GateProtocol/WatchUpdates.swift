package import GateModel

// watch.proto: messages as `StateUpdate`, the value that clients work with, and back

extension StateUpdate {
    package init(_ message: WatchResponse) {
        self.init(
            firstNumber: message.firstNumber, revision: message.revision, mode: message.mode,
            presentations: message.presentations, signIn: message.signIn, entitlements: message.entitlements,
            forms: message.forms, asks: message.asks, schedules: message.schedules, usage: message.usage,
            ageRanges: message.ageRanges)
    }
}

extension WatchResponse {
    package init(_ update: StateUpdate, isSnapshot: Bool) {
        self.init(
            firstNumber: update.firstNumber, revision: update.revision, isSnapshot: isSnapshot, mode: update.mode,
            presentations: update.presentations, signIn: update.signIn, entitlements: update.entitlements,
            forms: update.forms, asks: update.asks, schedules: update.schedules, usage: update.usage,
            ageRanges: update.ageRanges)
    }
}
