import CGateStatus
import GateModel

extension DeviceStatus {
    init(_ status: gate_status) {
        guard status.is_live else {
            self = .closed
            return
        }
        self.init(
            mode: Mode(page: status.mode), modeDeadline: BootTime(page: status.mode_deadline),
            isSubscriptionActive: status.subscription_active,
            subscriptionDeadline: BootTime(page: status.subscription_deadline),
            revision: Revision(epoch: status.epoch, number: status.number))
    }
}

extension Mode {
    /// An unknown value is read as child mode.
    fileprivate init(page mode: gate_status_mode) {
        switch mode {
        case GATE_STATUS_PARENT: self = .parent
        case GATE_STATUS_VERIFYING: self = .verifying
        default: self = .child
        }
    }
}

extension BootTime {
    /// `nil` if there is no deadline (GATE_STATUS_FOREVER).
    fileprivate init?(page nanoseconds: UInt64) {
        guard nanoseconds != .max else { return nil }
        self.init(nanoseconds: Int64(clamping: nanoseconds))
    }
}

/// Why a status page can't be read.
enum StatusPageProblem: Hashable {
    case absent
    /// The system refused to open it.
    case failed(errno: Int32)
    case notAPage
    /// The file belongs to a user who is not trusted, or other users may write to it.
    case notTrusted
    /// The file belongs to a user whom this user namespace does not know.
    case notMapped
    case otherVersion
    /// It was written before the device was booted.
    case otherBoot
    /// The daemon that wrote the page is no longer running.
    case died

    init?(_ problem: gate_status_problem, errno: Int32) {
        switch problem {
        case GATE_STATUS_OPENED: return nil
        case GATE_STATUS_ABSENT: self = .absent
        case GATE_STATUS_NOT_A_PAGE: self = .notAPage
        case GATE_STATUS_NOT_TRUSTED: self = .notTrusted
        case GATE_STATUS_NOT_MAPPED: self = .notMapped
        case GATE_STATUS_OTHER_VERSION: self = .otherVersion
        case GATE_STATUS_OTHER_BOOT: self = .otherBoot
        default: self = .failed(errno: errno)
        }
    }
}

extension GateError {
    init(_ problem: StatusPageProblem, path: String) {
        let isRunning = "Is gated running (`systemctl status gated`)?"
        let why: String =
            switch problem {
            case .absent:
                "There is no status page \(path). \(isRunning) Does it run elsewhere (`--socket`, GATE_SOCKET)?"
            case .failed(let errno):
                "The status page \(path) can't be opened: \(String(cString: strerror(errno))). "
                    + "Let everybody enter its directory and read the page."
            case .notAPage:
                "\(path) is not a status page. Remove it, and start gated again, which makes its own."
            case .notTrusted:
                "The status page \(path) is not root's or the daemon's, or others may write to it. If that is the page of a "
                    + "private run, name its user (`--server-user`); else remove it, and start gated again."
            case .notMapped:
                "This program runs in a user namespace that does not know the user of the status page \(path), so nobody can tell "
                    + "whether it is the daemon's. Run it outside of the sandbox (bubblewrap, Flatpak, a container), or in one "
                    + "that maps the daemon's user."
            case .otherVersion:
                "The status page \(path) is of another version of Gate. Install the same version of both, and start this "
                    + "program and gated again."
            case .otherBoot:
                "The status page \(path) was written before the device was booted. \(isRunning)"
            case .died:
                "Nobody answers for the status page \(path) any more: its daemon has died, or was stopped. \(isRunning)"
            }
        switch problem {
        case .notMapped: self.init(.permissionDenied, .unmappedServer, why)
        case .absent, .failed, .notAPage, .notTrusted, .otherVersion, .otherBoot, .died:
            self.init(.unavailable, .unspecified, why)
        }
    }
}
