import Foundation
import GateCore
import GateModel
import GateProtocol
import GateStore
import Testing

@testable import GateDaemon

@Suite("Interrupted backups and restores")
struct RestoringTests {
    /// A gate whose backups are made of a real store, with a passcode in it.
    private func withBackups(
        limits: DaemonLimits = .ofTests, _ body: (_ scene: Scene) async throws -> Void
    ) async throws {
        let directory = "/tmp/gate-backups-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await LiveGate.with(limits: limits) { gate, store in
            let real = try GateStore.open(directory: directory, bootID: "boot", now: BootTime(nanoseconds: 1))
            let next = Revision(epoch: real.records.revision.epoch, number: 1)
            let passcode = RecordChange.passcodeSet(hash: "$y$backed.up")
            try real.store.commit([
                Transition(revision: next, isChange: true, records: [passcode], audit: [], reply: .done)
            ])
            store.makeBackups(of: real.store)
            let backup = try real.store.makeBackup()
            try await body(
                Scene(
                    gate: gate, store: store, directory: directory,
                    bytes: try backup.piece(at: 0, count: backup.byteCount)))
        }
    }

    private struct Scene {
        let gate: LiveGate
        let store: MemoryStore
        let directory: String
        /// The whole backup.
        let bytes: [UInt8]

        var half: Int { bytes.count / 2 }
        var first: RestoreRequest { RestoreRequest(restoreID: 0, piece: Array(bytes[..<half]), isLast: false) }

        func last(_ id: UInt64) -> RestoreRequest {
            RestoreRequest(restoreID: id, piece: Array(bytes[half...]), isLast: true)
        }

        /// Whether a file of a restore is there.
        var hasFile: Bool {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            return names.contains { $0.contains(".restore") || $0.contains(".backup") }
        }

        var hasPasscode: Bool { get async { await gate.authority.hasPasscode() } }
        var restores: Int { store.kinds.count { $0 == .restored } }

        /// Waits until nobody brings a backup.
        func deskIsFree() async {
            while await gate.authority.isRestoring() { await Task.yield() }
        }
    }

    private func isLimit(_ error: GateError?) -> Bool { error?.code == .resourceExhausted && error?.reason == .limit }

    @Test("a second restore is refused while the first is under way, and accepted afterwards")
    func twoAtOnce() async throws {
        try await withBackups { scene in
            let (first, second) = (try await scene.gate.connect("root"), try await scene.gate.connect("root"))
            let begun = try await first.call(Methods.Control.restore, scene.first)
            #expect(isLimit(await second.refusal(of: Methods.Control.restore, scene.first)))
            // A second peer can't continue what another one has begun.
            let foreign = await second.refusal(of: Methods.Control.restore, scene.last(begun.restoreID))
            #expect(foreign?.code == .notFound)
            #expect(await !scene.hasPasscode)
            let done = try await first.call(Methods.Control.restore, scene.last(begun.restoreID))
            #expect(done.revision != nil && done.contents?.hasPasscode == true)
            #expect(await scene.hasPasscode)
            let next = try await second.call(Methods.Control.restore, scene.first)
            _ = try await second.call(Methods.Control.restore, scene.last(next.restoreID))
            #expect(scene.restores == 2)
            while scene.hasFile { await Task.yield() }
        }
    }

    @Test("a restore is answered when people are recognized again, so that the next call finds them as they are")
    func recognized() async throws {
        try await withBackups { scene in
            let (root, anna) = (try await scene.gate.connect("root"), try await scene.gate.connect("anna"))
            let dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: "user1001", uid: 0))
            _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(dad)))
            let begun = try await root.call(Methods.Control.restore, scene.first)
            _ = try await root.call(Methods.Control.restore, scene.last(begun.restoreID))
            #expect(
                try await anna.call(Methods.People.list, ListPeopleRequest()).elements.map(\.person.name) == ["dad"])
        }
    }

    @Test("a restore that pauses for a minute gives way to another one, and their pieces are not mixed")
    func displaced() async throws {
        try await withBackups { scene in
            let (first, second) = (try await scene.gate.connect("root"), try await scene.gate.connect("root"))
            let left = try await first.call(Methods.Control.restore, scene.first)
            await scene.gate.advance(by: .seconds(59))
            #expect(isLimit(await second.refusal(of: Methods.Control.restore, scene.first)))
            await scene.gate.advance(by: .seconds(1))
            let begun = try await second.call(Methods.Control.restore, scene.first)
            let late = await first.refusal(of: Methods.Control.restore, scene.last(left.restoreID))
            #expect(late?.code == .notFound)
            _ = try await second.call(Methods.Control.restore, scene.last(begun.restoreID))
            #expect(await scene.hasPasscode)
            #expect(scene.restores == 1)
        }
    }

    @Test("a restore that is being committed is never displaced")
    func busy() async throws {
        try await withBackups { scene in
            let (first, second) = (try await scene.gate.connect("root"), try await scene.gate.connect("root"))
            let begun = try await first.call(Methods.Control.restore, scene.first)
            scene.store.hold()
            async let done = first.call(Methods.Control.restore, scene.last(begun.restoreID))
            while await !scene.gate.authority.isCommittingRestore() { await Task.yield() }
            await scene.gate.ringLate(by: .seconds(3600))
            #expect(isLimit(await second.refusal(of: Methods.Control.restore, scene.first)))
            scene.store.release()
            #expect(try await done.revision != nil)
            #expect(await scene.hasPasscode)
        }
    }

    @Test("a client that leaves during a restore changes nothing, leaves no file, and blocks nobody")
    func leaves() async throws {
        try await withBackups { scene in
            let (first, second) = (try await scene.gate.connect("root"), try await scene.gate.connect("root"))
            _ = try await first.call(Methods.Control.restore, scene.first)
            #expect(scene.hasFile)
            await first.close()
            await scene.deskIsFree()
            while scene.hasFile { await Task.yield() }
            #expect(await !scene.hasPasscode)
            #expect(scene.restores == 0)
            let begun = try await second.call(Methods.Control.restore, scene.first)
            _ = try await second.call(Methods.Control.restore, scene.last(begun.restoreID))
            #expect(await scene.hasPasscode)
        }
    }

    @Test("a client that leaves during the commit has restored everything or nothing", arguments: [true, false])
    func leavesLate(isFull: Bool) async throws {
        try await withBackups { scene in
            let first = try await scene.gate.connect("root")
            let begun = try await first.call(Methods.Control.restore, scene.first)
            scene.store.hold()
            let call = Task { try await first.call(Methods.Control.restore, scene.last(begun.restoreID)) }
            while await !scene.gate.authority.isCommittingRestore() { await Task.yield() }
            await first.close()
            scene.store.setFull(isFull)
            scene.store.release()
            _ = await call.result
            await scene.deskIsFree()
            scene.store.setFull(false)
            // If the disk took nothing, none of the backup is there.
            #expect(await scene.hasPasscode == !isFull)
            #expect(scene.restores == (isFull ? 0 : 1))
            while scene.hasFile { await Task.yield() }
        }
    }

    @Test("a restore of more than 2 GiB is refused and forgotten at once")
    func tooLarge() async throws {
        let limits = DaemonLimits.ofTests
        #expect(limits.backupBytes == 2_147_483_648)
        try await withBackups(limits: limits) { scene in
            let root = try await scene.gate.connect("root")
            for (excess, isTaken) in [(0, true), (1, false)] {
                let begun = try await root.call(Methods.Control.restore, scene.first)
                // The daemon counts as if this many bytes had come.
                await scene.gate.authority.setRestoredBytes(limits.backupBytes - 100)
                let piece = RestoreRequest(
                    restoreID: begun.restoreID, piece: Array(repeating: 0, count: 100 + excess), isLast: false)
                let refusal = await root.refusal(of: Methods.Control.restore, piece)
                #expect(isTaken ? refusal == nil : isLimit(refusal))
                #expect(await scene.gate.authority.isRestoring() == isTaken)
                guard isTaken else { break }
                await scene.gate.advance(by: .seconds(60))
            }
            while scene.hasFile { await Task.yield() }
            let begun = try await root.call(Methods.Control.restore, scene.first)
            _ = try await root.call(Methods.Control.restore, scene.last(begun.restoreID))
            #expect(await scene.hasPasscode)
        }
    }

    @Test("a backup that is not read for a minute gives way to another one, and ends with its connection")
    func reading() async throws {
        var limits = DaemonLimits.ofTests
        limits.backupPieceBytes = 4096
        try await withBackups(limits: limits) { scene in
            let (first, second) = (try await scene.gate.connect("root"), try await scene.gate.connect("root"))
            let left = try await first.call(Methods.Control.backup, BackupRequest())
            #expect(left.piece.count == 4096 && left.byteCount > 4096)
            #expect(!scene.hasFile, "it has no name any more")
            #expect(isLimit(await second.refusal(of: Methods.Control.backup, BackupRequest())))
            await scene.gate.advance(by: .seconds(60))
            let made = try await second.call(Methods.Control.backup, BackupRequest())
            for (person, id) in [(first, left.backupID), (first, made.backupID)] {
                let refusal = await person.refusal(
                    of: Methods.Control.backup, BackupRequest(backupID: id, offset: 4096))
                #expect(refusal?.code == .notFound)
            }
            await second.close()
            while await scene.gate.authority.isBackingUp() { await Task.yield() }
            _ = try await first.call(Methods.Control.backup, BackupRequest())
        }
    }
}

extension Authority {
    fileprivate func hasPasscode() -> Bool { pipeline.durable.records.passcodeHash == "$y$backed.up" }
    fileprivate func isRestoring() -> Bool { backups.transfers.restoring != nil }
    fileprivate func isBackingUp() -> Bool { backups.transfers.reading != nil }
    /// Whether the last piece was checked and its command waits for the disk.
    fileprivate func isCommittingRestore() -> Bool { backups.transfers.restoring?.isBusy == true && !pipeline.isIdle }
    fileprivate func setRestoredBytes(_ count: Int) { backups.transfers.restoring?.byteCount = count }
}
