import Foundation
import GateModel
import Glibc
import Synchronization
import Testing

@testable import GateClient

/// A moment in the past, and one far in the future.
private let past: UInt64 = 1
private let future = UInt64.max / 4

private func reader(of path: String) -> StatusPage {
    StatusPage(path: path, trustedServers: .uids([geteuid()]))
}

@Suite("The status page (G-06)")
struct StatusPageTests {
    @Test("what a living daemon has written is read, with its deadlines and its revision")
    func reads() async {
        await withPagePath { path in
            let file = PageFile(
                at: path,
                .init(modeDeadline: future, subscriptionDeadline: future + 1, mode: 2, subscriptionActive: 1))
            let page = reader(of: path)
            #expect(
                page.status
                    == DeviceStatus(
                        mode: .parent, modeDeadline: BootTime(nanoseconds: Int64(future)), isSubscriptionActive: true,
                        subscriptionDeadline: BootTime(nanoseconds: Int64(future + 1)),
                        revision: Revision(epoch: 7, number: 42)))
            file.write(.init(number: 43))
            #expect(
                page.status
                    == DeviceStatus(
                        mode: .child, modeDeadline: nil, isSubscriptionActive: false, subscriptionDeadline: nil,
                        revision: Revision(epoch: 7, number: 43)))
            file.write(.init(modeDeadline: future, mode: 1, subscriptionActive: 1))
            #expect(page.status.mode == .verifying)
            #expect(page.status.isSubscriptionActive && page.status.subscriptionDeadline == nil)
        }
    }

    @Test(
        "the page's mode and subscription end at their deadlines, even if the daemon does not write",
        arguments: [UInt32(1), 2])
    func deadlines(mode: UInt32) async {
        await withPagePath { path in
            let file = PageFile(at: path, .init(modeDeadline: past, mode: mode, subscriptionActive: 1))
            let page = reader(of: path)
            #expect(page.status.mode == .child && page.status.modeDeadline == nil)
            #expect(page.status.isSubscriptionActive && page.status.isLive)
            file.write(.init(modeDeadline: future, subscriptionDeadline: past, mode: mode, subscriptionActive: 1))
            #expect(page.status.mode != .child)
            #expect(!page.status.isSubscriptionActive && page.status.subscriptionDeadline == nil)
        }
    }

    @Test("when the daemon dies the page says child mode at once", arguments: [0, PageFile.died, PageFile.died | 4321])
    func death(owner: UInt32) async {
        await withPagePath { path in
            let file = PageFile(at: path, .init(modeDeadline: future, mode: 2, subscriptionActive: 1))
            let page = reader(of: path)
            #expect(page.status.mode == .parent)
            file.owner = owner
            #expect(page.status == .closed)
            #expect(why(page).contains("has died"))
        }
    }

    @Test("the kernel's bit for waiting threads does not change whether the daemon lives")
    func waiters() async {
        await withPagePath { path in
            let file = PageFile(at: path, .init(mode: 2), owner: PageFile.living | 0x8000_0000)
            #expect(reader(of: path).status.mode == .parent)
            _ = file
        }
    }

    @Test("an unknown mode counts as child, and an unknown subscription as inactive")
    func nonsense() async {
        await withPagePath { path in
            let file = PageFile(at: path, .init(modeDeadline: future, mode: 3, subscriptionActive: 2))
            let page = reader(of: path)
            #expect(page.status.mode == .child && page.status.modeDeadline == nil)
            #expect(!page.status.isSubscriptionActive && page.status.isLive)
            file.write(.init(mode: .max, subscriptionActive: .max))
            #expect(page.status.mode == .child && !page.status.isSubscriptionActive)
        }
    }

    /// Makes a file that must be read as no page.
    private static let forgeries: [(name: String, make: @Sendable (String) -> Void, why: String)] = [
        ("no file", { _ in }, "There is no status page"),
        (
            "half a page",
            { path in
                let file = PageFile(at: path, .init(mode: 2))
                truncate(path, 2048)
                _ = file
            }, "is not a status page"
        ),
        ("an empty file", { path in close(open(path, O_CREAT | O_WRONLY, 0o644)) }, "is not a status page"),
        (
            "a larger file",
            { path in
                _ = PageFile(at: path, .init(mode: 2))
                truncate(path, 8192)
            }, "is not a status page"
        ),
        ("a directory", { path in mkdir(path, 0o755) }, "is not a status page"),
        ("a FIFO", { path in mkfifo(path, 0o644) }, "is not a status page"),
        (
            "a symbolic link",
            { path in
                let elsewhere = path.dropLast("status".count) + "elsewhere"
                _ = PageFile(at: String(elsewhere), .init(mode: 2))
                symlink(String(elsewhere), path)
            }, "can't be opened"
        ),
        (
            "a page that the group may write to",
            { path in
                _ = PageFile(at: path, .init(mode: 2))
                chmod(path, 0o664)
            }, "others may write to it"
        ),
        (
            "a page that others may write to",
            { path in
                _ = PageFile(at: path, .init(mode: 2))
                chmod(path, 0o646)
            }, "others may write to it"
        ),
        ("no magic", { path in PageFile(at: path, .init(mode: 2)).spoilMagic() }, "is not a status page"),
        ("a newer layout", { path in PageFile(at: path, .init(mode: 2)).version = 2 }, "of another version"),
        ("layout 0", { path in PageFile(at: path, .init(mode: 2)).version = 0 }, "of another version"),
        (
            "another size inside", { path in PageFile(at: path, .init(mode: 2)).sayByteCount(8192) },
            "of another version"
        ),
        ("a dead daemon", { path in _ = PageFile(at: path, .init(mode: 2), owner: PageFile.died | 1) }, "has died"),
    ]

    @Test(
        "anything but the page of a living daemon counts as child mode, with a reason",
        arguments: forgeries.indices)
    func forged(index: Int) async {
        let forgery = Self.forgeries[index]
        await withPagePath { path in
            forgery.make(path)
            let page = reader(of: path)
            #expect(page.status == .closed, "\(forgery.name)")
            #expect(why(page).contains(forgery.why), "\(forgery.name): \(why(page))")
            rmdir(path)
        }
    }

    @Test(
        "a page written before the last boot is not trusted, even if it is not marked",
        .enabled(if: !isInMemory("/tmp"), "/tmp is gone with a boot"))
    func otherBoot() async {
        await withPagePath { path in
            let file = PageFile(at: path, .init(mode: 2))
            file.sayBootID("00000000-0000-4000-8000-000000000000")
            #expect(reader(of: path).status == .closed)
            #expect(why(reader(of: path)).contains("before the device was booted"))
        }
    }

    @Test(
        "a page that belongs to another user is not trusted",
        .enabled(if: geteuid() == 0, "only root has files of others"))
    func forgedByAnother() async {
        await withPagePath { path in
            let file = PageFile(at: path, .init(mode: 2))
            chown(path, 65534, 65534)
            #expect(StatusPage(path: path).status == .closed)
            #expect(StatusPage(path: path, trustedServers: .uids([0, 1000])).status == .closed)
            #expect(why(StatusPage(path: path, trustedServers: .uids([1000]))).contains("--server-user"))
            #expect(StatusPage(path: path, trustedServers: .uids([1000, 65534])).status.mode == .parent)
            #expect(StatusPage(path: path, trustedServers: .rootAnd(user: "65534")).status.mode == .parent)
            #expect(StatusPage(path: path, trustedServers: .anyone).status.mode == .parent)
            chown(path, 0, 0)
            #expect(StatusPage(path: path).status.mode == .parent)
            _ = file
        }
    }

    @Test("a half-written update does not hide the state before it")
    func torn() async {
        await withPagePath { path in
            let file = PageFile(at: path, .init(number: 1, modeDeadline: future, mode: 2))
            let page = reader(of: path)
            file.writeInvalidCopy(.init(epoch: 99, number: 99, mode: 1, subscriptionActive: 1))
            #expect(page.status.mode == .parent && page.status.revision == Revision(epoch: 7, number: 1))
        }
    }

    @Test("a reader that starts before the daemon finds its page, and the next daemon's page too")
    func restart() async throws {
        try await withPagePath { path in
            let page = reader(of: path)
            #expect(page.status == .closed)
            let first = PageFile(at: path, .init(epoch: 1, mode: 2))
            try await eventually { page.status.revision?.epoch == 1 }
            first.owner |= PageFile.died
            #expect(page.status == .closed)
            let second = PageFile(at: path, .init(epoch: 2))
            try await eventually { page.status.revision?.epoch == 2 }
            // A page that is believed is read until its owner's death.
            unlink(path)
            #expect(page.status.revision?.epoch == 2)
            second.owner = 0
            #expect(page.status == .closed)
        }
    }

    @Test("the page is beside the socket by default, and reading it opens no connection")
    func path() async {
        #expect(StatusPage(GateClientOptions(socketPath: "/tmp/x/gate.sock")).path == "/tmp/x/status")
        #expect(StatusPage(GateClientOptions(socketPath: "gate.sock")).path == "status")
        #expect(
            StatusPage(GateClientOptions(socketPath: GateClientOptions.defaultSocketPath)).path == "/run/gated/status")
        #expect(StatusPage(path: "/tmp/y/page").path == "/tmp/y/page")
        await withPagePath { path in
            let file = PageFile(at: path, .init(mode: 2))
            let socketPath = path.dropLast("status".count) + "gate.sock"
            let gate = GateClient(
                GateClientOptions(socketPath: String(socketPath), trustedServers: .uids([geteuid()])))
            #expect(gate.status.mode == .parent)
            _ = file
        }
    }

    private func why(_ page: StatusPage) -> String {
        do {
            return "it says \(try page.checkedStatus())"
        } catch {
            return error.code == .unavailable ? error.message : "it is \(error.code)"
        }
    }
}

