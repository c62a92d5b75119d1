import CGateStatus
public import GateModel
import NIOConcurrencyHelpers
import Synchronization

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The mode, and whether a subscription is active, from the page that the daemon shares with every process (G-06).
///
/// ```swift
/// let page = StatusPage()
/// if page.status.mode == .parent { … }   // every frame, on any thread
/// ```
///
/// Reading takes nanoseconds: no connection, no system call, no memory. Whatever goes wrong reads as child mode and no
/// subscription, the death of the daemon at once. A daemon that comes back is found again by itself, and so is one that
/// was started after the reader.
public final class StatusPage: Sendable {
    /// Where the page is.
    public let path: String
    /// The users whose page is believed; root's always is. A page of anybody else is not.
    public let trustedServers: GateClientOptions.TrustedServers

    /// Where a page of a living daemon was mapped last; 0: nowhere yet.
    ///
    /// A reader takes the address once. What was ever at an address stays readable as long as this object: when there is a
    /// new page, the old one is replaced by zeros, which say nothing, in its place. So nobody has to wait for readers.
    private let address = Atomic<UInt>(0)
    /// When somebody last looked for a page, in nanoseconds of CLOCK_MONOTONIC; 0: never.
    private let lookedAt = Atomic<UInt64>(0)
    /// The addresses of zeros. Anyone who looks for a page holds the lock, which is not `Mutex`: the thread sanitizer
    /// doesn't see its futex, and reports a race.
    private let replaced = NIOLockedValueBox<[UInt]>([])

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - path: by default the file `status` beside `$GATE_SOCKET`, or `/run/gated/status`.
    ///   - trustedServers: who the daemon may run as, beside root.
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

    /// The status that the page has now. Never waits for the daemon, and never fails: see `DeviceStatus.isLive`.
    ///
    /// Where no living daemon says anything, the page is looked for, ten times a second at most.
    public var status: DeviceStatus {
        let status = read()
        return status.isLive ? status : afterLooking()
    }

    /// The status that the page has now; throws why it has none.
    ///
    /// - Throws: `UNAVAILABLE` where no living daemon answers for the page, and what can be done about it; `PERMISSION_DENIED`
    ///   (`unmappedServer`) in a user namespace that does not know the daemon's user. The page reads as
    ///   `DeviceStatus.closed` then.
    public func checkedStatus() throws(GateError) -> DeviceStatus {
        let status = read()
        guard !status.isLive else { return status }
        if let problem = replaced.withLockedValue({ open(replacing: &$0) }) { throw GateError(problem, path: path) }
        let opened = read()
        // It may have died since.
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
    /// How long nobody looks again, in nanoseconds.
    private static let pause: UInt64 = 100_000_000

    private func afterLooking() -> DeviceStatus {
        if isTimeToLook {
            replaced.withLockedValue { replaced in
                // Somebody else may have looked while this one waited.
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

    /// Maps the page of a living daemon, if there is one.
    private func open(replacing replaced: inout [UInt]) -> StatusPageProblem? {
        var opened = gate_status_reader()
        // Root's first: who else is trusted is in files, and a page that is not there needs no look at them.
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
            // Where that fails, the page of a dead daemon stays, and says as little.
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

    /// `status` in the directory of a socket.
    private static func path(besideSocket socketPath: String) -> String {
        socketPath.cut(atLast: "/").map { "\($0.before)/status" } ?? "status"
    }
}
