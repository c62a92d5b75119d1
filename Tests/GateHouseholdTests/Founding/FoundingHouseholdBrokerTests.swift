import Foundation
import GateModel
import Glibc
import ProcessSupport
import Testing

@testable import GateHousehold
@testable import gate_household

@Suite(
    "Founding and joining with the programs, real daemons and a real broker (H-01)",
    .enabled(if: RealBroker.isThere, RealBroker.hint), .serialized, .timeLimit(.minutes(5)), .waitsForProcesses)
struct FoundingHouseholdBrokerTests {
    /// mosquitto with the configuration that `create` has made, as an administrator copies it.
    final class FoundedBroker {
        let folder: URL
        private var process: ChildProcess?
        private let ports: [UInt16]

        init(_ gate: RunningGate, _ ports: [UInt16]) throws {
            self.ports = ports
            folder = FileManager.default.temporaryDirectory.appending(path: "gate-founded-\(UUID().uuidString)")
            try FileManager.default.copyItem(
                atPath: gate.configurationDirectory + "/household/mosquitto", toPath: folder.path)
            let file = folder.appending(path: "gate.conf")
            let text = try String(contentsOf: file, encoding: .utf8)
                .replacingOccurrences(of: MosquittoConfiguration.defaultFolder, with: folder.path)
            // Otherwise it would become another user, who can't come as far as here.
            try Data((text + (geteuid() == 0 ? "user root\n" : "")).utf8).write(to: file)
            try start()
        }

        deinit {
            process?.kill()
            try? FileManager.default.removeItem(at: folder)
        }

        func take(_ name: String, from gate: RunningGate) throws {
            let new = gate.configurationDirectory + "/household/mosquitto/\(name)"
            try Data(contentsOf: URL(filePath: new)).write(to: folder.appending(path: name))
        }

        func restart() throws {
            stop()
            try start()
        }

        func stop() {
            process?.kill()
        }

        private func start() throws {
            let child = try ChildProcess(
                RealBroker.mosquitto, ["-c", folder.appending(path: "gate.conf").path], hasInput: false)
            process = child
            try ProcessSupport.eventually("mosquitto listens") {
                guard child.isRunning else { throw child.failure("it has ended") }
                return ports.allSatisfy(RealBroker.listens)
            }
        }
    }

    private let port: UInt16
    private let joinPort: UInt16
    private let keeper: RunningGate
    private let tablet: RunningGate

    init() throws {
        port = try RealBroker.freePort()
        joinPort = try RealBroker.freePort()
        keeper = try RunningGate()
        tablet = try RunningGate()
    }

    @discardableResult
    private func create(_ gate: RunningGate, _ more: String..., input: String? = nil) throws -> ChildProcess.Result {
        let process = try start(
            gate,
            [
                "create", "--name", "Kitchen laptop", "--guardian", "Anna", "--broker", "localhost:\(port)",
                "--join-port",
                "\(joinPort)",
            ] + more)
        if let input { process.write(input) }
        process.closeInput()
        let result = try process.ended()
        #expect(result.status == 0, "\(result.errors)")
        return result
    }

