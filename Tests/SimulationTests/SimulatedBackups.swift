import Foundation
import GateCore
import GateModel
import GateProtocol
import GateScripting
import GateStore
import TTRPC

/// Two administrators who make backups and bring them back, piece by piece, over connections that carry real frames. They get in
/// each other's way, leave in the middle, and bring half of a backup.
struct SimulatedBackups {
    private var random: SeededGenerator
    private var administrators = [SimulatedAdministrator(), SimulatedAdministrator()]
    /// Whole backups, the newest last.
    private var kept: [[UInt8]] = []
    private(set) var made = 0
    private(set) var restored = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// - Parameter secrets: bytes that must be in no backup.
    mutating func step(_ device: SimulatedDevice, secrets: [[UInt8]]) throws {
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1:
            device.endBackupWork()
        case 2, 3:
            let index = Int.random(in: 0..<administrators.count, using: &random)
            switch try administrators[index].proceed(with: device, kept, &random) {
            case .made(let bytes):
                made += 1
                try check(bytes, device, secrets)
                kept = kept.suffix(3) + [bytes]
            case .restored: restored += 1
            case nil: break
            }
        default: break
        }
    }

    /// All connections are closed.
    mutating func daemonDied() {
        for index in administrators.indices { administrators[index].lost() }
    }

    mutating func leave(_ device: SimulatedDevice) {
        for index in administrators.indices { administrators[index].hangUp(device) }
    }

    /// A backup is a store that holds exactly what was confirmed at one moment, and no secret of what was open then.
    private func check(_ bytes: [UInt8], _ device: SimulatedDevice, _ secrets: [[UInt8]]) throws {
        let file = Data(bytes)
        try hold(secrets.allSatisfy { file.range(of: Data($0)) == nil }, "a cookie or a grant is in a backup")
        let folder = FileManager.default.temporaryDirectory.appending(path: "gate-backup-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try file.write(to: folder.appending(path: "gate.sqlite"))
        let (store, records, outcome) = try GateStore.open(
            directory: folder.path, bootID: device.clock.bootID, now: device.now)
        defer { store.close() }
        try hold(outcome == .opened, "a backup is no whole store")
        let journal = try store.audit(after: nil, last: nil, limit: 1_000_000).entries
        var moments = device.disk.backups
        // A backup of an earlier boot would begin its locks anew.
        if !moments.contains(where: { $0.records == records }) {
            for index in moments.indices { moments[index].records.deviceRebooted(at: device.now) }
        }
        let content = SimulatedDisk.Content(records: records, journal: journal)
        try hold(moments.contains(content), "a backup holds something else than what was confirmed")
        try hold(journal.contains { $0.kind == .backedUp }, "a backup is not in its own journal")
    }
}

/// One of them, with a connection.
private struct SimulatedAdministrator {
    /// The work that an administrator has finished.
    enum Outcome {
        case made([UInt8])
        case restored
    }

    private enum Work {
        case none
        /// A backup is being read. `id`: 0 before its first piece.
        case reading(id: UInt64, bytes: [UInt8])
        /// A backup is being brought; `sent` bytes of it are taken. `id`: 0 before its first piece.
        case restoring(id: UInt64, bytes: [UInt8], sent: Int, isHalf: Bool)
    }

    private var connection: SimulatedConnection?
    private var work = Work.none
    /// The call that waits for its answer, with the number of bytes that it carries.
    private var call: (stream: UInt32, byteCount: Int)?

    mutating func lost() { (connection, work, call) = (nil, .none, nil) }

    mutating func hangUp(_ device: SimulatedDevice) {
        if let connection { device.hangUp(connection.peer) }
        lost()
    }

    mutating func proceed(
        with device: SimulatedDevice, _ kept: [[UInt8]], _ random: inout SeededGenerator
    ) throws -> Outcome? {
        if let connection, !connection.isOpen { lost() }
        if connection == nil {
            guard let peer = try device.connect(uid: 0, roles: [.app, .administrator]) else { return nil }
            connection = device.connections[peer.connection]
        }
        guard let connection else { return nil }
        if let call {
            guard let (_, data) = connection.receive().first(where: { $0.header.streamID == call.stream }) else {
                // It takes long, and some administrators don't wait.
                if Int.random(in: 0..<30, using: &random) == 0 { hangUp(device) }
                return nil
            }
            self.call = nil
            return try answered(data, call.byteCount, device)
        }
        switch Int.random(in: 0..<24, using: &random) {
        case 0: hangUp(device)
        case 1: work = .none
        default: try goOn(connection, device, kept, &random)
        }
        return nil
    }

    private mutating func goOn(
        _ connection: SimulatedConnection, _ device: SimulatedDevice, _ kept: [[UInt8]], _ random: inout SeededGenerator
    ) throws {
        let stream = connection.nextStream()
        switch work {
        case .none:
            if var bytes = kept.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
                let isHalf = Int.random(in: 0..<4, using: &random) == 0
                if isHalf { bytes = Array(bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))) }
                work = .restoring(id: 0, bytes: bytes, sent: 0, isHalf: isHalf)
            } else {
                work = .reading(id: 0, bytes: [])
            }
            return
        case .reading(let id, let bytes):
            call = (stream, 0)
            connection.send(
                Methods.Control.backup, BackupRequest(backupID: id, offset: UInt64(bytes.count)), stream: stream)
        case .restoring(let id, let bytes, let sent, _):
            // The piece fits into what a connection may send at once.
            let end = min(bytes.count, sent + Int.random(in: 1...(200 << 10), using: &random))
            call = (stream, end - sent)
            connection.send(
                Methods.Control.restore,
                RestoreRequest(
                    restoreID: id, piece: Array(bytes[sent..<end]), isLast: end == bytes.count,
                    checkOnly: Int.random(in: 0..<4, using: &random) == 0), stream: stream)
        }
        device.daemon.loop.run()
    }

    private mutating func answered(_ data: [UInt8], _ byteCount: Int, _ device: SimulatedDevice) throws -> Outcome? {
        let envelope = try data.withUnsafeBytes { try ResponseEnvelope(decoding: $0) }
        let before = work
        work = .none
        switch before {
        case .none:
            return nil
        case .reading(_, let bytes):
            guard envelope.status == nil else { return nil }
            let response = try BackupResponse(decoding: envelope.payload)
            let read = bytes + response.piece
            if UInt64(read.count) == response.byteCount { return .made(read) }
            try hold(!response.piece.isEmpty, "a backup has fewer bytes than it says")
            work = .reading(id: response.backupID, bytes: read)
            return nil
        case .restoring(_, let bytes, let sent, let isHalf):
            if let status = envelope.status {
                try hold(status.code != .invalidArgument || isHalf, "a whole backup was refused: \(status.message)")
                return nil
            }
            let response = try RestoreResponse(decoding: envelope.payload)
            guard sent + byteCount == bytes.count else {
                work = .restoring(id: response.restoreID, bytes: bytes, sent: sent + byteCount, isHalf: isHalf)
                return nil
            }
            try hold(!isHalf, "half a backup was taken for a whole one")
            guard let revision = response.revision else { return nil }
            let journal = device.disk.confirmed.journal
            try hold(
                journal.contains { $0.number == revision.number && $0.kind == .restored },
                "a restore was confirmed that is not on the disk")
            return .restored
        }
    }
}
