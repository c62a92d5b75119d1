package import GateModel

package struct ArrivedRequests: Hashable, Sendable {
    /// The questions that have arrived or were closed, at most 64.
    package var requests: [ArrivedRequest]
    /// Whether gated has to close all questions that are not named.
    package var isAll: Bool

    package init(requests: [ArrivedRequest], isAll: Bool) {
        self.requests = requests
        self.isAll = isAll
    }
}

/// The questions of other devices that the broker has for this device, and which of them gated still has to get.
struct OthersRequests: Hashable, Sendable {
    private struct Entry: Hashable {
        /// The words, sealed to this device; empty if the question is closed.
        var sealed: [UInt8]
        var askedAt: WallTime
        let isAsk: Bool
        var expires: BootTime
        var isUntold = true
        /// Whether the broker has named this question since it was last connected.
        var isConfirmed = true
    }

    /// Whether there was no room for a question, which the broker keeps and sends again if it is asked to.
    private enum LeftOut: Hashable {
        case nothing
        /// All places are taken. Can go to `due`.
        case waiting
        /// There is room now. Can go to `nothing`.
        case due
    }

    private var entries: [RequestName: Entry] = [:]
    private var leftOut = LeftOut.nothing
    /// When the broker may be asked again for everything that it keeps.
    private var nextHearing = BootTime(nanoseconds: .min)
    /// Whether all questions have to be sent to gated, because it may have others than these.
    private var isAllDue = false

    var isDue: Bool { isAllDue || entries.values.contains(where: \.isUntold) }

    /// - Returns: false if there is no room for another question.
    mutating func arrived(
        _ message: RequestMessage, sealed: [UInt8], expires: BootTime
    ) -> Bool {
        let name = message.name
        if let known = entries[name], known.sealed == sealed {
            entries[name]?.isConfirmed = true
            return true
        }
        guard hasRoom(for: name, isAsk: message.isAsk) else {
            if leftOut == .nothing { leftOut = .waiting }
            return false
        }
        entries[name] = Entry(sealed: sealed, askedAt: message.askedAt, isAsk: message.isAsk, expires: expires)
        return true
    }

    private func hasRoom(for name: RequestName, isAsk: Bool) -> Bool {
        if let known = entries[name], known.isAsk == isAsk { return true }
        let others = entries.filter { $0.key != name }
        let alike = others.filter { $0.value.isAsk == isAsk }
        let ofDevice = alike.keys.count { $0.device == name.device }
        return others.count < HouseholdLimits.othersRequests
            && (isAsk
                ? alike.count < HouseholdLimits.othersAsks && ofDevice < HouseholdLimits.asksOfDevice
                : ofDevice < HouseholdLimits.requestsOfDevice)
    }

    mutating func closed(_ name: RequestName) {
        guard let entry = entries[name] else { return }
        entries[name] = Entry(sealed: [], askedAt: entry.askedAt, isAsk: entry.isAsk, expires: .never)
    }

    /// gated may have forgotten everything, so all questions are sent again.
    mutating func daemonReturned() {
        isAllDue = isAllDue || !entries.isEmpty
    }

    /// gated has not taken the last news, which may have closed questions that are not known here any more. So all
    /// questions are sent again, even if none is left.
    mutating func newsReturned() {
        isAllDue = true
    }

    // MARK: - Questions for which there was no room

    /// When `takeHearing` has something; `nil` if only another event changes that.
    var deadline: BootTime? { leftOut == .due ? nextHearing : nil }

    /// Whether to ask the broker now for everything that it keeps.
    mutating func takeHearing(at now: BootTime) -> Bool {
        // No message says that a question has expired.
        if leftOut == .waiting { removeExpired(at: now) }
        guard leftOut == .due, nextHearing <= now else { return false }
        (leftOut, nextHearing) = (.nothing, now.advanced(by: HouseholdLimits.hearingInterval))
        return true
    }

    private mutating func removeExpired(at now: BootTime) {
        remove { !$0.sealed.isEmpty && $0.expires <= now }
    }

    private mutating func remove(where isGone: (Entry) -> Bool) {
        let before = entries.count
        entries = entries.filter { !isGone($0.value) }
        if entries.count < before, leftOut == .waiting { leftOut = .due }
    }

    mutating func brokerConnected() {
        leftOut = .nothing
        for name in entries.keys { entries[name]?.isConfirmed = false }
    }

    /// The broker sends its retained messages before it acknowledges a message. So questions that it has not sent are
    /// closed.
    mutating func brokerHasSpoken() {
        for (name, entry) in entries where !entry.isConfirmed && !entry.sealed.isEmpty { closed(name) }
    }

    /// Returns the next news, which count as sent from now on; `nil` if there are none.
    mutating func takeNews(at now: BootTime) -> ArrivedRequests? {
        guard isDue else { return nil }
        // gated closes expired questions by itself.
        removeExpired(at: now)
        if isAllDue {
            remove { $0.sealed.isEmpty }
            for name in entries.keys { entries[name]?.isUntold = true }
        }
        let untold = entries.filter(\.value.isUntold).sorted {
            ($0.value.askedAt.unixMilliseconds, $0.key.number) < ($1.value.askedAt.unixMilliseconds, $1.key.number)
        }
        let next = untold.prefix(ArrivedRequest.maximumCount)
        for name in next.map(\.key) { entries[name]?.isUntold = false }
        remove { $0.sealed.isEmpty && !$0.isUntold }
        defer { isAllDue = false }
        return ArrivedRequests(
            requests: next.map { name, entry in
                ArrivedRequest(
                    name: name, sealed: entry.sealed,
                    left: entry.expires == .never ? .zero : now.duration(to: entry.expires), askedAt: entry.askedAt)
            }, isAll: isAllDue)
    }
}