    private func join(_ words: String...) throws -> (code: String, result: ChildProcess.Result) {
        let invitation = try start(keeper, ["invite", "--yes"] + words)
        let code = try invitation.nextLine()
        // Other work meanwhile does not end the invitation.
        let renewed = try run(keeper, "renew")
        #expect(renewed.status == 0, "\(renewed.errors)")
        let result = try run(tablet, "join", "--name", "Mia's tablet", input: code + "\n")
        #expect(result.status == 0, "\(result.errors)")
        let ending = try invitation.ended()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.contains("Mia's tablet is in the household."))
        #expect(result.output.contains("systemctl enable --now gate-household gate-household-renew.timer"))
        return (code, result)
    }

    private func settings(_ gate: RunningGate) throws -> HouseholdSettings {
        try HouseholdDirectory(path: gate.configurationDirectory).settings()
    }

    private func channel(_ gate: RunningGate, _ filters: [String] = []) async throws -> JoinChannel {
        let settings = try settings(gate)
        let topic = HouseholdTopic.guardians.text(in: settings.household)
        return try await JoinLink.mosquitto.open(
            "localhost", port,
            .device(folder: gate.configurationDirectory + "/household"),
            filters.isEmpty ? [topic] : filters)
    }

    private func message(_ channel: JoinChannel, on topic: String, within duration: Duration = .seconds(5)) async throws
        -> [UInt8]?
    {
        try await channel.message(on: topic, within: duration) { try? await Task.sleep(for: $0) }
    }

    // MARK: -

    @Test("with --json a program can found a household and let another device join")
    func forPrograms() throws {
        struct Created: Decodable { var household, device, recoveryKey: String }
        struct Invited: Decodable {
            var code: String
            var expiresUnixMilliseconds: Int64
        }
        struct Joined: Decodable {
            var household, device, name: String
            var hasConfirmed: Bool
        }
        func read<Value: Decodable>(_ type: Value.Type, _ line: String) throws -> Value {
            try JSONDecoder().decode(type, from: Data(line.utf8))
        }
        let created = try read(Created.self, create(keeper, "--json").output)
        #expect(HouseholdSecret(recoveryKey: created.recoveryKey)?.household.description == created.household)
        let broker = try FoundedBroker(keeper, [port])
        defer { broker.stop() }
        let invitation = try start(keeper, ["invite", "--yes", "--json"])
        let invited = try read(Invited.self, invitation.nextLine())
        #expect(invited.expiresUnixMilliseconds > Int64(Date().timeIntervalSince1970 * 1000) + 500_000)
        let joined = try read(
            Joined.self, run(tablet, "join", "--name", "Mia's tablet", "--json", input: invited.code + "\n").output)
        #expect(joined.household == created.household && joined.name == "Mia's tablet" && joined.hasConfirmed)
        let told = try read(Joined.self, invitation.nextLine())
        #expect(told.device == joined.device && told.hasConfirmed)
        #expect(try invitation.ended().status == 0)
    }

    @Test("a household is created, a device joins, and each daemon knows both devices")
    func whole() async throws {
        let created = try create(keeper)
        #expect(created.output.contains("GATE-RECOVERY-"))
        // The commands that are printed keep the list from ending, and leave a mosquitto alone that is there already.
        #expect(created.output.contains("systemctl enable --now gate-household gate-household-renew.timer"))
        #expect(created.output.contains("systemctl enable --now mosquitto-gate"))
        #expect(!created.output.contains("/etc/mosquitto/conf.d"))
        let broker = try FoundedBroker(keeper, [port])
        let (code, _) = try join("--guardian", "Tom")
        for gate in [keeper, tablet] {
            let devices = try gate.gatectl("household", "devices", "--json")
            #expect(devices.status == 0, "\(devices.errors)")
            for text in ["Kitchen laptop", "Mia's tablet", "Anna", "Tom"] {
                #expect(devices.output.contains(text), "\(text): \(devices.output)")
            }
        }
        // A device in a household neither joins another one by mistake nor creates one.
        #expect(try run(tablet, "join", "--name", "x", input: code + "\n").status == 1)
        // The household's key is not lost by a mistake.
        #expect(try run(keeper, "join", "--name", "x", "--replace", input: code + "\n").status == 1)
        // The broker has what others need.
        let topic = HouseholdTopic.guardians.text(in: try settings(keeper).household)
        #expect(try await message(try await channel(tablet), on: topic) != nil)
        _ = broker
    }

    @Test("gatectl household is replaced by gate-household, with its output and exit status")
    func throughGatectl() throws {
        let result = try ChildProcess(
            builtProgram("gatectl"), ["household", "join", "--name", "x"], hasInput: false
        )
        .ended()
        // As another user it fails, because only root may do that.
        #expect([65, 1, 77].contains(result.status))
        #expect(result.errors.hasPrefix("gate-household: "))
    }

    @Test("without a certificate a client can read and write only what joining needs")
    func anonymous() async throws {
        try create(keeper)
        let broker = try FoundedBroker(keeper, [port])
        let settings = try settings(keeper)
        let authority = keeper.configurationDirectory + "/household/ca.pem"
        let insider = try await channel(keeper, ["gate/#"])
        let invitation = try start(keeper, ["invite", "--yes"])
        defer { invitation.kill() }
        _ = try invitation.nextLine()
        let state = HouseholdTopic.state(settings.device).text(in: settings.household)
        try await insider.publish(state, [1], isRetained: true)
        let stranger = try await JoinLink.mosquitto.open("localhost", joinPort, .newcomer(authority: authority), ["#"])
        #expect(try await message(stranger, on: state, within: .seconds(1)) == nil)
        for topic in [
            state, HouseholdTopic.guardians.text(in: settings.household), JoinTopic.authority(in: settings.household),
            JoinTopic.answer(JoinTopic.place, in: settings.household), "gate/\(settings.household)/join/slot",
            JoinTopic.request("slot", in: settings.household), JoinTopic.echo(in: settings.household), "other/topic",
        ] {
            await #expect(throws: FoundingError.self, "\(topic)") { try await stranger.publish(topic, [1]) }
        }
        try await stranger.publish(JoinTopic.request(JoinTopic.place, in: settings.household), [1])
        // Without a certificate nobody comes in at the other port.
        await #expect(throws: FoundingError.self) {
            try await JoinLink.mosquitto.open("localhost", port, .newcomer(authority: authority), ["#"])
        }
        _ = broker
    }

    @Test("a member can write below its own id alone, and not what only the household's key may sign")
    func member() async throws {
        try create(keeper)
        let broker = try FoundedBroker(keeper, [port])
        _ = try join()
        let (first, mine) = (try settings(keeper), try settings(tablet))
        let channel = try await channel(tablet)
        for topic in [
            HouseholdTopic.guardians.text(in: mine.household),
            HouseholdTopic.state(first.device).text(in: mine.household),
            HouseholdTopic.certificate(mine.device).text(in: mine.household), JoinTopic.authority(in: mine.household),
            "gate/\(mine.household)/shared/policy",
        ] {
            await #expect(throws: FoundingError.self, "\(topic)") { try await channel.publish(topic, [1]) }
        }
        try await channel.publish(HouseholdTopic.state(mine.device).text(in: mine.household), [1])
        try await channel.publish(
            HouseholdTopic.commands(sender: mine.device, target: first.device).text(in: mine.household), [1])
        _ = broker
    }

    @Test("a revoked device is marked on the others' lists, and the broker refuses its certificate")
    func revoked() async throws {
        try create(keeper)
        let broker = try FoundedBroker(keeper, [port])
        // Serial numbers are random: half of them look negative.
        for _ in 0..<4 {
            _ = try join()
            _ = try await channel(tablet)
            let revoked = try run(keeper, "revoke", try settings(tablet).device.description)
            #expect(revoked.status == 0, "\(revoked.errors)")
            try broker.take("revoked.pem", from: keeper)
            try broker.restart()
            await #expect(throws: FoundingError.self) { try await channel(tablet) }
            _ = try await channel(keeper)
            #expect(try run(tablet, "leave", "--yes").status == 0)
        }
        let devices = try keeper.gatectl("household", "devices", "--json")
        #expect(devices.output.contains("\"isRevoked\":true"), "\(devices.output)")
        #expect(try run(keeper, "leave", "--yes").status == 1)
    }

    @Test("a man in the middle with the authority's certificate but without its key is refused")
    func inBetween() async throws {
        try create(keeper)
        let code = JoinCode(
            host: "localhost", port: joinPort,
            authority: try HouseholdDirectory(path: keeper.configurationDirectory).keeping().authorityBytes,
            seed: JoinSeed())
        // Another household stands where the broker should be, and shows the right certificate.
        let other = try RunningGate()
        try create(other)
        let broker = try FoundedBroker(other, [port])
        let invitation = try start(other, ["invite", "--yes"])
        defer { invitation.kill() }
        _ = try invitation.nextLine()
        let joining = Joining(code, over: .mosquitto, clock: { RunningCarrier.now().boot }) {
            try? await Task.sleep(for: min($0, .seconds(1)))
        }
        await #expect(throws: FoundingError.otherAuthority) { try await joining.authority() }
        let secret = try HouseholdDirectory(path: other.configurationDirectory).keeping().secret
        let liar = try await JoinLink.mosquitto.open(
            "localhost", joinPort,
            .inviting(
                authority: other.configurationDirectory + "/household/ca.pem",
                password: JoinBroker(secret, port: joinPort).password), [JoinTopic.anyAuthority])
        let authority = try HouseholdDirectory(path: keeper.configurationDirectory).keeping().authorityBytes
        try await liar.publish(JoinTopic.authority(in: try settings(other).household), authority, isRetained: true)
        let (found, household) = try await joining.authority()
        #expect(found == authority)
        await #expect {
            try await joining.join(
                FoundedHousehold.newcomer().request, household: household,
                authority: keeper.configurationDirectory + "/household/ca.pem"
            ) { _ throws(FoundingError) in }
        } throws: { error in
            guard case .broker(let why) = error as? FoundingError else { return false }
            return why.contains("no secure connection")
        }
        _ = broker
    }

    @Test(
        "after recovery an old list at the broker does not undo a revocation that the device knows of"
    )
    func recoveredFromOldList() async throws {
        let created = try create(keeper)
        let key = try #require(created.output.split(separator: "\n").first { $0.contains("GATE-RECOVERY-") })
        let broker = try FoundedBroker(keeper, [port])
        _ = try join("--guardian", "Tom")
        let device = try settings(tablet).device
        let topic = HouseholdTopic.guardians.text(in: try settings(keeper).household)
        let old = try #require(try await message(try await channel(keeper), on: topic))
        #expect(try run(keeper, "revoke", device.description).status == 0)
        let revoked = try String(
            contentsOfFile: keeper.configurationDirectory + "/household/mosquitto/revoked.pem", encoding: .utf8)
        try await channel(keeper).publish(topic, old, isRetained: true)
        // The files are lost while the daemon's records remain; then the other way round.
        try FileManager.default.removeItem(atPath: keeper.configurationDirectory + "/household/list.jws")
        let result = try create(keeper, "--recover", "--replace", input: key + "\n")
        #expect(result.output.contains("Mia's tablet: revoked"), "\(result.output)")
        #expect(result.errors.contains("--revoked"), "\(result.errors)")
        #expect(
            try HouseholdDirectory(path: keeper.configurationDirectory).keeping().list.member(device)?.isRevoked == true
        )
        let file = broker.folder.appending(path: "old.pem")
        try Data(revoked.utf8).write(to: file)
        let again = try create(
            keeper, "--recover", "--replace", "--without-list", "--revoked", file.path, input: key + "\n")
        #expect(!again.errors.contains("--revoked"), "\(again.errors)")
        let keeping = try HouseholdDirectory(path: keeper.configurationDirectory).keeping()
        #expect(keeping.list.member(device)?.isRevoked == true)
        // The broker takes the new list, and refuses the revoked device.
        broker.stop()
        let next = try FoundedBroker(keeper, [port])
        _ = try await channel(keeper)
        await #expect(throws: FoundingError.self) { try await channel(tablet) }
        _ = next
    }

    @Test("invite without a terminal is refused before anything is published")
    func needsTerminal() throws {
        try create(keeper)
        let result = try run(keeper, "invite")
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains("--yes"), "\(result.errors)")
    }

    @Test("if the first device is lost, the recovery key founds the household anew elsewhere with all its devices")
    func recovered() async throws {
        let created = try create(keeper)
        let key = try #require(created.output.split(separator: "\n").first { $0.contains("GATE-RECOVERY-") })
        let broker = try FoundedBroker(keeper, [port])
        _ = try join()
        let laptop = try RunningGate()
        let wrong = try start(
            laptop,
            ["create", "--name", "New", "--guardian", "Anna", "--broker", "localhost:\(port)", "--recover"])
        wrong.write("GATE-RECOVERY-WRONG\n")
        wrong.closeInput()
        #expect(try wrong.ended().status == 65)
        let result = try create(laptop, "--recover", input: key + "\n")
        #expect(!result.output.contains("GATE-RECOVERY-"))
        let devices = try laptop.gatectl("household", "devices", "--json")
        #expect(devices.output.contains("Mia's tablet"), "\(devices.output)")
        #expect(try settings(laptop).household == settings(keeper).household)
        // Its broker accepts the devices that were there before.
        broker.stop()
        let next = try FoundedBroker(laptop, [port])
        _ = try await channel(tablet)
        let renewed = try run(laptop, "renew")
        #expect(renewed.status == 0, "\(renewed.errors)")
        _ = next
    }
}
