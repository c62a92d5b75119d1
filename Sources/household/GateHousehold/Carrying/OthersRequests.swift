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

/// The questions of other devices that the broker has for this device, and which of them gated has not been told yet.
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

    private var entries: [RequestName: Entry] = [:]
    /// Whether gated has to be told everything, because it may know other questions than these.
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
        guard hasRoom(for: name, isAsk: message.isAsk) else { return false }
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

    /// gated may have forgotten everything, so all questions are told again.
    mutating func daemonReturned() {
        isAllDue = isAllDue || !entries.isEmpty
    }

    /// gated has not taken the last news. They may have closed questions that are no longer known here, so everything
    /// is told again, even if no question is left.
    mutating func newsReturned() {
        isAllDue = true
    }

    mutating func brokerConnected() {
        for name in entries.keys { entries[name]?.isConfirmed = false }
    }

    /// The broker sends what it has kept before it acknowledges something, so questions it has not named are closed.
    mutating func brokerHasSpoken() {
        for (name, entry) in entries where !entry.isConfirmed && !entry.sealed.isEmpty { closed(name) }
    }

    /// The next news, which count as told from now on; `nil` if there are none.
    mutating func takeNews(at now: BootTime) -> ArrivedRequests? {
        guard isDue else { return nil }
        // gated closes expired questions by itself.
        entries = entries.filter { $0.value.sealed.isEmpty || now < $0.value.expires }
        if isAllDue {
            for (name, entry) in entries {
                if entry.sealed.isEmpty { entries[name] = nil } else { entries[name]?.isUntold = true }
            }
        }
        let untold = entries.filter(\.value.isUntold).sorted {
            ($0.value.askedAt.unixMilliseconds, $0.key.number) < ($1.value.askedAt.unixMilliseconds, $1.key.number)
        }
        let next = untold.prefix(ArrivedRequest.maximumCount)
        for (name, entry) in next {
            if entry.sealed.isEmpty { entries[name] = nil } else { entries[name]?.isUntold = false }
        }
        defer { isAllDue = false }
        return ArrivedRequests(
            requests: next.map { name, entry in
                ArrivedRequest(
                    name: name, sealed: entry.sealed,
                    left: entry.expires == .never ? .zero : now.duration(to: entry.expires), askedAt: entry.askedAt)
            }, isAll: isAllDue)
    }
}
