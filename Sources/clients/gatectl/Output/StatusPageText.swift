import GateModel
import GateProtocol
import GateTexts

struct StatusPageText {
    let status: DeviceStatus

    private var state: ModeState { ModeState(mode: status.mode, deadline: status.modeDeadline) }
    /// Zero if no daemon answers for the page, as on the page itself.
    private var revision: Revision { status.revision ?? Revision(epoch: 0, number: 0) }

    /// `rev 42  parent  14:59 left`, and `a subscription is active  719:59:59 left` if there is one.
    func lines(now: BootTime, colours: Colours) -> [String] {
        let mode = ModeLine(revision: revision, state: state).text(now: now, colours: colours)
        guard status.isSubscriptionActive else { return [mode] }
        let left = status.subscriptionDeadline.map { DurationWords.leftBehind(now.duration(to: $0)) }
        return [mode, localized("a subscription is active") + (left ?? "")]
    }

    /// Has the fields of `status --json`, in the same places.
    func json() throws(GateError) -> String {
        let deadline = status.subscriptionDeadline?.nanoseconds ?? 0
        let entitlements =
            "{\"state\":{\"isSubscriptionActive\":\(status.isSubscriptionActive)},"
            + "\"deadlineBoottimeNanoseconds\":\"\(deadline)\"}"
        let mode = try GetModeResponse(revision: revision, state: state).json()
        return JSONText.appending(
            "isLive", json: "\(status.isLive)",
            to: JSONText.appending("entitlements", json: entitlements, to: mode))
    }
}