/// Whether files in this folder are in memory only, so that none outlives the device's power.
private func isInMemory(_ path: String) -> Bool {
    (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8))?.contains(" \(path) tmpfs ") ?? false
}

@Suite("The status page, read by several threads")
struct SharedStatusPageTests {
    /// Every field of a state follows from its number, so that halves of two states are recognised.
    private static func copy(_ number: UInt64) -> PageFile.Copy {
        PageFile.Copy(
            epoch: number, number: number, modeDeadline: future + number, subscriptionDeadline: future + 2 * number,
            mode: number % 2 == 0 ? 2 : 1, subscriptionActive: 1)
    }

    private static func isWhole(_ status: DeviceStatus) -> Bool {
        guard let revision = status.revision else { return status == .closed }
        return status
            == DeviceStatus(
                mode: revision.number % 2 == 0 ? .parent : .verifying,
                modeDeadline: BootTime(nanoseconds: Int64(future + revision.number)), isSubscriptionActive: true,
                subscriptionDeadline: BootTime(nanoseconds: Int64(future + 2 * revision.number)),
                revision: Revision(epoch: revision.number, number: revision.number))
    }

    /// What the threads of a test tell each other.
    private final class Signals: Sendable {
        let isOver = Atomic(false)
        /// How many states were written; the newest daemon that has died.
        let number = Atomic<UInt64>(0)
    }

