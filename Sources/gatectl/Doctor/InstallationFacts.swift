import GateModel

/// The facts that `doctor` looks at. Gathering them is apart from judging them, so that the judgement can be tested.
struct InstallationFacts {
    /// A file as `lstat` sees it.
    enum File: Hashable {
        case missing
        /// It can't be looked at; the error of the system.
        case unreadable(String)
        case there(kind: Kind, owner: UInt32, permissions: UInt16)

        enum Kind: Hashable {
            case socket
            case directory
            case other
        }
    }

    /// The policy files, as they would be read now.
    enum PolicyFiles: Hashable {
        /// There are none; every gated action is denied.
        case missing
        /// They can be put into force.
        case valid(files: [String], asksForSecret: Bool, needs: Needs = Needs())
        /// The first thing that is wrong, and how many there are.
        case wrong(first: String, count: Int)
    }

    /// Gate's own screen (S-15).
    struct OwnScreen: Hashable {
        var isEnabled = false
        var isActive = false
        /// Whether the compositor that it needs is there.
        var hasCompositor = true
        /// `nil`: only root can see it.
        var hasWord: Bool?
    }

    /// The content of the status page for programs that read it.
    enum Page: Hashable {
        case live
        /// Why it can't be believed.
        case closed(String)
    }

    var socketPath: String
    var isDefaultSocket: Bool
    var socket: File
    var directoryPath: String
    var directory: File
    var serverUser: String
    /// `nil`: there is no such user.
    var serverUserID: UInt32?
    var ownUserID: UInt32
    var hasAdministratorGroup: Bool
    /// The systemd units and whether they are active; `nil` where systemd does not run this device or can't be asked.
    var units: [(name: String, isActive: Bool)]?
    /// Whether gate-lock.service is enabled; `nil` where systemd does not run this device.
    var locksBeforeSleep: Bool?
    var configDirectory: String
    var policy: PolicyFiles
    /// The secrets that are set up, or why the daemon can't be asked.
    var secrets: Result<[SecretKind], GateError>
    var ownVersion: String
    /// The daemon's version, or why it can't be asked.
    var daemonVersion: Result<String, GateError>
    /// The daemon's counts, as a line for people; or why it can't be asked.
    var statistics: Result<String, GateError>
    /// Whether the journal's newest word is that the store was damaged, and where it was set aside; `nil` where it is not.
    var damage: Result<String?, GateError>
    /// How many accounts there are; or why the daemon can't be asked.
    var accountCount: Result<Int, GateError> = .success(0)
    /// How the providers do that somebody has reported about, each that can't be heard as a line for people; or why the
    /// daemon can't be asked.
    var unreachableProviders: Result<[String], GateError> = .success([])
    /// Whether gate-revenuecat.service is active; `nil` where systemd does not run this device.
    var asksRevenueCat: Bool?
    var stateDirectoryPath = "/var/lib/gated"
    var stateDirectory: File = .missing
    /// The room that the disk of the state directory has left for its owner; `nil` where it does not say.
    var roomBytes: UInt64?
    /// The last that gated said before it ended; `nil` where nothing is known of that.
    var lastWords: String?
    /// The time of the wall clock.
    var now = WallTime(unixMilliseconds: 0)
    /// When the newest entry of the journal was made; `nil` where it can't be read, or has none.
    var newestEntry: WallTime?
    /// Presenters that are registered; `nil` where the daemon can't be asked.
    var presenterCount: Int?
    var page: Page = .live
    var windows = Windows.none
    /// `nil` where its unit is not installed.
    var ownScreen: OwnScreen?
}

/// One thing that was looked at.
struct Finding: Hashable {
    enum Verdict: Hashable {
        case ok
        case failed(mend: String)
        /// It can't be told from here.
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
