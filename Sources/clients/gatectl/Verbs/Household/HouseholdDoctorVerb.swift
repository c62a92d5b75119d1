import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

struct HouseholdDoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: localized("Find problems of this device's household, and say how to solve them."),
        discussion: localized(
            """
            For administrators. Status 0: there are no problems; 1: there are some. With --json, the household is \
            printed first, and then a line for each finding, as `gatectl doctor` prints them.
            """))

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var policy: PolicyOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Household.get, GetHouseholdRequest())
        let devices = try await session.gate.household.devices()
        let findings = HouseholdFindings(
            response.state, devices, .gather(configDirectory: policy.configDirectory), now: .now())
        if session.output.isJSON {
            session.output.line(try response.json())
            for (lines, verdict) in [(findings.fine, "ok"), (findings.wrong, "fail")] {
                for line in lines {
                    session.output.line(
                        "{\"check\":\"household\",\"found\":\(JSONString.quoted(line)),\"verdict\":\"\(verdict)\"}")
                }
            }
        } else {
            for line in findings.fine { session.output.line(line) }
            for line in findings.wrong { session.output.line(line) }
        }
        if !findings.wrong.isEmpty { Glibc.exit(1) }
    }
}

/// How a household is maintained on this device beside gated, as far as the system tells.
struct HouseholdUpkeep: Hashable {
    /// Whether systemd starts gate-household with the device, and renews the list and the certificates in time. `nil`
    /// if systemd does not run this device or can't be asked, or if Gate renews nothing of this household.
    var isRenewed: Bool?
    /// `nil` if this device made no certificate for Home Assistant, or this user may not see when it ends.
    var homeAssistantEnd: HomeAssistantCertificateEnd?
    /// The port for joining, if something listens there on this device. `nil` if nothing does, if this device invites
    /// nobody, or if this user may not see which port it is.
    var openJoinPort: UInt16?

    static func gather(configDirectory: String) -> HouseholdUpkeep {
        var upkeep = HouseholdUpkeep()
        // If the household was set up by hand, Gate does not renew its list and certificates.
        if access("\(configDirectory)/household/list.jws", F_OK) == 0 || errno == EACCES {
            let timer = "gate-household-renew.timer"
            let units = InstallationFacts.units(["gate-household.service", timer], "is-enabled")
            upkeep.isRenewed = (units.flatMap { first in InstallationFacts.units([timer]).map { first + $0 } })?
                .allSatisfy(\.isActive)
        }
        upkeep.homeAssistantEnd = bytes(of: "\(configDirectory)/\(HomeAssistantCertificateEnd.path)", atMost: 64)
            .flatMap(HomeAssistantCertificateEnd.init)
        upkeep.openJoinPort = openPort(inFile: "\(configDirectory)/household/join-port")
        return upkeep
    }

    /// The beginning of a file; `nil` if it can't be opened.
    private static func bytes(of path: String, atMost limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit, 64 << 10))
        while bytes.count < limit {
            let count = read(file, &buffer, min(buffer.count, limit - bytes.count))
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// The most bytes that are read of a table of /proc/net. That is enough, because listening sockets come first.
    private static let tableBytes = 1 << 20

    /// The port that this file names, if something listens there on this device. Only the household's first device has
    /// the file. A broker on another machine is not asked, since gatectl looks up no host names;
    /// `gatectl household renew` does that.
    private static func openPort(inFile path: String) -> UInt16? {
        let digits = bytes(of: path, atMost: 16).map { String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace } }
        guard let port = digits.flatMap({ UInt16($0) }) else { return nil }
        let isOpen = ["tcp", "tcp6"].contains { name in
            bytes(of: "/proc/net/\(name)", atMost: tableBytes)
                .map { listens(at: port, inTable: String(decoding: $0, as: UTF8.self)) } ?? false
        }
        return isOpen ? port : nil
    }

    /// Whether a table of /proc/net has a socket that listens at this port, on any address.
    static func listens(at port: UInt16, inTable table: String) -> Bool {
        table.split(separator: "\n").dropFirst().contains { line in
            let columns = line.split(separator: " ")
            guard columns.count > 3, columns[3] == "0A", let colon = columns[1].lastIndex(of: ":") else { return false }
            return UInt16(columns[1][columns[1].index(after: colon)...], radix: 16) == port
        }
    }
}

struct HouseholdFindings {
    /// Sentences about everything that is in order.
    private(set) var fine: [String] = []
    /// Sentences about problems, each with what to do.
    private(set) var wrong: [String] = []

    /// How long before its end a list should be renewed.
    private static let renewal = Duration.seconds(7 * 24 * 3600)

