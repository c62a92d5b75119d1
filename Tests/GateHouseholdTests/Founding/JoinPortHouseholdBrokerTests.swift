import Foundation
import GateClient
import GateModel
import ProcessSupport
import Testing

@testable import GateHousehold
@testable import gate_household

@Suite(
    "The broker's port for joining, which is open only while somebody is invited (H-01)",
    .enabled(if: RealBroker.isThere, RealBroker.hint), .serialized, .timeLimit(.minutes(5)), .waitsForProcesses)
struct JoinPortHouseholdBrokerTests {
    private typealias FoundedBroker = FoundingHouseholdBrokerTests.FoundedBroker

    private let port: UInt16
    private let joinPort: UInt16
    private let keeper: RunningGate

    /// Founds a household.
    init() throws {
        port = try RealBroker.freePort()
        joinPort = try RealBroker.freePort()
        keeper = try RunningGate()
        let result = try run(
            keeper, "create", "--name", "Kitchen laptop", "--guardian", "Anna", "--broker", "localhost:\(port)",
            "--join-port", "\(joinPort)")
        #expect(result.status == 0, "\(result.errors)")
    }

    /// An invitation, and its code.
    private func invite() throws -> (process: ChildProcess, code: String) {
        let invitation = try start(keeper, ["invite", "--yes"])
        return (invitation, try invitation.nextLine())
    }

    private func join(_ code: String, as name: String) throws {
        let result = try run(try RunningGate(), "join", "--name", name, input: code + "\n")
        #expect(result.status == 0, "\(result.errors)")
    }

    private var doctor: String {
        get throws {
            try keeper.gatectl("household", "doctor", "--config-directory", keeper.configurationDirectory).output
        }
    }

    private func file(_ name: String) -> URL {
        URL(filePath: keeper.configurationDirectory + "/household/mosquitto/\(name)")
    }

    private var secret: HouseholdSecret {
        get throws { try HouseholdDirectory(path: keeper.configurationDirectory).keeping().secret }
    }

    private func connect(_ identity: JoinLink.Identity, _ topic: String) async throws -> JoinChannel {
        try await JoinLink.mosquitto.open("localhost", joinPort, identity, [topic])
    }

    @Test("the port is closed before an invitation and after it, however that ends")
    func opened() async throws {
        let broker = try FoundedBroker(keeper, [port])
        defer { broker.stop() }
        for isKilled in [false, true, false] {
            #expect(!RealBroker.listens(joinPort))
            let (invitation, code) = try invite()
            #expect(RealBroker.listens(joinPort))
            if isKilled {
                invitation.kill()
            } else {
                #expect(try doctor.contains("`listener \(joinPort)`"))
                try join(code, as: "Tablet \(UUID().uuidString.prefix(8))")
                #expect(try invitation.ended().status == 0)
            }
            try await GateHouseholdTests.eventually("the port is closed") { !RealBroker.listens(joinPort) }
        }
        #expect(try !doctor.contains("`listener"))
    }

    /// The sockets that a process has open, as /proc names them.
    private func sockets(of process: Int32) throws -> Set<String> {
        let folder = "/proc/\(process)/fd"
        let links = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        return Set(links.filter { $0.hasPrefix("socket:") })
    }

