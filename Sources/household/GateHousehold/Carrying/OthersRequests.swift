package import GateModel

/// News of other devices' questions, for gated.
package struct ArrivedRequests: Hashable, Sendable {
    /// At most 64.
    package var requests: [ArrivedRequest]
    /// No others are open: what is not named is closed.
    package var isAll: Bool

    /// Makes news of these values.
    package init(requests: [ArrivedRequest], isAll: Bool) {
        self.requests = requests
        self.isAll = isAll
    }
}

/// The questions of other devices that the broker has for this one, and what gated was not told of them yet.
struct OthersRequests: Hashable, Sendable {
    private struct Entry: Hashable {
        /// Sealed to this device; empty: it is closed.
        var sealed: [UInt8]
        var askedAt: WallTime
        var expires: BootTime
        var isUntold = true
        /// The broker, as it is connected now, has said so.
        var isConfirmed = true
    }

    private var entries: [RequestName: Entry] = [:]
    /// gated may know others than these.
    private var isAllDue = false

    /// Whether there is something to tell.
    var isDue: Bool { isAllDue || entries.values.contains(where: \.isUntold) }

    /// - Returns: whether there was room for it.
    mutating func arrived(
        _ message: RequestMessage, sealed: [UInt8], expires: BootTime
    ) -> Bool {
        let name = message.name
        if let known = entries[name], known.sealed == sealed {
            entries[name]?.isConfirmed = true
            return true
        }
        guard entries[name] != nil || entries.count < HouseholdLimits.othersRequests,
            entries.keys.count(where: { $0.device == name.device }) < HouseholdLimits.requestsOfDevice
        else { return false }
        entries[name] = Entry(sealed: sealed, askedAt: message.askedAt, expires: expires)
        return true
    }

    /// Its topic was cleared.
    mutating func closed(_ name: RequestName) {
        guard let entry = entries[name] else { return }
        entries[name] = Entry(sealed: [], askedAt: entry.askedAt, expires: .never)
    }

    /// gated may have forgotten all of it, or has not taken the last news.
    mutating func allDue() {
        isAllDue = !entries.isEmpty
    }

    /// The broker says anew which are open.
    mutating func brokerConnected() {
        for name in entries.keys { entries[name]?.isConfirmed = false }
    }

    /// The broker has acknowledged something, and so has handed out before what it had kept: what it has not named is closed.
    mutating func brokerHasSpoken() {
        for (name, entry) in entries where !entry.isConfirmed && !entry.sealed.isEmpty { closed(name) }
    }

    /// The next news to tell; `nil`: there are none.
    mutating func takeNews(at now: BootTime) -> ArrivedRequests? {
        guard isDue else { return nil }
        // gated closes by itself what is over.
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