    init(_ state: HouseholdState, _ devices: HouseholdDevices, _ upkeep: HouseholdUpkeep, now: WallTime) {
        fine.append(localized("This device belongs to the household {id}.", ["id": state.household.description]))
        checkList(state, now: now)
        checkMember(state)
        checkTwins(devices)
        checkPolicy(state)
        checkUpkeep(upkeep, now: now)
        if devices.hasBroker {
            let count = devices.devices.count { !$0.member.isRevoked && $0.report?.isOnline ?? false }
            fine.append(
                localized(
                    "The broker can be reached; {count} device is connected.",
                    plural: "The broker can be reached; {count} devices are connected.", count: count))
        } else {
            wrong.append(
                localized(
                    "The broker can't be reached. Is gate-household running? `systemctl status gate-household` shows its last messages."
                ))
        }
    }

    private mutating func checkList(_ state: HouseholdState, now: WallTime) {
        guard let end = state.listExpires else {
            wrong.append(
                localized(
                    "This device has no signed list of the household's devices yet. The broker sends it; if it does not come, join again: `sudo gatectl household join --replace`."
                ))
            return
        }
        let left = Duration.milliseconds(end.unixMilliseconds - now.unixMilliseconds)
        let number = "\(state.listNumber)"
        if left <= .zero {
            wrong.append(
                localized(
                    "List {number} has expired, so no guardian can open anything here. Run on the device with the household's key: `sudo gatectl household renew`.",
                    ["number": number]))
        } else if left < Self.renewal {
            wrong.append(
                localized(
                    "List {number} expires in {duration}. Run on the device with the household's key: `sudo gatectl household renew`.",
                    ["number": number, "duration": DurationWords.short(left)]))
        } else {
            fine.append(
                localized(
                    "List {number} is valid until {time}.", ["number": number, "time": WallTimeText.shown(end)]))
        }
    }

    private mutating func checkUpkeep(_ upkeep: HouseholdUpkeep, now: WallTime) {
        switch upkeep.isRenewed {
        case true?: fine.append(localized("List and certificates are renewed in time."))
        case false?:
            wrong.append(
                localized(
                    "After a restart this device would not connect, or nothing would renew its list and certificates before they expire. Run: `sudo systemctl enable --now gate-household gate-household-renew.timer`."
                ))
        case nil: break
        }
        if let end = upkeep.homeAssistantEnd, end.isNear(at: now) { wrong.append(HomeAssistantText.ending(end)) }
        if let port = upkeep.openJoinPort {
            wrong.append(
                localized(
                    "The broker's port for joining, {port}, is open. Unless a device is being invited just now, strangers could take all of the broker's connections: remove the line `listener {port}` and all below it from its gate.conf, and restart its mosquitto.",
                    ["port": "\(port)"]))
        }
    }

    private mutating func checkTwins(_ devices: HouseholdDevices) {
        for device in devices.devices where device.report?.hasTwin == true && !device.member.isRevoked {
            wrong.append(
                localized(
                    "Two devices have the key of {name}: one is a copy of the other's disk, and a command may reach only one of them. Run on the copy, with a code of `gatectl household invite`: `sudo gatectl household join --replace --new-key --name NAME`.",
                    ["name": VisibleText.line(device.member.name)]))
        }
    }

    private mutating func checkPolicy(_ state: HouseholdState) {
        if let number = state.policyNumber {
            fine.append(localized("The household's policy {number} is in force.", ["number": "\(number)"]))
        }
        guard let refusal = state.policyRefusal else { return }
        wrong.append(
            localized(
                "The household's policy {number} was refused. Correct what is wrong, then run `sudo gatectl reload` and `sudo systemctl reload gate-household`.",
                ["number": "\(refusal.number)"]))
        wrong += refusal.message.split(whereSeparator: \.isNewline).map { "  " + VisibleText.line(String($0)) }
    }

    private mutating func checkMember(_ state: HouseholdState) {
        guard let member = state.members.first(where: { $0.id == state.device }) else {
            if state.listExpires != nil {
                wrong.append(
                    localized(
                        "This device is not on the household's list. Join again: `sudo gatectl household join --replace`."
                    ))
            }
            return
        }
        if member.isRevoked {
            wrong.append(
                localized(
                    "This device is revoked, so the others don't listen to it. Join again: `sudo gatectl household join --replace`."
                ))
        } else if member.publicKey != state.publicKey {
            wrong.append(
                localized(
                    "The list has another key for this device, so the others don't trust it. Join again: `sudo gatectl household join --replace`."
                ))
        } else if let guardian = member.guardian {
            fine.append(
                localized("{name} can command the other devices from this one.", ["name": VisibleText.line(guardian)]))
        } else {
            fine.append(localized("It can't command other devices."))
        }
    }
}
