package import GateModel

/// Reports about used time: this device's report on its way to the broker, which retains it, and other devices' reports
/// on their way to gated. Only the newest report of each device waits.
struct UsageReports: Hashable, Sendable {
    /// A report of another device.
    private struct Arrived: Hashable {
        var sender: HouseholdID
        var signed: [UInt8]
    }

    /// The report of this device; empty if there is none.
    private(set) var own: [UInt8] = []
    /// Use that goes on changes the report each minute.
    var topic = RetainedTopic(interval: HouseholdLimits.usageInterval)
    /// gated's number of this report; 0 if gated has returned none yet.
    private(set) var change: UInt64 = 0
    /// Whether the broker may have a report of this device.
    private var isAtBroker = false

    private var waiting: [Arrived] = []
    private var underWay: Arrived?
    /// Whether gated hands out no reports: it lacks the method, or this program may not call it.
    var isCollectingRefused = false

    /// When to publish; `nil` if nothing is due.
    var deadline: BootTime? { hasContent ? topic.deadline : nil }

    /// An empty report removes the one that the broker has. If it never had one, there is nothing to publish.
    private var hasContent: Bool { !own.isEmpty || isAtBroker }

    var isEmpty: Bool { waiting.isEmpty }

    mutating func reportIs(_ usage: OutgoingUsage) {
        change = usage.change
        guard usage.signed != own else { return }
        own = usage.signed
        topic.changed()
    }

    /// Returns the report if it is to be published now; empty to make the broker forget the last one.
    mutating func takeDue(at now: BootTime) -> [UInt8]? {
        guard hasContent, topic.publish(at: now) else { return nil }
        isAtBroker = !own.isEmpty
        return own
    }

    mutating func daemonReturned() {
        change = 0
        isCollectingRefused = false
    }

    /// - Returns: how many reports were dropped to make room.
    mutating func arrived(_ signed: [UInt8], from sender: HouseholdID) -> Int {
        if let index = waiting.firstIndex(where: { $0.sender == sender }) {
            waiting[index].signed = signed
            return 0
        }
        guard waiting.count < HouseholdLimits.waitingUsage else { return 1 }
        waiting.append(Arrived(sender: sender, signed: signed))
        return 0
    }

    /// Takes the report that has waited longest, which is then under way.
    mutating func takeFirst() -> [UInt8]? {
        guard underWay == nil, !waiting.isEmpty else { return nil }
        underWay = waiting.removeFirst()
        return underWay?.signed
    }

    /// gated has taken the report under way, or refuses it for good.
    mutating func ended() { underWay = nil }

    /// gated could not take the report under way now. A newer one of that device goes before it.
    mutating func returned() {
        guard let report = underWay else { return }
        underWay = nil
        guard !waiting.contains(where: { $0.sender == report.sender }) else { return }
        waiting.insert(report, at: 0)
    }
}

extension HouseholdStateMachine {
    mutating func usageArrived(_ signed: [UInt8], from sender: HouseholdID) {
        // An empty payload means that the device reports nothing any more. Its earlier reports still count.
        guard sumsUsage, !signed.isEmpty else { return }
        guard signed.count <= HouseholdLimits.signedBytes else {
            drops.malformed += 1
            return
        }
        drops.tooMany += usage.arrived(signed, from: sender)
    }

    /// gated has returned the report of this device for the others.
    package mutating func usageTold(_ outgoing: OutgoingUsage, at now: Moment) -> [HouseholdAction] {
        let isCurrent = lanes[.usage]?.succeeded(daemon: daemonNumber) ?? false
        if isCurrent { usage.reportIs(outgoing) }
        return due(at: now)
    }
}