    private func children(of process: Int32) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter {
            // The state and the parent come after the program's name in brackets.
            let status = try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8)
            return status?.components(separatedBy: ") ").last?.split(separator: " ").dropFirst().first == "\(process)"
        }
    }

    @Test("what strangers talk to has no connection of the inviting program's, such as the one to gated")
    func connections() throws {
        let broker = try FoundedBroker(keeper, [port])
        defer { broker.stop() }
        let (invitation, _) = try invite()
        defer { invitation.kill() }
        let own = try sockets(of: invitation.pid)
        #expect(!own.isEmpty)
        let shell = try children(of: invitation.pid)
        let processes = try shell + shell.flatMap(children)
        #expect(processes.count == 2, "a shell and a broker")
        for process in processes { #expect(try sockets(of: process).isDisjoint(with: own)) }
    }

    @Test(
        "strangers leave nothing for the next invitation, write nothing large, and can't pass for the inviting device")
    func strangers() async throws {
        let broker = try FoundedBroker(keeper, [port])
        defer { broker.stop() }
        let secret = try secret
        let authority = keeper.configurationDirectory + "/household/ca.pem"
        let request = JoinTopic.request(JoinTopic.place, in: secret.household)
        let inviting = JoinLink.Identity.inviting(
            authority: authority, password: JoinBroker(secret, port: joinPort).password)
        for _ in 0..<2 {
            let (invitation, _) = try invite()
            let insider = try await connect(inviting, request)
            #expect(
                try await insider.message(on: request, within: .seconds(1)) { try? await Task.sleep(for: $0) } == nil)
            insider.close()
            await #expect(throws: FoundingError.self) {
                try await connect(.inviting(authority: authority, password: "guessed"), request)
            }
            let stranger = try await connect(
                .newcomer(authority: authority), JoinTopic.authority(in: secret.household))
            try await stranger.publish(request, [1], isRetained: true)
            await #expect(throws: FoundingError.self) {
                try await stranger.publish(request, [UInt8](repeating: 1, count: 1 << 20), isRetained: true)
            }
            stranger.close()
            invitation.kill()
            try await GateHouseholdTests.eventually("the port is closed") { !RealBroker.listens(joinPort) }
        }
    }

    @Test("a file that an administrator has changed is written anew and named; files that are right are left alone")
    func changedFiles() throws {
        func renew() throws -> String {
            let renewed = try run(keeper, "renew")
            #expect(renewed.status == 0, "\(renewed.errors)")
            return renewed.errors
        }
        func made() throws -> Set<Date?> {
            Set(
                try ["gate.conf", "join.conf", "join.acl", "join.passwords", "mosquitto-gate-join.service"].map {
                    try FileManager.default.attributesOfItem(atPath: file($0).path)[.modificationDate] as? Date
                })
        }
        let broker = try FoundedBroker(keeper, [port])
        defer { broker.stop() }
        let times = try made()
        #expect(try !renew().contains("written anew"))
        #expect(try made() == times)
        let ofToday = try String(contentsOf: file("join.conf"), encoding: .utf8)
        try Data((ofToday + "max_connections 8\n").utf8).write(to: file("join.conf"))
        try FileManager.default.removeItem(at: file("join.acl"))
        #expect(try renew().contains("were written anew: \(file("join.conf").path). Make changes of your own"))
        #expect(try String(contentsOf: file("join.conf"), encoding: .utf8) == ofToday)
        #expect(try !renew().contains("written anew"))
    }

    @Test("if another program has the port, nobody is invited, and nobody is told to close a listener of the broker's")
    func otherProgram() throws {
        let broker = try FoundedBroker(keeper, [port])
        defer { broker.stop() }
        // A mosquitto without a certificate, which any user may start.
        let other = try ChildProcess(RealBroker.mosquitto, ["-p", "\(joinPort)"], hasInput: false)
        defer { other.kill() }
        try eventually("it listens") { RealBroker.listens(joinPort) }
        let invitation = try run(keeper, "invite", "--yes")
        #expect(invitation.status == 69 && invitation.output.isEmpty)
        #expect(invitation.errors.contains("Is the port another program's?"), "\(invitation.errors)")
        #expect(!invitation.errors.contains("sed"))
        let renewed = try run(keeper, "renew")
        #expect(renewed.status == 0 && !renewed.errors.contains("sed"), "\(renewed.errors)")
    }

    @Test("the broker ends with the invitation even if the shell that holds it was killed")
    func killedShell() async throws {
        let broker = try FoundedBroker(keeper, [port])
        defer { broker.stop() }
        let (invitation, code) = try invite()
        for shell in try children(of: invitation.pid) { kill(shell, SIGKILL) }
        try join(code, as: "Tablet")
        #expect(try invitation.ended().status == 0)
        try await GateHouseholdTests.eventually("the port is closed") { !RealBroker.listens(joinPort) }
    }

    @Test("if another program takes the port just before the broker for it starts, nobody is invited either")
    func quickerProgram() async throws {
        let other = try ChildProcess(RealBroker.mosquitto, ["-p", "\(joinPort)"], hasInput: false)
        defer { other.kill() }
        try await GateHouseholdTests.eventually("it listens") { RealBroker.listens(joinPort) }
        let session = FoundingSession(
            gate: GateClient(GateClientOptions(socketPath: keeper.socket)),
            directory: HouseholdDirectory(path: keeper.configurationDirectory))
        let keeping = try session.directory.keeping()
        let broker = try session.joinBroker(keeping)
        let error = await #expect(throws: FoundingError.self) {
            try await session.withOwnBroker(RealBroker.mosquitto, keeping, broker) {
                Issue.record("somebody is invited")
            }
        }
        #expect(error == JoinBrokerProcess.isNotThere("localhost", joinPort))
    }

    @Test("a program that says nothing at the port makes nobody wait for longer than some seconds")
    func silentProgram() throws {
        let broker = try FoundedBroker(keeper, [port])
        defer { broker.stop() }
        let program = "import socket, time; s = socket.create_server(('127.0.0.1', \(joinPort))); time.sleep(600)"
        let silent = try ChildProcess("/usr/bin/python3", ["-c", program], hasInput: false)
        defer { silent.kill() }
        try eventually("it listens") { RealBroker.listens(joinPort) }
        let began = ContinuousClock.now
        let invitation = try run(keeper, "invite", "--yes")
        #expect(invitation.status == 69 && invitation.output.isEmpty)
        #expect(invitation.errors.contains("Is the port another program's?"), "\(invitation.errors)")
        #expect(began.duration(to: .now) < .seconds(25))
    }

    @Test(
        "where an older household's broker has the port itself, devices join as before, and it is told how to close it")
    func older() throws {
        // The files as the version before made them.
        for name in ["join.conf", "join.passwords", "mosquitto-gate-join.service"] {
            try FileManager.default.removeItem(at: file(name))
        }
        let root = "gate/\(try secret.household)"
        let rules = [
            "read \(root)/join/authority", "write \(root)/join/newcomer/request", "read \(root)/join/newcomer/answer",
        ]
        try Data(rules.map { "topic \($0)\n" }.joined().utf8).write(to: file("join.acl"))
        let folder = MosquittoConfiguration.defaultFolder
        let ofToday = try String(contentsOf: file("gate.conf"), encoding: .utf8)
        let before =
            ofToday + """

                # Those that join.
                listener \(joinPort)
                cafile \(folder)/ca.pem
                certfile \(folder)/server.pem
                keyfile \(folder)/server.key
                tls_version tlsv1.2
                max_connections 8
                allow_anonymous true
                acl_file \(folder)/join.acl

                """
        try Data(before.utf8).write(to: file("gate.conf"))
        let broker = try FoundedBroker(keeper, [port, joinPort])
        let (invitation, code) = try invite()
        try join(code, as: "Tablet")
        let ending = try invitation.ended()
        #expect(ending.status == 0)
        let closing = "sed -i '/^listener \(joinPort)$/,$d' /etc/mosquitto/gate/gate.conf"
        #expect(ending.errors.contains(closing), "\(ending.errors)")
        let renewed = try run(keeper, "renew")
        #expect(renewed.status == 0 && renewed.errors.contains(closing), "\(renewed.errors)")
        #expect(try doctor.contains("`listener \(joinPort)`"))
        broker.stop()

        // That closes it, and the next invitation opens a port of its own.
        let copy = broker.folder.appending(path: "copy.conf")
        try Data(before.utf8).write(to: copy)
        let command = closing.replacing("/etc/mosquitto/gate/gate.conf", with: copy.path)
        #expect(try ChildProcess("/bin/sh", ["-c", command], hasInput: false).ended().status == 0)
        #expect(try String(contentsOf: copy, encoding: .utf8) == ofToday + "\n# Those that join.\n")
        #expect(try String(contentsOf: file("gate.conf"), encoding: .utf8) == ofToday)
        let next = try FoundedBroker(keeper, [port])
        defer { next.stop() }
        let (again, nextCode) = try invite()
        try join(nextCode, as: "Phone")
        let end = try again.ended()
        #expect(end.status == 0 && !end.errors.contains("sed"), "\(end.errors)")
    }
}
