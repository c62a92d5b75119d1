import GateGuardians
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

/// A household of two devices: Anna's laptop and Mia's tablet.
struct TwoDevices {
    static let household = HouseholdID(String(repeating: "1", count: 32))!
    static let laptop = HouseholdID(String(repeating: "b", count: 32))!
    static let tablet = HouseholdID(String(repeating: "a", count: 32))!

    let key: SigningKey
    let laptop: LiveGate
    let tablet: LiveGate

    static let policy =
        LiveGate.policy.replacing("roles:\n", with: "roles:\n  household: {users: [carrier]}\n")
        + "  household.open: {title: Open another device, requires: {challenge: passcode}}\n"
        + "  photos.share: {title: Share photos, requires: {challenge: {kind: confirm, answered-by: grown-up}}}\n"

    static func settings(of device: HouseholdID, key: SigningKey) -> String {
        """
        household: \(household)
        device: \(device)
        name: A device
        key: \(key.publicKey.base64URL)
        broker: {host: gate.example, authority: a, certificate: b, key: c}

        """
    }

    /// Both, with a list that names Anna, and what carries between them.
    ///
    /// - Parameter more: lines of `household.yaml` on the tablet and on the laptop.
    static func with(
        policy: String = policy, providers: String = "", rootFiles: [String: [UInt8]] = [:],
        users database: UserDatabase = .numbered, more: (tablet: String, laptop: String) = ("", ""),
        _ body: (TwoDevices, Carrier) async throws -> Void
    ) async throws {
        let key = SigningKey()
        func gate(
            _ id: HouseholdID, _ more: String, _ body: (LiveGate) async throws -> Void
        ) async throws {
            try await LiveGate.with(
                policy: policy, providers: providers, household: settings(of: id, key: key) + more,
                rootFiles: rootFiles, users: database
            ) { gate, _ in try await body(gate) }
        }
        try await gate(laptop, more.laptop) { laptop in
            try await gate(tablet, more.tablet) { tablet in
                let devices = TwoDevices(key: key, laptop: laptop, tablet: tablet)
                var members: [HouseholdMember] = []
                for (gate, id, name, guardian) in [
                    (laptop, Self.laptop, "Laptop", "Anna" as String?), (tablet, Self.tablet, "Tablet", nil),
                ] {
                    let root = try await gate.connect("root")
                    let made = try await root.call(Methods.Household.createDeviceKey, CreateDeviceKeyRequest())
                    members.append(
                        HouseholdMember(
                            id: id, name: name, publicKey: made.publicKey, sealingKey: made.sealingKey,
                            guardian: guardian))
                }
                let carrier = try await Carrier(devices, members)
                try await body(devices, carrier)
            }
        }
    }

    func list(_ members: [HouseholdMember], number: UInt64 = 1) -> [UInt8] {
        let now = StandingClock().wallTime()
        let list = HouseholdList(
            household: Self.household, number: number, issued: now, expires: now.advanced(by: .seconds(3600)),
            members: members)
        return SignedText.sign(list.payload, as: .list, with: key)
    }
}

/// Carries messages by hand, as a broker would.
struct Carrier {
    let atLaptop: Connected
    let atTablet: Connected
    let members: [HouseholdMember]

    init(_ devices: TwoDevices, _ members: [HouseholdMember]) async throws {
        self.members = members
        atLaptop = try await devices.laptop.connect("carrier")
        atTablet = try await devices.tablet.connect("carrier")
        for client in [atLaptop, atTablet] {
            _ = try await client.call(
                Methods.Household.submitGuardians, SubmitGuardiansRequest(signedGuardians: devices.list(members)))
        }
        try await tabletReports()
    }

    /// Tells the laptop about the tablet.
    func tabletReports(isOnline: Bool = true, hasTwin: Bool = false) async throws {
        let state = try await atTablet.call(Methods.Household.get, GetHouseholdRequest()).state
        let report = DeviceReport(
            id: TwoDevices.tablet, name: "Tablet", mode: .child, parentUntil: nil, isOnline: isOnline,
            updated: WallTime(unixMilliseconds: 1), challenge: state.challenge, version: "1",
            hasTwin: hasTwin)
        _ = try await atLaptop.call(
            Methods.Household.reportDevices, ReportDevicesRequest(devices: [report], isAll: true, hasBroker: true))
    }

