import CGateStatus
import CStatusPage
import GateCore
import GateModel
import Glibc

/// Writes the status page, which any process may map to see the mode without asking the daemon. gate_status.h describes
/// the layout and how to read it. The page is made anew at each start. Use this from one thread at a time.
final class StatusPageWriter {
    /// The file's name in the runtime directory.
    static let name = "status"

    private let page: UnsafeMutablePointer<gate_status_page>
    private let file: PageFile
    /// The kernel marks the page when the owner's thread ends. `nil` after `end`.
    private var owner: OpaquePointer?
    private var shown: gate_status_copy

    private init(
        page: UnsafeMutablePointer<gate_status_page>, file: PageFile, owner: OpaquePointer, shown: gate_status_copy
    ) {
        (self.page, self.file, self.owner, self.shown) = (page, file, owner, shown)
    }

    deinit { end() }

    /// Makes a page that shows `state`. It replaces a page that is there.
    static func make(in directory: String, saying state: gate_status_copy) throws(StatusPageError) -> StatusPageWriter {
        try PageFile.checkFree(in: directory)
        let (file, descriptor) = try PageFile.makeUnseen(in: directory)
        defer { close(descriptor) }
        do throws(StatusPageError) {
            let page = try file.map(descriptor)
            var state = state
            status_page_fill(page, readSmallFile("/proc/sys/kernel/random/boot_id") ?? "", &state)
            guard let owner = page_owner_start(page) else {
                let error = StatusPageError(call: "set_robust_list", path: file.unseenPath, errno: errno)
                munmap(page, Int(GATE_STATUS_BYTES))
                throw error
            }
            let made = StatusPageWriter(page: page, file: file, owner: owner, shown: state)
            // The page gets its name when it is complete and has an owner, so no reader sees less.
            try file.show()
            return made
        } catch {
            unlink(file.unseenPath)
            throw error
        }
    }

    func show(_ state: gate_status_copy) {
        guard owner != nil, !state.isShown(by: shown) else { return }
        var state = state
        status_page_write(page, &state)
        shown = state
    }

    /// Marks the page as no longer maintained, and removes the file, unless another daemon has replaced it.
    func end() {
        guard let owner else { return }
        self.owner = nil
        page_owner_end(owner)
        munmap(page, Int(GATE_STATUS_BYTES))
        file.remove()
    }
}

struct StatusPageError: Error, CustomStringConvertible {
    let call: String
    let path: String
    let errno: CInt

    var description: String { "\(call) \(path): \(String(cString: strerror(errno)))" }
}

/// The file of a page. It is named when it is complete, and never shortened, since other processes have it mapped.
private struct PageFile {
    let path: String
    let unseenPath: String
    let device: UInt64
    let inode: UInt64

    /// Throws if a running daemon maintains a page there. This daemon then ends soon because it can't have the socket
    /// either, so it must not replace the page.
    static func checkFree(in directory: String) throws(StatusPageError) {
        let path = "\(directory)/\(StatusPageWriter.name)"
        var reader = gate_status_reader()
        defer { gate_status_close(&reader) }
        guard gate_status_open(&reader, path, geteuid()) == GATE_STATUS_OPENED, gate_status_read(&reader).is_live
        else { return }
        throw StatusPageError(call: "another gated answers for", path: path, errno: EBUSY)
    }

    /// Makes a file of zeros under another name, with its space on the disk already taken. If the disk were full later,
    /// a write to the mapping would kill the daemon.
    static func makeUnseen(
        in directory: String
    ) throws(StatusPageError) -> (file: PageFile, descriptor: CInt) {
        let path = "\(directory)/\(StatusPageWriter.name)"
        let unseenPath = "\(path).new"
        // It is left over if a daemon was killed while it made its page.
        unlink(unseenPath)
        let descriptor = open(unseenPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StatusPageError(call: "open", path: unseenPath, errno: errno) }
        func failed(_ call: String) -> StatusPageError {
            let error = StatusPageError(call: call, path: unseenPath, errno: errno)
            close(descriptor)
            unlink(unseenPath)
            return error
        }
        let zeros = [UInt8](repeating: 0, count: Int(GATE_STATUS_BYTES))
        guard write(descriptor, zeros, zeros.count) == zeros.count else { throw failed("write") }
        // `open` applies the umask, this does not.
        guard fchmod(descriptor, 0o644) == 0 else { throw failed("fchmod") }
        var identity = file_identity()
        guard file_identity_of_descriptor(descriptor, &identity) == 0 else { throw failed("fstat") }
        let file = PageFile(path: path, unseenPath: unseenPath, device: identity.device, inode: identity.inode)
        return (file, descriptor)
    }

    func map(_ descriptor: CInt) throws(StatusPageError) -> UnsafeMutablePointer<gate_status_page> {
        guard let bytes = mmap(nil, Int(GATE_STATUS_BYTES), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            bytes != MAP_FAILED
        else { throw StatusPageError(call: "mmap", path: unseenPath, errno: errno) }
        return bytes.assumingMemoryBound(to: gate_status_page.self)
    }

    func show() throws(StatusPageError) {
        guard rename(unseenPath, path) == 0 else {
            throw StatusPageError(call: "rename", path: path, errno: errno)
        }
    }

    func remove() {
        var identity = file_identity()
        guard file_identity_of_path(path, &identity) == 0, identity.device == device, identity.inode == inode else {
            return
        }
        unlink(path)
    }
}

extension GateState {
    /// What the page shows of this state. Readers check the deadlines themselves, so an expired state needs no rewrite.
    func onPage(by clock: any Clock) -> gate_status_copy {
        let modeState = modeState
        let subscriptionEnd = subscriptionEnd
        return gate_status_copy(
            epoch: revision.epoch, number: revision.number,
            mode_deadline: clock.pageTime(of: modeState.deadline ?? .never),
            subscription_deadline: clock.pageTime(of: subscriptionEnd ?? .never),
            mode: modeState.mode.onPage.rawValue, subscription_active: subscriptionEnd == nil ? 0 : 1,
            reserved: (0, 0, 0))
    }
}

extension Mode {
    fileprivate var onPage: gate_status_mode {
        switch self {
        case .child: GATE_STATUS_CHILD
        case .verifying: GATE_STATUS_VERIFYING
        case .parent: GATE_STATUS_PARENT
        }
    }
}

extension Clock {
    /// The deadline for readers, which compare it with CLOCK_BOOTTIME. A clock that tests set shows another time, so
    /// then the page has 0 for a deadline that has passed and the maximum (never) for any other.
    fileprivate func pageTime(of deadline: BootTime) -> UInt64 {
        guard deadline < .never else { return UInt64.max }
        if self is SystemClock { return UInt64(clamping: deadline.nanoseconds) }
        return deadline <= bootTime() ? 0 : UInt64.max
    }
}

extension gate_status_copy {
    /// How much the end of a subscription may differ from what is shown, in nanoseconds. It is kept as a wall time,
    /// whose distance from the boot clock always varies a little.
    private static let toleratedNanoseconds: UInt64 = 1_000_000_000

    fileprivate func isShown(by shown: gate_status_copy) -> Bool {
        let (earlier, later) = (
            min(subscription_deadline, shown.subscription_deadline),
            max(subscription_deadline, shown.subscription_deadline)
        )
        return epoch == shown.epoch && number == shown.number && mode == shown.mode
            && mode_deadline == shown.mode_deadline && subscription_active == shown.subscription_active
            && later - earlier < Self.toleratedNanoseconds
    }
}
