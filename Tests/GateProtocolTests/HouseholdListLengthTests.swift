import GateModel
import Testing

@testable import GateProtocol

@Suite("The answers about a household as large as one may be (H-09)")
struct HouseholdListLengthTests {
    private static let name = String(repeating: "n", count: HouseholdSettings.maximumNameByteCount)

    private let members: [HouseholdMember] = {
        var random = SplitMix(seed: 7)
        return (0..<HouseholdList.maximumMembers).map { _ in
            HouseholdMember(
                id: HouseholdID(using: &random), name: name, publicKey: [UInt8](repeating: 0xA5, count: 32),
                guardian: name, isRevoked: true)
        }
    }()

    private func report(_ member: HouseholdMember) -> DeviceReport {
        DeviceReport(
            id: member.id, name: Self.name, mode: .parent, parentUntil: WallTime(unixMilliseconds: 1_900_000_000_000),
            isOnline: true, updated: WallTime(unixMilliseconds: 1_900_000_000_000),
            challenge: [UInt8](repeating: 0xA5, count: 32), version: GateRelease.version)
    }

    /// Reads the message back from its bytes, which must fit into a frame, and from its JSON.
    private func travels<Message: WireMessage>(_ message: Message) throws {
        let bytes = message.encoded()
        #expect(bytes.count < (4 << 20) - 1024, "\(bytes.count)")
        #expect(try Message(decoding: bytes) == message)
        #expect(try MessageJSON.text(of: message).contains(members[members.count - 1].id.description))
    }

    @Test("the list of 10,000 devices, all names as long as they may be, fits into a frame and is read")
    func devices() throws {
        let devices = members.map { HouseholdDevice(member: $0, report: report($0), isThisDevice: true) }
        try travels(
            ListDevicesResponse(devices: HouseholdDevices(change: .max, devices: devices, hasBroker: true)))
    }

    @Test("a household's state and the answers of 10,000 devices come back whole")
    func others() throws {
        var random = SplitMix(seed: 8)
        let id = HouseholdID(using: &random)
        try travels(
            GetHouseholdResponse(
                revision: Revision(epoch: 1, number: 1),
                state: HouseholdState(
                    household: id, device: id, listNumber: 1, listExpires: WallTime(unixMilliseconds: 1),
                    members: members, challenge: [], publicKey: [])))
        let answers = members.map {
            DeviceAnswer(
                member: HouseholdMember(id: $0.id, name: $0.name, publicKey: []), isDone: false, check: "challenge",
                message: String(repeating: "m", count: 200), mode: .child)
        }
        try travels(GetResultsResponse(results: CommandAnswers(answers: answers, unanswered: [])))
    }

    @Test("a request with more than 4,096 fields is refused, though lists of answers may have more")
    func requests() {
        let reports = members.prefix(1000).map(report)
        let bytes = ReportDevicesRequest(devices: reports, isAll: true, hasBroker: true).encoded()
        #expect(throws: GateError.self) { try ReportDevicesRequest(decoding: bytes) }
    }
}
