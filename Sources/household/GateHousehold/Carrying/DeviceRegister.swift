package import GateModel

package struct DeviceNews: Hashable, Sendable {
    /// The reports of the devices that have changed, at most 256.
    package var devices: [DeviceReport]
    /// Whether gated has to forget all other devices. Only these devices, and those in later news, exist.
    package var isAll: Bool
    package var hasBroker: Bool

    package init(devices: [DeviceReport], isAll: Bool, hasBroker: Bool) {
        self.devices = devices
        self.isAll = isAll
        self.hasBroker = hasBroker
    }
}

/// The other devices of the household as they describe themselves, and which of these descriptions gated still has to
/// get.
struct DeviceRegister: Hashable, Sendable {
    private struct Entry: Hashable {
        /// `nil` if the device has not described itself yet.
        var state: DeviceStateMessage?
        var isOnline = false
    }

    private var entries: [HouseholdID: Entry] = [:]
    /// The devices of `untold`, in the order in which they changed.
    private var order: [HouseholdID] = []
    private var untold: Set<HouseholdID> = []
    /// Whether the next news replace everything that gated knows, because gated has forgotten it or a device is gone.
    private var isAllDue = true
    private var hasBroker = false
    private var isBrokerDue = true

    var isDue: Bool { isAllDue || isBrokerDue || !untold.isEmpty }

    /// - Returns: false if there is no room for another device.
    mutating func stateArrived(_ state: DeviceStateMessage) -> Bool {
        guard var entry = entry(of: state.device) else { return false }
        guard entry.state != state else { return true }
        entry.state = state
        set(entry, for: state.device)
        return true
    }

    /// - Returns: false if there is no room for another device.
    mutating func availabilityArrived(_ availability: Availability, of device: HouseholdID) -> Bool {
        guard var entry = entry(of: device) else { return false }
        guard entry.isOnline != (availability == .online) else { return true }
        entry.isOnline = availability == .online
        set(entry, for: device)
        return true
    }

    /// The device's state was cleared. All states are sent to gated anew, so that it forgets the device.
    mutating func stateRemoved(of device: HouseholdID) {
        guard entries.removeValue(forKey: device)?.state != nil else { return }
        if untold.remove(device) != nil { order.removeAll { $0 == device } }
        allDue()
    }

    /// This device no longer listens to others.
    mutating func forget() {
        (entries, order, untold) = ([:], [], [])
        isAllDue = true
    }

    /// The broker can be reached, and reports which devices are online.
    mutating func brokerConnected() {
        (hasBroker, isBrokerDue) = (true, true)
    }

    /// Marks all devices offline, because only the broker knows whether they still are online.
    mutating func brokerLost() {
        (hasBroker, isBrokerDue) = (false, true)
        for (device, entry) in entries where entry.isOnline {
            set(Entry(state: entry.state, isOnline: false), for: device)
        }
    }

    /// Marks everything to be sent again, because gated may have forgotten it, or has not taken the last news.
    mutating func allDue() {
        isAllDue = true
        for (device, entry) in entries where entry.state != nil { markUntold(device) }
    }

    /// Returns the next news, which count as sent from now on; `nil` if there are none.
    mutating func takeNews() -> DeviceNews? {
        guard isDue else { return nil }
        let next = order.prefix(HouseholdLimits.reportsOfBatch)
        let devices = next.compactMap { device in
            entries[device].flatMap { entry in entry.state.map { DeviceReport($0, isOnline: entry.isOnline) } }
        }
        untold.subtract(next)
        order.removeFirst(next.count)
        defer { (isAllDue, isBrokerDue) = (false, false) }
        return DeviceNews(devices: devices, isAll: isAllDue, hasBroker: hasBroker)
    }

    private func entry(of device: HouseholdID) -> Entry? {
        entries[device] ?? (entries.count < HouseholdLimits.devices ? Entry() : nil)
    }

    private mutating func set(_ entry: Entry, for device: HouseholdID) {
        entries[device] = entry
        if entry.state != nil { markUntold(device) }
    }

    private mutating func markUntold(_ device: HouseholdID) {
        if untold.insert(device).inserted { order.append(device) }
    }
}
