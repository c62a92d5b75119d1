import GateModel
import Testing

@testable import gatectl

@Suite("Findings of gatectl household (H-01)")
struct HouseholdFindingsTests {
    private static func id(_ digit: Character) -> HouseholdID {
        guard let id = HouseholdID(String(repeating: digit, count: 32)) else { preconditionFailure("\(digit)") }
        return id
    }

    private static let now = WallTime(unixMilliseconds: 1_800_000_000_000)
    private static let members = ["a", "b", "c"].map { (digit: Character) in
        HouseholdMember(
            id: id(digit), name: "Device \(digit)", publicKey: [UInt8](repeating: digit.asciiValue ?? 0, count: 32),
            guardian: digit == "a" ? "Anna" : nil, isRevoked: digit == "c")
    }

    private func findings(_ upkeep: HouseholdUpkeep = HouseholdUpkeep()) -> HouseholdFindings {
        let state = HouseholdState(
            household: Self.id("8"), device: Self.id("a"), listNumber: 3,
            listExpires: WallTime(unixMilliseconds: Self.now.unixMilliseconds + 20 * 86_400_000),
            members: Self.members, challenge: [], publicKey: Self.members[0].publicKey)
        let devices = Self.members.map { member in
            HouseholdDevice(
                member: member,
                report: DeviceReport(
                    id: member.id, name: member.name, mode: .child, parentUntil: nil, isOnline: true,
                    updated: Self.now, version: "0.9.0"),
                isThisDevice: member.id == Self.id("a"))
        }
        return HouseholdFindings(
            state, HouseholdDevices(change: 1, devices: devices, hasBroker: true), upkeep, now: Self.now)
    }

    @Test("a revoked device does not count as connected, whatever the broker reports")
    func revoked() {
        #expect(findings().fine.contains("The broker can be reached; 2 devices are connected."))
        #expect(findings().wrong.isEmpty)
    }

    @Test("a household whose list and certificates nothing renews is a finding, with the command to renew them")
    func renewal() {
        #expect(findings(HouseholdUpkeep(isRenewed: true)).fine.contains("List and certificates are renewed in time."))
        let wrong = findings(HouseholdUpkeep(isRenewed: false)).wrong
        #expect(wrong.count == 1)
        #expect(wrong.first?.contains("systemctl enable --now gate-household gate-household-renew.timer") == true)
    }

    @Test("Home Assistant's certificate is a finding from thirty days before its end on")
    func homeAssistant() throws {
        // Now is 15 January 2027.
        for (day, isNamed) in [
            ("2027-01-01", true), ("2027-02-14", true), ("2027-02-15", false), ("2028-01-01", false),
        ] {
            let end = try #require(HomeAssistantCertificateEnd(Array("\(day)\n".utf8)))
            #expect(end.content == Array("\(day)\n".utf8))
            let wrong = findings(HouseholdUpkeep(homeAssistantEnd: end)).wrong
            #expect(wrong.count == (isNamed ? 1 : 0), "\(day)")
            #expect(wrong.allSatisfy { $0.contains(day) && $0.contains("gate-household home-assistant") })
        }
        for text in ["", "tomorrow", "2027-02-30"] { #expect(HomeAssistantCertificateEnd(Array(text.utf8)) == nil) }
    }

    @Test("a port for joining that is open on this device is a finding, with what closes it")
    func openJoinPort() {
        let wrong = findings(HouseholdUpkeep(openJoinPort: 8884)).wrong
        #expect(wrong.count == 1 && wrong.allSatisfy { $0.contains("`listener 8884`") })
        let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        let rest = "00000000:00000000 00:00000000 00000000   102        0 123 1\n"
        for (line, isOpen) in [
            ("   0: 00000000:22B4 00000000:0000 0A ", true), ("   0: 0100007F:22B4 00000000:0000 0A ", true),
            ("   0: 00000000000000000000000000000000:22B4 00000000000000000000000000000000:0000 0A ", true),
            // Another port, a connection to the port, and one of its own.
            ("   0: 00000000:22B3 00000000:0000 0A ", false), ("   0: 0100007F:9C40 0100007F:22B4 01 ", false),
            ("   0: 0100007F:22B4 0100007F:9C40 01 ", false), ("", false), ("   0:", false),
        ] {
            #expect(HouseholdUpkeep.listens(at: 8884, inTable: head + line + rest) == isOpen, "\(line)")
        }
    }

    @Test("a lock of all devices succeeds if all have locked, and with --connected if all connected ones have")
    func statusOfAnswers() {
        func status(_ done: Int, offline: Int = 0, refused: Int = 0, unanswered: Int = 0, _ countsOffline: Bool)
            -> Int32
        {
            func answer(_ isDone: Bool, _ check: String) -> DeviceAnswer {
                DeviceAnswer(member: Self.members[1], isDone: isDone, check: check, message: "", mode: .child)
            }
            return CommandAnswers(
                answers: Array(repeating: answer(true, ""), count: done)
                    + Array(repeating: answer(false, "offline"), count: offline)
                    + Array(repeating: answer(false, "refused"), count: refused),
                unanswered: Array(repeating: Self.members[1], count: unanswered)
            ).exitStatus(countsOffline: countsOffline)
        }
        #expect(status(39, true) == 0 && status(39, false) == 0)
        #expect(status(39, offline: 1, true) == 75 && status(39, offline: 1, false) == 0)
        #expect(status(0, offline: 2, false) == 75, "nobody has done it")
        #expect(status(39, unanswered: 1, false) == 75 && status(38, offline: 1, unanswered: 1, false) == 75)
        #expect(status(38, offline: 1, refused: 1, false) == 1 && status(3, refused: 1, unanswered: 1, true) == 1)
    }
}