    /// Takes the laptop's command to the tablet, and the answer back.
    @discardableResult
    func carry() async throws -> [OutgoingCommand] {
        let commands = try await atLaptop.call(Methods.Household.collectCommands, CollectCommandsRequest()).commands
        for command in commands {
            let answer = try await atTablet.call(
                Methods.Household.submitCommand, SubmitCommandRequest(signedCommand: command.signed))
            _ = try await atLaptop.call(
                Methods.Household.submitResult, SubmitResultRequest(signedResult: answer.signedResult))
        }
        return commands
    }
}

@Suite("The other devices of the household, through gated (H-02, H-03)", .timeLimit(.minutes(10)))
struct HouseholdTests {
    private let play = GuardianOrder.override(.parent, .seconds(900), reason: "homework is done")

    @Test("a command goes from one device to another, and its answer back")
    func thereAndBack() async throws {
        try await TwoDevices.with { devices, carrier in
            let root = try await devices.laptop.connect("root")
            let sent = try await root.call(
                Methods.Household.sendCommand, SendCommandRequest(devices: [TwoDevices.tablet], order: play))
            #expect(sent.deviceCount == 1)
            async let waiting = root.call(
                Methods.Household.getResults, GetResultsRequest(command: sent.command, waitsForAll: true))
            try await carrier.carry()
            let results = try await waiting.results
            #expect(results.unanswered.isEmpty)
            #expect(results.answers.map(\.isDone) == [true] && results.answers.map(\.mode) == [.parent])
            let anna = try await devices.tablet.connect("anna")
            #expect(try await anna.call(Methods.Mode.get, GetModeRequest()).state.mode == .parent)
        }
    }

    @Test("a command that is repeated or sent over another connection does nothing, and a forged one is refused")
    func replayed() async throws {
        try await TwoDevices.with { devices, carrier in
            let root = try await devices.laptop.connect("root")
            _ = try await root.call(
                Methods.Household.sendCommand, SendCommandRequest(devices: [TwoDevices.tablet], order: play))
            let command = try #require(try await carrier.carry().first)
            let atTablet = try await devices.tablet.connect("root")
            _ = try await atTablet.call(Methods.Mode.lock, LockRequest())
            for client in [carrier.atTablet, try await devices.tablet.connect("carrier")] {
                _ = try await client.call(Methods.Household.get, GetHouseholdRequest())
                let again = try await client.call(
                    Methods.Household.submitCommand, SubmitCommandRequest(signedCommand: command.signed))
                let result = try CommandResult(payload: SignedText(again.signedResult, as: .result).payload)
                #expect(result.refusal?.check == .challenge && again.state.mode == .child)
            }
            var forged = command.signed
            forged[forged.count - 2] ^= 1
            let refusal = await carrier.atTablet.refusal(
                of: Methods.Household.submitCommand, SubmitCommandRequest(signedCommand: forged))
            #expect(refusal?.reason == .badCommand && refusal?.parameters["check"] != nil)
        }
    }

