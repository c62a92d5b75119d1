import GateModel
import GateTexts

extension SettingsFacts {
    func devicesGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        switch household {
        case .notYet, .forbidden: return []
        case .failed(let reason): return [SettingsGroup("devices", rows: [SettingsRow("failed", reason)])]
        case .known(.none):
            let text = localized(
                "Several devices of a family can know each other: a grown-up then sees and locks all of them from here. Begin on a terminal, with `sudo gatectl household create`; docs/household.md shows how."
            )
            return [SettingsGroup("none", title: localized("No household yet"), text: text)]
        case .known(.devices(let devices)): return [group(devices, moment)]
        }
    }

    private func group(_ household: HouseholdDevices, _ moment: SettingsMoment) -> SettingsGroup {
        var text = ""
        if !household.isGuardiansDevice {
            let names = household.devices.filter(\.member.isGuardians).map(\.member.name)
            text =
                names.isEmpty
                ? "" : localized("The others are locked and opened from {names}.", ["names": ListText.things(names)])
        } else if !household.hasBroker {
            text = localized("The other devices can't be reached just now. `gatectl household doctor` says why.")
        }
        let lockAll = SettingsButton(
            localized("Lock all"), spoken: localized("Lock all other devices"), .lockAllDevices, look: .suggested)
        return SettingsGroup(
            "devices", title: localized("Devices"), text: text.replacingHidden,
            rows: household.devices.map { row($0, isGuardians: household.isGuardiansDevice, moment) },
            buttons: household.isGuardiansDevice && !otherDevices.isEmpty ? [lockAll] : [])
    }

    private func row(_ device: HouseholdDevice, isGuardians: Bool, _ moment: SettingsMoment) -> SettingsRow {
        let report = device.report
        let isOpen = report.map { Self.isOpen($0, moment) } ?? false
        var lines = [ListText.facts(mode(device, moment) + heard(device, isHeard: isGuardians, moment))]
        if report?.hasTwin == true, !device.member.isRevoked { lines.append(localized("two devices have its key")) }
        if let outcome = outcomes[device.id] { lines.append(Self.text(outcome)) }
        let isThere = report?.isOnline ?? false
        return SettingsRow(
            "\(device.id)", device.member.name, lines.filter { !$0.isEmpty }.joined(separator: "\n"),
            icon: .symbol(
                isOpen
                    ? "changes-allow-symbolic"
                    : isThere || device.isThisDevice ? "changes-prevent-symbolic" : "network-offline-symbolic"),
            buttons: isGuardians ? buttons(device, isOpen: isOpen) : [])
    }

    /// Whether the device is in parent mode. If its time is over, it is in child mode, even if it has not reported so.
    private static func isOpen(_ report: DeviceReport, _ moment: SettingsMoment) -> Bool {
        report.mode == .parent && report.parentUntil.map { moment.wall < $0 } ?? true
    }

    private func mode(_ device: HouseholdDevice, _ moment: SettingsMoment) -> [String] {
        if device.member.isRevoked { return [localized("revoked")] }
        guard let report = device.report else { return [] }
        switch report.mode {
        case .parent where Self.isOpen(report, moment):
            let until = report.parentUntil.map { localized("until {time}", ["time": moment.text($0)]) }
            return [localized("Parent mode")] + (until.map { [$0] } ?? [])
        case .parent, .child: return [localized("Child mode")]
        case .verifying: return [localized("A grown-up is being asked")]
        }
    }

    private func heard(_ device: HouseholdDevice, isHeard: Bool, _ moment: SettingsMoment) -> [String] {
        if device.isThisDevice { return [localized("this device")] }
        if device.member.isRevoked { return [] }
        guard let report = device.report else {
            // Only a guardian's device receives the reports of the others.
            return isHeard ? [localized("never connected")] : []
        }
        guard !report.isOnline else { return [localized("connected")] }
        let age = moment.wall.milliseconds(since: report.updated)
        return [
            localized("offline"),
            localized("last heard {time}", ["time": HouseholdWords.ago(.milliseconds(age))]),
        ]
    }

    private func buttons(_ device: HouseholdDevice, isOpen: Bool) -> [SettingsButton] {
        guard !device.isThisDevice, !device.member.isRevoked else { return [] }
        let (member, name) = (device.member, device.member.name)
        let lock = SettingsButton(
            localized("Lock"), spoken: localized("Lock {name}", ["name": name]), .lockDevice(member))
        if isOpen {
            let more = SettingsButton(
                localized("15 minutes more"), spoken: localized("15 minutes more for {name}", ["name": name]),
                .extendDevice(member, until: device.report?.parentUntil))
            return [more, lock]
        }
        let open = SettingsButton(
            localized("Open…"), spoken: localized("Open {name}", ["name": name]), .open(.openDevice(member)))
        return [open, lock]
    }

    private static func text(_ outcome: DeviceOutcome) -> String {
        switch outcome {
        case .asked: return localized("Waiting for its answer …")
        case .unanswered: return localized("It did not answer. It seems to be offline.")
        case .done(.lock, _): return localized("It is locked.")
        case .done(.extend, _): return localized("It has 15 minutes more.")
        case .done(.open, _): return localized("It is open.")
        case .refused(let check, let message):
            let reason = HouseholdWords.sentence(ofCheck: check) ?? message.replacingHidden
            return localized("That did not work. {reason}", ["reason": reason])
        }
    }
}
