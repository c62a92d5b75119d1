import GateCore
import GateModel
import Glibc
import SQLite

@testable import GateStore

/// A state directory of a test's own, gone when the test is.
final class Scene {
    /// Of the boot clock: a minute after boot.
    static let now = BootTime(nanoseconds: 60_000_000_000)
    static let boot = "boot-1"

    let directory: String
    var database: String { "\(directory)/gate.sqlite" }

    init() throws {
        var template = Array("/tmp/gate-store-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw StoreError.failed("mkdtemp") }
        directory = String(cString: made)
    }

    deinit {
        // A test may have taken its own permissions away.
        chmod(directory, 0o700)
        for name in names { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }

    func open(
        boot: String = Scene.boot, now: BootTime = Scene.now, journalCapacity: Int = 50_000
    ) throws -> (store: GateStore, records: DurableRecords, outcome: GateStore.OpenOutcome) {
        try GateStore.open(directory: directory, bootID: boot, now: now, journalCapacity: journalCapacity)
    }

    /// What lies in the directory, sorted.
    var names: [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func mode(of path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    func read(_ path: String) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        return Array(unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
    }

    /// Whether the bytes occur anywhere in the store's files.
    func isOnDisk(_ bytes: [UInt8]) -> Bool { !onDisk([bytes]).isEmpty }

    /// Those texts that occur anywhere in the store's files.
    func onDisk(_ wanted: [[UInt8]]) -> [[UInt8]] {
        let files = ["", "-wal", "-shm"].map { read(database + $0) }
        return wanted.filter { bytes in files.contains { Self.contains(bytes, in: $0) } }
    }

    private static func contains(_ bytes: [UInt8], in file: [UInt8]) -> Bool {
        file.withUnsafeBytes { file in
            var start = 0
            while let base = file.baseAddress, start + bytes.count <= file.count {
                guard let found = memchr(base + start, CInt(bytes[0]), file.count - bytes.count + 1 - start) else {
                    return false
                }
                if memcmp(found, bytes, bytes.count) == 0 { return true }
                start = base.distance(to: UnsafeRawPointer(found)) + 1
            }
            return false
        }
    }

    func write(_ bytes: [UInt8], to path: String) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Another program's connection to the same file.
    func withOtherProgram<Result>(_ work: (Database) throws -> Result) throws -> Result {
        let other = try DatabaseQueue(path: database)
        defer { try? other.close() }
        return try other.inDatabase(work)
    }
}

extension RecordTable {
    /// Reads the rows and discards them.
    func load(from database: Database) throws {
        var records = DurableRecords(revision: Revision(epoch: 1, number: 0))
        try load(into: &records, from: database)
    }
}

extension DurableRecords {
    /// The transition to the next revision, with as many journal entries as asked for.
    func next(_ changes: [RecordChange] = [], entries: Int = 1, detail: String = "") -> Transition {
        let next = Revision(epoch: revision.epoch, number: revision.number + 1)
        return Transition(
            revision: next, isChange: true, records: changes,
            audit: (0..<entries).map { position in
                AuditEntry(
                    number: next.number, time: WallTime(unixMilliseconds: 1_767_225_600_000 + Int64(position)),
                    kind: .locked, actor: AuditEntry.Actor(uid: 1000, pid: 4711), mode: .child, detail: detail)
            },
            reply: .done)
    }

    /// Applies a transition of each number of entries in turn.
    mutating func transitions(entries: [Int]) -> [Transition] {
        entries.map { count in
            let transition = next(entries: count)
            apply(transition)
            return transition
        }
    }
}

extension Lockout {
    static let key = Lockout.Key(owner: .user(1000), gate: "mode")

    static func locked(until: BootTime?, duration: Duration = .seconds(30)) -> Lockout {
        Lockout(wrongAnswers: 3, unanswered: 1, lockedUntil: until, lockDuration: duration)
    }
}