    @Test("only the household's service may deliver and collect commands, reports and answers")
    func permission() async throws {
        try await TwoDevices.with { devices, _ in
            for person in ["anna", "screen", "mother", "shop"] {
                let peer = try await devices.tablet.connect(person)
                let refusals = [
                    await peer.refusal(of: Methods.Household.get, GetHouseholdRequest()),
                    await peer.refusal(
                        of: Methods.Household.submitGuardians, SubmitGuardiansRequest(signedGuardians: [])),
                    await peer.refusal(of: Methods.Household.submitCommand, SubmitCommandRequest(signedCommand: [])),
                    await peer.refusal(of: Methods.Household.collectCommands, CollectCommandsRequest()),
                    await peer.refusal(
                        of: Methods.Household.reportDevices,
                        ReportDevicesRequest(devices: [], isAll: true, hasBroker: true)),
                    await peer.refusal(of: Methods.Household.submitResult, SubmitResultRequest(signedResult: [])),
                    await peer.refusal(
                        of: Methods.Household.obeyHomeAssistant, ObeyHomeAssistantRequest(order: .lock)),
                    await peer.refusal(of: Methods.Household.createDeviceKey, CreateDeviceKeyRequest()),
                ]
                #expect(refusals.allSatisfy { $0?.code == .permissionDenied })
                // Any user may see the devices.
                #expect(
                    try await peer.call(Methods.Household.listDevices, ListDevicesRequest()).devices.devices.count == 2)
            }
        }
    }

    @Test("an answer counts only if its device signed it")
    func results() async throws {
        try await TwoDevices.with { devices, carrier in
            let root = try await devices.laptop.connect("root")
            let sent = try await root.call(
                Methods.Household.sendCommand, SendCommandRequest(devices: nil, order: .lock))
            let commands = try await carrier.atLaptop.call(
                Methods.Household.collectCommands, CollectCommandsRequest()
            ).commands
            let command = try GuardianCommand(
                payload: SignedText(try #require(commands.first).signed, as: .command).payload)
            #expect(command.device == nil && command.challenge.isEmpty)
            let forged = CommandResult(
                household: TwoDevices.household, device: TwoDevices.tablet, command: command.id, refusal: nil,
                mode: .child)
            let signed = SignedText.sign(forged.payload, as: .result, with: devices.key)
            let refusal = await carrier.atLaptop.refusal(
                of: Methods.Household.submitResult, SubmitResultRequest(signedResult: signed))
            #expect(refusal?.parameters["check"] == "signature")
            let results = try await root.call(
                Methods.Household.getResults, GetResultsRequest(command: sent.command, waitsForAll: false)
            ).results
            #expect(results.answers.isEmpty && results.unanswered.map(\.id) == [TwoDevices.tablet])
            // The result of another user's command is told to nobody else.
            let other = try await devices.laptop.connect("root")
            #expect(
                await other.refusal(
                    of: Methods.Household.getResults, GetResultsRequest(command: sent.command, waitsForAll: false))?
                    .reason
                    == .unknown)
        }
    }

    @Test("a command that a copy of a device has obeyed does not count as done, and a device's own copy is listed")
    func twins() async throws {
        try await TwoDevices.with { devices, carrier in
            let root = try await devices.laptop.connect("root")
            try await carrier.tabletReports(hasTwin: true)
            let sent = try await root.call(
                Methods.Household.sendCommand, SendCommandRequest(devices: [TwoDevices.tablet], order: .lock))
            try await carrier.carry()
            let answers = try await root.call(
                Methods.Household.getResults, GetResultsRequest(command: sent.command, waitsForAll: true)
            ).results.answers
            #expect(answers.map(\.isDone) == [false] && answers.map(\.check) == ["twin"])
            for hasTwin in [true, false] {
                let report = DeviceReport(
                    id: TwoDevices.laptop, name: "Laptop", mode: .parent, parentUntil: nil, isOnline: true,
                    updated: WallTime(unixMilliseconds: 1), version: "1", hasTwin: hasTwin)
                _ = try await carrier.atLaptop.call(
                    Methods.Household.reportDevices,
                    ReportDevicesRequest(devices: [report], isAll: false, hasBroker: true))
                let listed = try await root.call(Methods.Household.listDevices, ListDevicesRequest()).devices
                let own = try #require(listed.devices.first(where: \.isThisDevice)?.report)
                // Of its own device gated only takes over the twin: it knows the rest itself.
                #expect(own.hasTwin == hasTwin && own.mode == .child)
            }
        }
    }

    @Test("a disconnected device is not waited for, and without the household's service nothing is sent")
    func offline() async throws {
        try await TwoDevices.with { devices, carrier in
            let root = try await devices.laptop.connect("root")
            try await carrier.tabletReports(isOnline: false)
            let sent = try await root.call(
                Methods.Household.sendCommand, SendCommandRequest(devices: nil, order: .lock))
            let results = try await root.call(
                Methods.Household.getResults, GetResultsRequest(command: sent.command, waitsForAll: true)
            ).results
            #expect(results.answers.map(\.check) == ["offline"] && results.unanswered.isEmpty)

            _ = try await carrier.atLaptop.call(
                Methods.Household.reportDevices, ReportDevicesRequest(devices: [], isAll: false, hasBroker: false))
            let refusal = await root.refusal(
                of: Methods.Household.sendCommand, SendCommandRequest(devices: nil, order: .lock))
            #expect(refusal?.parameters["what"] == "broker")
        }
    }

    @Test("a lock goes to a device that is told as offline, too, and counts as done once the device has confirmed it")
    func offlineLock() async throws {
        try await TwoDevices.with { devices, carrier in
            let root = try await devices.laptop.connect("root")
            try await carrier.tabletReports(isOnline: false)
            let opening = try await root.call(
                Methods.Household.sendCommand, SendCommandRequest(devices: [TwoDevices.tablet], order: play))
            for target in [[TwoDevices.tablet], nil] {
                let sent = try await root.call(
                    Methods.Household.sendCommand, SendCommandRequest(devices: target, order: .lock))
                let request = GetResultsRequest(command: sent.command, waitsForAll: true)
                #expect(
                    try await root.call(Methods.Household.getResults, request).results.answers.map(\.check)
                        == ["offline"])
                // Nothing but the lock is sent: what opens is not.
                let carried = try await carrier.carry()
                #expect(carried.map(\.device) == [target?.first])
                let results = try await root.call(Methods.Household.getResults, request).results
                #expect(results.answers.map(\.isDone) == [true] && results.unanswered.isEmpty)
            }
            let results = try await root.call(
                Methods.Household.getResults, GetResultsRequest(command: opening.command, waitsForAll: true)
            ).results
            #expect(results.answers.map(\.check) == ["offline"] && results.unanswered.isEmpty)
        }
    }

    @Test("a waiting call is told of changes in other devices, and that they are gone with the household's service")
    func listing() async throws {
        try await TwoDevices.with { devices, carrier in
            let anna = try await devices.laptop.connect("anna")
            let first = try await anna.call(Methods.Household.listDevices, ListDevicesRequest()).devices
            #expect(first.hasBroker && first.devices.map(\.isThisDevice) == [true, false])
            #expect(first.devices.map { $0.report?.isOnline } == [true, true])
            async let next = anna.call(Methods.Household.listDevices, ListDevicesRequest(afterChange: first.change))
            await carrier.atLaptop.close()
            let second = try await next.devices
            #expect(second.change > first.change && !second.hasBroker)
            #expect(second.devices.map { $0.report?.isOnline } == [false, false])
        }
    }

    @Test("a waiting call is told of this device's mode, a new list, and that the household was left")
    func ownChanges() async throws {
        try await TwoDevices.with { devices, carrier in
            let anna = try await devices.laptop.connect("anna")
            let root = try await devices.laptop.connect("root")
            @Sendable func next(after change: UInt64) async throws -> HouseholdDevices {
                try await anna.call(
                    Methods.Household.listDevices, ListDevicesRequest(afterChange: change), timeout: .seconds(20)
                ).devices
            }
            let first = try await anna.call(Methods.Household.listDevices, ListDevicesRequest()).devices
            async let opening = next(after: first.change)
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: .seconds(60), reason: "a test"))
            let opened = try await opening
            #expect(opened.devices.first { $0.isThisDevice }?.report?.mode == .parent)
            async let locking = next(after: opened.change)
            _ = try await root.call(Methods.Mode.lock, LockRequest())
            let locked = try await locking
            #expect(locked.devices.first { $0.isThisDevice }?.report?.mode == .child)
            async let listing = next(after: locked.change)
            let list = devices.list([carrier.members[0]], number: 2)
            _ = try await carrier.atLaptop.call(
                Methods.Household.submitGuardians, SubmitGuardiansRequest(signedGuardians: list))
            let listed = try await listing
            #expect(listed.devices.map(\.id) == [TwoDevices.laptop])
            async let leaving = anna.refusal(
                of: Methods.Household.listDevices, ListDevicesRequest(afterChange: listed.change))
            devices.laptop.householdText.value = ""
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            #expect(await leaving?.reason == .notSetUp)
        }
    }

    @Test("a report with a mistake is refused as a whole")
    func reports() async throws {
        try await TwoDevices.with { devices, carrier in
            let changes: [(inout DeviceReport) -> Void] = [
                { $0.name = "" }, { $0.name = "a\u{1B}[2J" }, { $0.challenge = [1] },
                { $0.version = String(repeating: "1", count: 65) },
            ]
            for change in changes {
                var report = DeviceReport(
                    id: TwoDevices.tablet, name: "Tablet", mode: .parent, parentUntil: nil, isOnline: true,
                    updated: WallTime(unixMilliseconds: 1), version: "1")
                change(&report)
                let refusal = await carrier.atLaptop.refusal(
                    of: Methods.Household.reportDevices,
                    ReportDevicesRequest(devices: [report], isAll: true, hasBroker: true))
                #expect(refusal?.reason == .invalidRequest)
            }
            let anna = try await devices.laptop.connect("anna")
            let listed = try await anna.call(Methods.Household.listDevices, ListDevicesRequest()).devices
            #expect(listed.devices.last?.report?.mode == .child)
        }
    }
}
