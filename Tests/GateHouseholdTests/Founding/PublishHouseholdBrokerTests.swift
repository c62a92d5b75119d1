import Foundation
import GateModel
import Glibc
import ProcessSupport
import Testing

@testable import GateHousehold
@testable import gate_household

@Suite(
    "One policy for all devices, with the programs, real daemons and a real broker (H-06)",
    .enabled(if: RealBroker.isThere, RealBroker.hint), .serialized, .timeLimit(.minutes(5)), .waitsForProcesses)
struct PublishHouseholdBrokerTests {
    private typealias FoundedBroker = FoundingHouseholdBrokerTests.FoundedBroker

    private let port: UInt16
    private let joinPort: UInt16
    private let keeper: RunningGate
    private let tablet: RunningGate
    private let folder: String

    init() throws {
        port = try RealBroker.freePort()
        joinPort = try RealBroker.freePort()
        keeper = try RunningGate()
        tablet = try RunningGate()
        folder = keeper.directory + "/family"
    }

    private func write(_ files: [String: String]) throws {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        for (name, text) in files {
            let path = URL(filePath: "\(folder)/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            chmod(path.deletingLastPathComponent().path, 0o755)
            try Data(text.utf8).write(to: path)
            chmod(path.path, 0o644)
        }
    }

    private static func action(_ name: String) -> String {
        "gated-actions: {\(name): {title: A, requires: {mode: parent}}}\n"
    }

    private func hasAction(_ gate: RunningGate, _ name: String) throws -> Bool {
        try gate.gatectl("policy", "show").output.contains(name)
    }

    @Test(
        "a published policy is in force on each device, an older one is refused, and a broker that lost it gets it"
    )
    func whole() async throws {
        let created = try run(
            keeper, "create", "--name", "Laptop", "--guardian", "Anna", "--broker", "localhost:\(port)", "--join-port",
            "\(joinPort)")
        #expect(created.status == 0, "\(created.errors)")
        let broker = try FoundedBroker(keeper, [port])
        let invitation = try start(keeper, ["invite", "--yes"])
        let code = try invitation.nextLine()
        #expect(try run(tablet, "join", "--name", "Tablet", input: code + "\n").status == 0)
        #expect(try invitation.ended().status == 0)
        var services = [try start(keeper, ["serve"]), try start(tablet, ["serve"])]
        defer { for service in services { service.kill() } }

        try write(["policy.d/bedtime.yaml": Self.action("bedtime.end")])
        let dry = try run(keeper, "publish", folder, "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("added: policy.d/bedtime.yaml"), "\(dry.output)\(dry.errors)")
        #expect(dry.output.contains("+ gated action bedtime.end"))
        // This device has gated actions of its own: that there were none, or are none any more, is no change.
        #expect(!dry.output.contains("none; all are denied"), "\(dry.output)")
        let declined = try run(keeper, "publish", folder, input: "no\n")
        #expect(declined.status == 3 && declined.errors.contains("Nothing was changed."), "\(declined.errors)")
        #expect(try !hasAction(keeper, "bedtime.end"))
        #expect(try run(tablet, "publish", folder, "--yes").status == 1)

        let first = try run(keeper, "publish", folder, "--yes")
        #expect(first.status == 0, "\(first.errors)")
        #expect(try hasAction(keeper, "bedtime.end"))
        try await eventually("the tablet has it") { try hasAction(tablet, "bedtime.end") }
        try await eventually("the keeper sees it") {
            try keeper.gatectl("household", "devices", "--json").output.components(
                separatedBy: "\"policyNumber\":\"1\""
            )
            .count == 3
        }
        let directory = HouseholdDirectory(path: keeper.configurationDirectory)
        let old = try #require(directory.keptPolicy)

        // The policy is larger than any other topic may be.
        try write([
            "policy.d/homework.yaml": Self.action("homework.end"),
            "questions.d/long.yaml": String(repeating: "# A comment of no importance.\n", count: 20_000),
        ])
        let second = try run(keeper, "publish", folder, "--json", "--yes")
        #expect(second.status == 0, "\(second.errors)")
        #expect(
            second.output.contains(
                #""added":["policy.d/homework.yaml","questions.d/long.yaml"],"changed":[],"number":2,"published":true,"removed":["policy.d/bedtime.yaml"],"replaces":1"#
            ), "\(second.output)")
        try await eventually("the tablet has the next") { try hasAction(tablet, "homework.end") }
        #expect(try !hasAction(tablet, "bedtime.end"))
        #expect(try run(keeper, "publish", folder, "--yes").output.contains("Nothing would change"))

        // A broker that hands out an older one.
        let settings = try directory.settings()
        let topic = HouseholdTopic.policy.text(in: settings.household)
        let liar = try await JoinLink.mosquitto.open(
            "localhost", port, .device(folder: keeper.configurationDirectory + "/household"), [topic])
        try await liar.publish(topic, old, isRetained: true)
        liar.close()
        services[1].kill()
        _ = try tablet.stop()
        try tablet.start()
        #expect(try hasAction(tablet, "homework.end"))
        services[1] = try start(tablet, ["serve"])
        try await eventually("the tablet is back") {
            try tablet.gatectl("household", "devices", "--json").output.contains("\"hasBroker\":true")
        }
        try await Task.sleep(for: .seconds(1))
        #expect(try hasAction(tablet, "homework.end") && !hasAction(tablet, "bedtime.end"))

        // A broker that has lost everything, or keeps an older policy, gets the newest from the keeper.
        broker.stop()
        try? FileManager.default.removeItem(at: broker.folder.appending(path: "mosquitto.db"))
        try broker.restart()
        let newest = try #require(directory.keptPolicy)
        var found: [UInt8]?
        for _ in 0..<60 where found != newest {
            let channel = try await JoinLink.mosquitto.open(
                "localhost", port, .device(folder: tablet.configurationDirectory + "/household"), [topic])
            found = try await channel.message(on: topic, within: .milliseconds(500)) { try? await Task.sleep(for: $0) }
            channel.close()
        }
        #expect(found == newest)

        // The household's lease is longer than the tablet allows: the tablet reports it, and nothing changes there.
        try tablet.writePolicy(RunningGate.policy.replacing("mode: {", with: "mode: {maximum-lease: 16m, "))
        #expect(try tablet.gatectl("reload").status == 0)
        try write(["policy.d/games.yaml": "mode: {lease: 20m}\n" + Self.action("games.play")])
        #expect(try run(keeper, "publish", folder, "--yes").status == 0)
        try await eventually("doctor says it") {
            try tablet.gatectl("household", "doctor").output.contains("household policy 3: policy.d/games.yaml:1:15: ")
        }
        #expect(try hasAction(tablet, "homework.end"))

        // Leaving takes it away.
        services[1].kill()
        #expect(try run(tablet, "leave", "--yes").status == 0)
        #expect(try !hasAction(tablet, "homework.end"))
    }

    @Test("mistakes in the directory are named, and nothing is published")
    func mistakes() throws {
        #expect(
            try run(
                keeper, "create", "--name", "Laptop", "--guardian", "Anna", "--broker", "localhost:\(port)",
                "--join-port", "\(joinPort)"
            ).status == 0)
        let broker = try FoundedBroker(keeper, [port])
        for (files, words) in [
            (["policy.d/a.yaml": "mode: {lease: soon}\n"], "household policy 1: policy.d/a.yaml:1:15: "),
            (["policy.d/a.yaml": "roles: {}\n"], "each device's own policy.yaml"),
            (["policy.yaml": ""], "Move this away"), (["policy.d/a.txt": ""], "would not be read"),
            (["policy.d/a.yaml": String(repeating: "# \n", count: 250_000)], "bytes, as it is signed"),
            (
                ["policy.d/a.yaml": Self.action("link.open"), "policy.d/b.yaml": Self.action("link.open")],
                "is there already"
            ),
        ] {
            try write(files)
            let result = try run(keeper, "publish", folder, "--yes")
            #expect(result.status == 65 && result.errors.contains(words), "\(files.keys): \(result.errors)")
        }
        #expect(HouseholdDirectory(path: keeper.configurationDirectory).keptPolicy == nil)
        _ = broker
    }
}
