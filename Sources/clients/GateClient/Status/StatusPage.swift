import CGateStatus
public import GateModel
import NIOConcurrencyHelpers
import Synchronization

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reads the mode, and whether a subscription is active, from a page that the daemon shares with every process.
///
/// ```swift
/// let page = StatusPage()
/// if page.status.mode == .parent { … }   // every frame, on any thread
/// ```
///
/// Reading takes nanoseconds: no connection, no system call, no allocation. Any failure reads as child mode without a
/// subscription, as does the death of the daemon, at once. A daemon that starts later, or again, is found by itself.
public final class StatusPage: Sendable {
    /// The path of the page.
    public let path: String
    /// The users whose page is trusted. Root's page always is; a page of any other user is refused.
    public let trustedServers: GateClientOptions.TrustedServers

    /// The address of the page of a living daemon that was mapped last; 0: none yet. A reader loads it once. Every
    /// address that was ever stored here stays readable as long as this object: when a new page is mapped, zeros, which
    /// read as no daemon, replace the old page at its address. So readers need no lock.
    private let address = Atomic<UInt>(0)
    /// When a page was last looked for, in nanoseconds of CLOCK_MONOTONIC; 0: never.
    private let lookedAt = Atomic<UInt64>(0)
    /// The addresses of replaced pages, which hold zeros. The thread that looks for a page holds the lock. It is not a
    /// `Mutex`, because the thread sanitizer does not see that one's futex and would report a race.
    private let replaced = NIOLockedValueBox<[UInt]>([])

    /// Opens nothing until the first reading. Root is trusted in any case.
    /// - Parameter path: `nil`: the file `status` beside `$GATE_SOCKET`, or `/run/gated/status`.
    public convenience init(
        path: String? = nil,
        trustedServers: GateClientOptions.TrustedServers = .rootAnd(user: GateClientOptions.defaultServerUser)
    ) {
        self.init(GateClientOptions(trustedServers: trustedServers, statusPath: path))
    }

    init(_ options: GateClientOptions) {
        path = options.statusPath ?? Self.path(besideSocket: options.socketPath)
        trustedServers = options.trustedServers
    }

    deinit {
        for address in replaced.withLockedValue({ $0 }) + [address.load(ordering: .acquiring)] {
            if let page = UnsafeMutableRawPointer(bitPattern: address) { munmap(page, Int(GATE_STATUS_BYTES)) }
        }
    }

    /// The status that the page shows now. It never waits for the daemon and never fails; see `DeviceStatus.isLive`.
    /// Without a living daemon, it looks for the page again, at most ten times a second.
    public var status: DeviceStatus {
        let status = read()
        return status.isLive ? status : afterLooking()
    }

    /// As `status`, but throws an error that says why there is none, where `status` returns `DeviceStatus.closed`.
    /// - Throws: `UNAVAILABLE` if no living daemon keeps the page up to date, with advice what to do;
    ///   `PERMISSION_DENIED` (`unmappedServer`) in a user namespace that does not know the daemon's user.
    public func checkedStatus() throws(GateError) -> DeviceStatus {
        let status = read()
        guard !status.isLive else { return status }
        if let problem = replaced.withLockedValue({ open(replacing: &$0) }) { throw GateError(problem, path: path) }
        let opened = read()
        // The daemon may have died since the page was opened.
        guard opened.isLive else { throw GateError(.died, path: path) }
        return opened
    }

    private func read() -> DeviceStatus {
        var reader = gate_status_reader()
        reader.page = UnsafePointer(bitPattern: address.load(ordering: .acquiring))
        return DeviceStatus(gate_status_read(&reader))
    }
}

// MARK: - Looking for a page

extension StatusPage {
    /// The shortest time between two attempts to open a page, in nanoseconds.
    private static let pause: UInt64 = 100_000_000

    private func afterLooking() -> DeviceStatus {
        if isTimeToLook {
            replaced.withLockedValue { replaced in
                // Another thread may have looked while this one waited for the lock.
                guard isTimeToLook else { return }
                _ = open(replacing: &replaced)
                lookedAt.store(gate_status_clock(CLOCK_MONOTONIC), ordering: .releasing)
            }
        }
        return read()
    }

    private var isTimeToLook: Bool {
        let looked = lookedAt.load(ordering: .acquiring)
        return looked == 0 || gate_status_clock(CLOCK_MONOTONIC) &- looked >= Self.pause
    }

    /// Maps the page of a living daemon and returns `nil`, or returns why there is none.
    private func open(replacing replaced: inout [UInt]) -> StatusPageProblem? {
        var opened = gate_status_reader()
        // Root first: other trusted users have to be looked up in files, which a missing page does not need.
        var problem = gate_status_open(&opened, path, 0)
        let isOthers = { (problem: gate_status_problem) in
            problem == GATE_STATUS_NOT_TRUSTED || problem == GATE_STATUS_NOT_MAPPED
        }
        if isOthers(problem) {
            for uid in trustedOwners where isOthers(problem) {
                problem = gate_status_open(&opened, path, uid)
            }
        }
        if let problem = StatusPageProblem(problem, errno: errno) { return problem }
        guard gate_status_is_owned(opened.page) else {
            gate_status_close(&opened)
            return .died
        }
        let before = address.exchange(UInt(bitPattern: opened.page), ordering: .acquiringAndReleasing)
        if before != 0 {
            // If mmap fails, the old page stays mapped; it is a dead daemon's, so it reads as no daemon all the same.
            mmap(
                UnsafeMutableRawPointer(bitPattern: before), Int(GATE_STATUS_BYTES), PROT_READ,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
            replaced.append(before)
        }
        return nil
    }

    private var trustedOwners: Set<UInt32> {
        if let trusted = trustedServers.userIDs { return trusted }
        var file = stat()
        return lstat(path, &file) == 0 ? [file.st_uid] : []
    }

    private static func path(besideSocket socketPath: String) -> String {
        socketPath.cut(atLast: "/").map { "\($0.before)/status" } ?? "status"
    }
}
