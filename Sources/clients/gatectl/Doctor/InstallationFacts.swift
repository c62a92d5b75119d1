import GateModel
import GateProtocol

/// What `gatectl doctor` looks at. Facts are gathered and judged separately, so that tests can judge made-up facts.
struct InstallationFacts {
    /// A file as `lstat` sees it.
    enum File: Hashable {
        case missing
        /// `lstat` failed with this error.
        case unreadable(String)
        case there(kind: Kind, owner: UInt32, permissions: UInt16)

        enum Kind: Hashable {
            case socket
            case directory
            case other
        }
    }

    /// The policy, as it would be read now.
    enum PolicyFiles: Hashable {
        /// There are no files, so every gated action is denied.
        case missing
        case valid(files: [String], asksForSecret: Bool, needs: Needs = Needs())
        /// The first mistake, and how many there are.
        case wrong(first: String, count: Int)
    }

    /// Gate's own screen, which gate-screen.service shows.
    struct OwnScreen: Hashable {
        var isEnabled = false
        var isActive = false
        /// Whether the compositor that it needs is installed.
        var hasCompositor = true
        /// Whether a word is set that tells the screen from an imitation; `nil` if only root could tell.
        var hasWord: Bool?
    }

    /// Whether programs can use the status page.
    enum Page: Hashable {
        case live
        /// Programs can't trust it, for this reason.
        case closed(String)
    }

    var socketPath: String
    /// False for a daemon on a socket of its own, which needs no units, users or groups, and keeps its state elsewhere.
    var isDefaultSocket: Bool
    /// Whether gatectl runs in a sandbox of Flatpak's, where it sees gate-portal and nothing else of the installation.
    var isInSandbox = false
    var socket: File
    var directoryPath: String
    var directory: File
    var serverUser: String
    /// `nil` if there is no such user.
    var serverUserID: UInt32?
    var ownUserID: UInt32
    var hasAdministratorGroup: Bool
    /// The systemd units and whether they are active; `nil` if systemd does not run here, or does not answer.
    var units: [(name: String, isActive: Bool)]?
    /// Whether gate-lock.service is enabled; `nil` as for `units`.
    var locksBeforeSleep: Bool?
    var configDirectory: String
    var policy: PolicyFiles
    /// The mistakes of files that are left out of the policy, one line for each: shipped files, and choices.
    var mistakesOfPolicy: [String] = []
    /// The secrets that are set up. Here and below, a failure says why the daemon did not answer.
    var secrets: Result<[SecretKind], GateError>
    var ownVersion: String
    var daemonVersion: Result<String, GateError>
    /// The daemon's counts as a line of text.
    var statistics: Result<String, GateError>
    /// Where a damaged store was set aside, if Gate has not been recovered since; otherwise `nil`.
    var damage: Result<String?, GateError>
    var accountCount: Result<Int, GateError> = .success(0)
    var people: Result<[ListedPerson], GateError> = .success([])
    /// Where the questions of each child are answered; `nil` if that can't be found out, or the daemon is on a socket
    /// of its own, which knows nothing about the sessions of this device.
    var asking: AskingTable?
    /// A line of text for each provider that is reported to be unreachable.
    var unreachableProviders: Result<[String], GateError> = .success([])
    /// Whether gate-revenuecat.service is active; `nil` as for `units`.
    var asksRevenueCat: Bool?
    /// Whether gate-revenuecat.service is installed, which has a package of its own; `nil` as for `units`.
    var hasRevenueCatUnit: Bool?
    var stateDirectoryPath = "/var/lib/gated"
    var stateDirectory: File = .missing
    /// How much the daemon can still write to the disk of its state directory; `nil` if unknown.
    var roomBytes: UInt64?
    /// The last that gated said before it ended, if it does not answer; `nil` if that is unknown.
    var lastWords: String?
    var now = WallTime(unixMilliseconds: 0)
    /// The time of the journal's newest entry; `nil` if it has none, or can't be read.
    var newestEntry: WallTime?
    /// How many presenters are registered; `nil` if the daemon did not answer.
    var presenterCount: Int?
    var page: Page = .live
    var windows = Windows.none
    /// `nil` if its unit is not installed.
    var ownScreen: OwnScreen?
    /// `nil` if its unit is not installed.
    var timeBridge: TimeBridge?
    var guardedApps = GuardedApps()
}

struct Finding: Hashable {
    enum Verdict: Hashable {
        case ok
        case failed(mend: String)
        /// It is no fault, or it can't be found out.
        case unknown
    }

    var subject: String
    var found: String
    var verdict: Verdict

    var line: String {
        switch verdict {
        case .ok: "ok    \(subject): \(found)"
        case .failed(let mend): "FAIL  \(subject): \(found)\n      \(mend)"
        case .unknown: "?     \(subject): \(found)"
        }
    }

    var json: String {
        let start = "{\"check\":\(JSONString.quoted(subject)),\"found\":\(JSONString.quoted(found)),\"verdict\":"
        return switch verdict {
        case .ok: start + "\"ok\"}"
        case .failed(let mend): start + "\"fail\",\"mend\":\(JSONString.quoted(mend))}"
        case .unknown: start + "\"unknown\"}"
        }
    }

    var isFailure: Bool {
        switch verdict {
        case .ok, .unknown: false
        case .failed: true
        }
    }
}
