import Foundation
import GateModel
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import GateDaemon

@Suite("Whom a uid is billed to, by /etc/subuid and the user databases (T-01)")
struct OwnerDirectoryTests {
    private static let users: [String: UInt32] = ["root": 0, "anna": 1000, "ben": 1001]

    private func ranges(_ text: String) -> SubordinateRanges {
        SubordinateRanges(text: text, user: { Self.users[$0] })
    }

    @Test("a uid in a range is billed to the range's owner; root's ranges give no rights of root")
    func ranges() {
        let ranges = ranges("anna:100000:65536\n1001:165536:65536\nroot:300000:10\n")
        #expect(ranges.finding(of: 100_000) == .owner(.user(1000)))
        #expect(ranges.finding(of: 165_535) == .owner(.user(1000)))
        #expect(ranges.finding(of: 165_536) == .owner(.user(1001)))
        #expect(ranges.finding(of: 231_072) == .inNoRange && ranges.finding(of: 1000) == .inNoRange)
        #expect(ranges.finding(of: 300_009) == .owner(.rangesOfRoot))
    }

    @Test("of overlapping ranges the one whose owner has the lowest uid counts")
    func overlaps() {
        let ranges = ranges("ben:100000:65536\nanna:100000:65536\nroot:150000:10\nnobody-here:100000:5\n")
        #expect(ranges.finding(of: 100_000) == .owner(.user(1000)))
        #expect(ranges.finding(of: 150_000) == .owner(.rangesOfRoot))
    }

    @Test("a range of an unknown user is nobody's, and malformed lines are skipped")
    func unknown() {
        let ranges = ranges("later:100000:10\nanna:5\n\nanna:x:1\nanna:1:-1\nanna:4294967295:4294967295\n#\n")
        #expect(ranges.finding(of: 100_000) == .unknownUser && !ranges.isComplete)
        #expect(ranges.finding(of: 5) == .inNoRange && ranges.finding(of: .max) == .owner(.user(1000)))
    }

    @Test("a uid that systemd assigns to a namespace is no account, even if the databases name it")
    func transient() {
        #expect(
            UserDatabase.isTransient(600_000, "ns-anna-600000") && !UserDatabase.isTransient(1000, "ns-anna")
                && !UserDatabase.isTransient(600_000, "anna"))
        #expect(!UserDatabase.isTransient(600_000, nil))
    }

    @Test("accounts are billed to themselves, uids without an account together, and undecidable uids alone")
    func accounts() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "subuid-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("anna:100000:65536\nlate:200000:10\n".utf8).write(to: file)
        let lateUID = Mutex<UInt32?>(nil)
        let box = Unchecked(lateUID: { lateUID.withLock { $0 } })
        let owners = SystemOwners(
            path: file.path,
            users: UserDatabase(
                uid: { $0 == "late" ? box.lateUID() : Self.users[$0] },
                hasAccount: { $0 == 77 ? nil : Self.users.values.contains($0) }))
        #expect(owners.owner(inRanges: 100_001) == .user(1000) && owners.owner(inRanges: 1001) == nil)
        #expect(owners.lookUp(1001) == .user(1001) && owners.lookUp(4321) == .withoutAccount)
        #expect(owners.lookUp(77) == nil)
        // The user appears late, as users of a directory service do.
        #expect(owners.owner(inRanges: 200_000) == nil && owners.lookUp(200_000) == .withoutAccount)
        lateUID.withLock { $0 = 1500 }
        #expect(owners.lookUp(200_000) == .user(1500) && owners.owner(inRanges: 200_001) == .user(1500))
        // A range that is assigned while gated runs.
        try Data("anna:100000:65536\nben:400000:10\n".utf8).write(to: file)
        #expect(owners.lookUp(400_003) == .user(1001))
        try FileManager.default.removeItem(at: file)
        #expect(owners.lookUp(400_003) == .withoutAccount)
    }

    @Test("while the file can't be read the last known ranges hold, and it is read again as soon as possible")
    func unreadable() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "subuid-\(UUID().uuidString)")
        let file = folder.appending(path: "subuid"), before = folder.appending(path: "before")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data("anna:100000:65536\n".utf8).write(to: file)
        let owners = SystemOwners(
            path: file.path,
            users: UserDatabase(uid: { Self.users[$0] }, hasAccount: { Self.users.values.contains($0) }))
        // The folder can be opened, but not read.
        try FileManager.default.moveItem(at: file, to: before)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(owners.lookUp(100_000) == .user(1000))
        try FileManager.default.removeItem(at: file)
        try Data("ben:100000:65536\n".utf8).write(to: file)
        #expect(owners.lookUp(100_000) == .user(1001))
    }

    @Test("a file changed in place is read again, even if its time did not change")
    func sameTick() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "subuid-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        // As fast as this is, some two writes have one time where the kernel's clock for files is coarse (before Linux 6.13).
        for _ in 0..<100 {
            try Data("anna:100000:65536\n".utf8).write(to: file)
            let owners = SystemOwners(
                path: file.path,
                users: UserDatabase(uid: { Self.users[$0] }, hasAccount: { Self.users.values.contains($0) }))
            try Data("root:100000:65536\n".utf8).write(to: file)
            #expect(owners.lookUp(100_000) == .rangesOfRoot)
        }
    }

    /// A closure that tests hand to `Sendable` closures.
    private struct Unchecked: @unchecked Sendable {
        let lateUID: () -> UInt32?
    }
}