    /// Counts on two threads of their own, because tasks would keep each other from running.
    private static func counts(_ count: @escaping @Sendable () -> Int) -> AsyncStream<Int> {
        let (counts, counted) = AsyncStream.makeStream(of: Int.self)
        for _ in 0..<2 { Thread.detachNewThread { counted.yield(count()) } }
        return counts
    }

    @Test("every read during a write returns a whole state")
    func writing() async {
        await withPagePath { path in
            let file = PageFile(at: path, Self.copy(0))
            let page = reader(of: path)
            let signals = Signals()
            let torn = Self.counts {
                var (torn, reads) = (0, 0)
                while reads < 20_000 || signals.number.load(ordering: .relaxed) < 2000 {
                    let status = page.status
                    reads += 1
                    if !status.isLive || !Self.isWhole(status) { torn += 1 }
                }
                return torn
            }
            Thread.detachNewThread {
                var number: UInt64 = 0
                while !signals.isOver.load(ordering: .relaxed) {
                    number += 1
                    file.write(Self.copy(number))
                    signals.number.store(number, ordering: .relaxed)
                }
            }
            for await count in torn.prefix(2) { #expect(count == 0) }
            signals.isOver.store(true, ordering: .relaxed)
        }
    }

    @Test("with daemons that die and restart, no read returns a dead daemon's state")
    func restarting() async throws {
        try await withPagePath { path in
            let page = reader(of: path)
            let signals = Signals()
            let wrong = Self.counts {
                var wrong = 0
                while !signals.isOver.load(ordering: .relaxed) {
                    let died = signals.number.load(ordering: .acquiring)
                    let status = page.status
                    if !Self.isWhole(status) || status.revision.map({ $0.number <= died }) ?? false { wrong += 1 }
                }
                return wrong
            }
            for number in UInt64(1)...100 {
                let file = PageFile(at: path, Self.copy(number))
                // The test looks for the page at once, as readers do after a while.
                let status = try page.checkedStatus()
                #expect(status.revision?.number == number)
                file.owner |= PageFile.died
                signals.number.store(number, ordering: .releasing)
            }
            signals.isOver.store(true, ordering: .relaxed)
            for await count in wrong.prefix(2) { #expect(count == 0) }
        }
    }
}

/// Waits until it is so.
private func eventually(_ isSo: () -> Bool) async throws {
    while !isSo() { try await Task.sleep(for: .milliseconds(5)) }
}
