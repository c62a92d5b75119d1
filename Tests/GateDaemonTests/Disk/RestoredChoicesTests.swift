import Epoll
import Foundation
import GateCore
import GateModel
import GateProtocol
import GateStore
import Logging
import TTRPCTransport
import Testing

@testable import GateDaemon

@Suite("Choices of gates in a restored backup (U-07)", .timeLimit(.minutes(10)))
struct RestoredChoicesTests {
    private static let shipped = """
        gated-actions:
          a: {requires: {challenge: passcode}}
          b: {requires: {challenge: shapes}}

        """

    private static let old: [(name: String, notation: String)] = [
        ("a", "{requires: {challenge: confirm}}"), ("b", "{requires: {challenge: passcode}}"),
        ("c", "{requires: {challenge: passcode}}"), ("gate.change", "{requires: {challenge: confirm}}"),
    ]

    /// Gives the body the bytes of a backup with these choices.
    private func withBackup(
        log: LogLines = LogLines(),
        _ body: (_ gate: LiveGate, _ store: MemoryStore, _ root: Connected, _ bytes: [UInt8]) async throws -> Void
    ) async throws {
        let directory = "/tmp/gate-backups-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await LiveGate.with(policy: "mode: {challenge: passcode}\n", shipped: Self.shipped, log: log) {
            gate, store in
            let real = try GateStore.open(directory: directory, bootID: "boot", now: BootTime(nanoseconds: 1))
            let next = Revision(epoch: real.records.revision.epoch, number: 1)
            try real.store.commit([
                Transition(
                    revision: next, isChange: true,
                    records: Self.old.map { .gateChoiceSet(gatedAction: $0.name, notation: $0.notation) }, audit: [],
                    reply: .done)
            ])
            store.makeBackups(of: real.store)
            let backup = try real.store.makeBackup()
            try await body(
                gate, store, try await gate.connect("root"), try backup.piece(at: 0, count: backup.byteCount))
        }
    }

    private func requirements(_ root: Connected) async throws -> [String: String] {
        let list = try await root.call(Methods.Authorization.listGatedActions, ListGatedActionsRequest())
        return Dictionary(uniqueKeysWithValues: list.elements.map { ($0.name, $0.requirement) })
    }

    private func restore(_ bytes: [UInt8], _ root: Connected) async throws -> RestoreResponse {
        let first = try await root.call(
            Methods.Control.restore,
            RestoreRequest(restoreID: 0, piece: Array(bytes[..<(bytes.count / 2)]), isLast: false))
        #expect(first.leftOutChoices.isEmpty)
        return try await root.call(
            Methods.Control.restore,
            RestoreRequest(
                restoreID: first.restoreID, piece: Array(bytes[(bytes.count / 2)...]), isLast: true))
    }

    @Test("on a device that is set up, a backup's choices come back only where they lower nothing, and others are told")
    func lowersNothing() async throws {
        let log = LogLines()
        try await withBackup(log: log) { gate, store, root, bytes in
            _ = try await root.call(
                Methods.Control.setGate, SetGateRequest(gatedAction: "mine", requires: "passcode"))
            // The files are being written just now.
            gate.policyText.value = "mode: ["
            let response = try await restore(bytes, root)
            #expect(response.leftOutChoices == ["a", "c", "gate.change"])
            #expect(store.gateChoices.keys.sorted() == ["b", "mine"])
            #expect(
                try await requirements(root) == [
                    "a": "challenge passcode", "b": "challenge passcode", "mine": "challenge passcode",
                ])
            #expect(
                log.text.contains(
                    "choices of the backup were left out, since they could lower a gate: a, c, gate.change"))
        }
    }

    @Test("a device on which nothing is set up takes a backup's choices, except about gate.change")
    func newDevice() async throws {
        try await withBackup { gate, store, root, bytes in
            let response = try await restore(bytes, root)
            #expect(response.leftOutChoices == ["gate.change"])
            #expect(store.gateChoices.keys.sorted() == ["a", "b", "c"])
            #expect(
                try await requirements(root) == [
                    "a": "challenge confirm", "b": "challenge passcode", "c": "challenge passcode",
                ])
            #expect(await gate.authority.durable.configuration.gatedActions["gate.change"] == nil)
        }
    }

    @Test("a daemon that starts with a choice about gate.change says that it does not count, and how it goes away")
    func start() async throws {
        let directory = "/tmp/gate-choices-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (store, records, _) = try GateStore.open(
            directory: directory, bootID: "boot", now: BootTime(nanoseconds: 1))
        try store.commit([
            Transition(
                revision: Revision(epoch: records.revision.epoch, number: 1), isChange: true,
                records: [
                    .gateChoiceSet(gatedAction: "gate.change", notation: "{requires: {challenge: confirm}}")
                ], audit: [], reply: .done)
        ])
        store.close()
        let (log, loop, stop) = (LogLines(), try EpollLoop(name: "gated loop"), StopRequest())
        let daemon = Daemon(
            settings: Daemon.Settings(
                listeners: [Daemon.Listener(socket: .path("\(directory)/sock", mode: 0o600))],
                stateDirectory: directory),
            environment: .ofThisDevice(configDirectory: directory), logger: Logger(label: "gated") { _ in log })
        let result = await Task { try await daemon.run(on: loop, until: stop) { _ in stop.make() } }.result
        await loop.end()
        try result.get()
        #expect(
            log.text.contains("error choice of gate.change:2:3: Only /etc/gate says what stands before 'gate.change'."))
        #expect(log.text.contains("sudo gatectl gates unset gate.change"))
    }
}