private struct FixedDirectory: OwnerDirectory {
    func owner(inRanges uid: UInt32) -> Owner? { uid >= 100_000 ? .user(1000) : nil }
    func lookUp(_ uid: UInt32) -> Owner? { uid == 77 ? nil : uid < 2000 ? .user(uid) : .withoutAccount }
    func refresh() {}
}

@Suite("Looking up owners without blocking the event loop (T-01)")
struct OwnerDeskTests {
    private let loop = EmbeddedEventLoop()
    private let threads = HeldThreads()
    private let lookup: OwnerLookup

    init() {
        lookup = OwnerLookup(eventLoop: loop, directory: FixedDirectory(), threads: threads)
    }

    private final class Found: @unchecked Sendable {
        var owners: [Owner] = []
        var failures = 0
    }

    private func find(_ uid: UInt32, into found: Found) {
        lookup.owner(of: uid).whenComplete { result in
            switch result {
            case .success(let owner): found.owners.append(owner)
            case .failure: found.failures += 1
            }
        }
    }

    @Test("root and uids in ranges are known at once; other uids are looked up once and cached")
    func kept() {
        let found = Found()
        for uid in [0, 100_000] as [UInt32] { find(uid, into: found) }
        #expect(found.owners == [.user(0), .user(1000)] && threads.count == 0)
        for _ in 0..<5 { find(1001, into: found) }
        #expect(threads.count == 1 && found.owners.count == 2)
        threads.finishAll()
        loop.run()
        #expect(found.owners.suffix(5) == Array(repeating: .user(1001), count: 5)[...])
        find(1001, into: found)
        #expect(found.owners.count == 8 && threads.count == 0)
    }

    @Test("a look-up that fails or takes too long bills the uid to itself, that time only")
    func tooLate() {
        let found = Found()
        find(5000, into: found)
        loop.advanceTime(by: .seconds(3))
        #expect(found.owners == [.user(5000)])
        threads.finishAll()
        loop.run()
        #expect(found.owners.count == 1)
        find(5000, into: found)
        #expect(found.owners.last == .withoutAccount, "what came late is known the next time")
        find(77, into: found)
        threads.finishAll()
        loop.run()
        #expect(found.owners.last == .user(77))
        find(77, into: found)
        #expect(threads.count == 1, "a failure is not kept")
    }

    @Test("a uid without an account is looked up again soon, since accounts may appear later")
    func again() {
        let found = Found()
        find(5000, into: found)
        threads.finishAll()
        loop.run()
        loop.advanceTime(by: .seconds(31))
        find(5000, into: found)
        #expect(threads.count == 1)
    }

    @Test("waiting look-ups are limited, for each uid and altogether")
    func waiting() {
        let found = Found()
        let (ofUser, all) = (OwnerLookup.waitingCountOfUser, OwnerLookup.waitingCount)
        for _ in 0..<ofUser + 36 { find(2999, into: found) }
        #expect(found.failures == 36)
        for number in 0..<all { find(UInt32(3000 + number), into: found) }
        #expect(found.failures == 36 + ofUser)
        threads.finishAll()
        loop.run()
        find(8000, into: found)
        #expect(found.failures == 36 + ofUser)
    }
}
