import CGateProtocol
public import GateModel

// release_notes.proto. What is shown is in WhatsNewWire.swift.

extension WhatsNewOutcome: EnumMapping {
    var wire: Gate__V1__WhatsNewOutcome {
        switch self {
        case .nothingNew: GATE__V1__WHATS_NEW_OUTCOME__WHATS_NEW_OUTCOME_NOTHING_NEW
        case .shown: GATE__V1__WHATS_NEW_OUTCOME__WHATS_NEW_OUTCOME_SHOWN
        case .secondaryChosen: GATE__V1__WHATS_NEW_OUTCOME__WHATS_NEW_OUTCOME_SECONDARY_CHOSEN
        }
    }
}

public struct ShowReleaseNotesRequest: MappedMessage {
    /// Like "org.example.draw".
    public var app: String
    public var version: AppVersion
    /// The requester shows it itself. Otherwise the call waits for a presenter.
    public var presentsItself: Bool

    public init(app: String, version: AppVersion, presentsItself: Bool) {
        self.app = app
        self.version = version
        self.presentsItself = presentsItself
    }

    static var initialise: Initialise<Gate__V1__ShowReleaseNotesRequest> { gate__v1__show_release_notes_request__init }

    init(reading message: Gate__V1__ShowReleaseNotesRequest) throws(GateError) {
        self.init(
            app: String(reading: message.app),
            version: try AppVersion(reading: message.version, of: "gate.v1.ShowReleaseNotesRequest.version"),
            presentsItself: message.presents_itself != 0)
    }

    func write(to message: inout Gate__V1__ShowReleaseNotesRequest, in arena: inout MessageArena) {
        message.app = arena.string(app)
        message.version = arena.string(version.description)
        message.presents_itself = presentsItself ? 1 : 0
    }
}

public struct ShowReleaseNotesResponse: MappedMessage {
    public enum Result: Hashable, Sendable {
        /// How it went.
        case outcome(WhatsNewOutcome)
        /// For a requester that presents its own: what to show.
        case presentation(Presentation)
    }

    public var revision: Revision
    public var result: Result

    public init(revision: Revision, result: Result) {
        self.revision = revision
        self.result = result
    }

    static var initialise: Initialise<Gate__V1__ShowReleaseNotesResponse> {
        gate__v1__show_release_notes_response__init
    }

    init(reading message: Gate__V1__ShowReleaseNotesResponse) throws(GateError) {
        self.init(revision: Revision(reading: message.revision), result: try Self.result(of: message))
    }

    private static func result(of message: Gate__V1__ShowReleaseNotesResponse) throws(GateError) -> Result {
        switch message.result_case {
        case GATE__V1__SHOW_RELEASE_NOTES_RESPONSE__RESULT_OUTCOME:
            return .outcome(WhatsNewOutcome(wire: message.outcome, else: .shown))
        case GATE__V1__SHOW_RELEASE_NOTES_RESPONSE__RESULT_PRESENTATION:
            if let presentation = message.presentation {
                return .presentation(try Presentation(reading: presentation.pointee))
            }
        default: break
        }
        throw .invalid("gate.v1.ShowReleaseNotesResponse holds no result that this version knows")
    }

    func write(to message: inout Gate__V1__ShowReleaseNotesResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        switch result {
        case .outcome(let outcome):
            message.result_case = GATE__V1__SHOW_RELEASE_NOTES_RESPONSE__RESULT_OUTCOME
            message.outcome = outcome.wire
        case .presentation(let presentation):
            message.result_case = GATE__V1__SHOW_RELEASE_NOTES_RESPONSE__RESULT_PRESENTATION
            message.presentation = arena.message(presentation)
        }
    }
}

public struct GetReleaseNotesRequest: MappedMessage {
    public var app: String
    public var version: AppVersion

    public init(app: String, version: AppVersion) {
        self.app = app
        self.version = version
    }

    static var initialise: Initialise<Gate__V1__GetReleaseNotesRequest> { gate__v1__get_release_notes_request__init }

    init(reading message: Gate__V1__GetReleaseNotesRequest) throws(GateError) {
        self.init(
            app: String(reading: message.app),
            version: try AppVersion(reading: message.version, of: "gate.v1.GetReleaseNotesRequest.version"))
    }

    func write(to message: inout Gate__V1__GetReleaseNotesRequest, in arena: inout MessageArena) {
        message.app = arena.string(app)
        message.version = arena.string(version.description)
    }
}

public struct GetReleaseNotesResponse: MappedMessage {
    /// `nil`: there is nothing new.
    public var entry: WhatsNewNotice?

    public init(entry: WhatsNewNotice?) {
        self.entry = entry
    }

    static var initialise: Initialise<Gate__V1__GetReleaseNotesResponse> { gate__v1__get_release_notes_response__init }

    init(reading message: Gate__V1__GetReleaseNotesResponse) throws(GateError) {
        self.init(entry: nil)
        if let entry = message.entry {
            self.entry = try WhatsNewNotice(reading: entry.pointee)
        }
    }

    func write(to message: inout Gate__V1__GetReleaseNotesResponse, in arena: inout MessageArena) {
        if let entry {
            message.entry = arena.message(entry)
        }
    }
}

public struct AcknowledgeReleaseNotesRequest: MappedMessage {
    public var app: String
    public var version: AppVersion

    public init(app: String, version: AppVersion) {
        self.app = app
        self.version = version
    }

    static var initialise: Initialise<Gate__V1__AcknowledgeReleaseNotesRequest> {
        gate__v1__acknowledge_release_notes_request__init
    }

    init(reading message: Gate__V1__AcknowledgeReleaseNotesRequest) throws(GateError) {
        self.init(
            app: String(reading: message.app),
            version: try AppVersion(reading: message.version, of: "gate.v1.AcknowledgeReleaseNotesRequest.version"))
    }

    func write(to message: inout Gate__V1__AcknowledgeReleaseNotesRequest, in arena: inout MessageArena) {
        message.app = arena.string(app)
        message.version = arena.string(version.description)
    }
}

public struct AcknowledgeReleaseNotesResponse: RevisionReply {
    public var revision: Revision

    public init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__AcknowledgeReleaseNotesResponse> {
        gate__v1__acknowledge_release_notes_response__init
    }
}

public struct ResetReleaseNotesRequest: MappedMessage {
    /// `nil` (and empty): all.
    public var app: String?

    public init(app: String?) {
        self.app = app
    }

    static var initialise: Initialise<Gate__V1__ResetReleaseNotesRequest> {
        gate__v1__reset_release_notes_request__init
    }

    init(reading message: Gate__V1__ResetReleaseNotesRequest) {
        self.init(app: String(optional: message.app))
    }

    func write(to message: inout Gate__V1__ResetReleaseNotesRequest, in arena: inout MessageArena) {
        message.app = arena.string(app ?? "")
    }
}

public struct ResetReleaseNotesResponse: MappedMessage {
    public var revision: Revision
    /// Entries that count as not seen again.
    public var count: Int

    public init(revision: Revision, count: Int) {
        self.revision = revision
        self.count = count
    }

    static var initialise: Initialise<Gate__V1__ResetReleaseNotesResponse> {
        gate__v1__reset_release_notes_response__init
    }

    init(reading message: Gate__V1__ResetReleaseNotesResponse) {
        self.init(revision: Revision(reading: message.revision), count: Int(message.count))
    }

    func write(to message: inout Gate__V1__ResetReleaseNotesResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.count = UInt32(clamping: count)
    }
}

// MARK: The list

/// The release notes of an app, in short.
public struct ListedReleaseNotes: Hashable, Sendable, MessageMapping {
    public var app: String
    /// The newest version that there are notes of.
    public var newest: AppVersion
    /// How many versions there are notes of.
    public var entryCount: Int
    /// The versions that this person has seen.
    public var seen: [AppVersion]

    public init(app: String, newest: AppVersion, entryCount: Int, seen: [AppVersion]) {
        self.app = app
        self.newest = newest
        self.entryCount = entryCount
        self.seen = seen
    }

    static var initialise: Initialise<Gate__V1__ListedReleaseNotes> { gate__v1__listed_release_notes__init }

    init(reading message: Gate__V1__ListedReleaseNotes) throws(GateError) {
        self.init(
            app: String(reading: message.app),
            newest: try AppVersion(reading: message.newest, of: "gate.v1.ListedReleaseNotes.newest"),
            entryCount: Int(message.entries), seen: [])
        for text in [String](reading: message.seen, count: message.n_seen) {
            seen.append(try AppVersion(text, of: "gate.v1.ListedReleaseNotes.seen"))
        }
    }

    func write(to message: inout Gate__V1__ListedReleaseNotes, in arena: inout MessageArena) {
        message.app = arena.string(app)
        message.newest = arena.string(newest.description)
        message.entries = UInt32(clamping: entryCount)
        message.n_seen = seen.count
        message.seen = arena.strings(seen.map(\.description))
    }
}

public struct ListReleaseNotesRequest: MappedMessage, PageRequest {
    public var pageSize: Int
    public var pageToken: String

    public init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    static var initialise: Initialise<Gate__V1__ListReleaseNotesRequest> { gate__v1__list_release_notes_request__init }
}

public struct ListReleaseNotesResponse: MappedMessage {
    /// By app.
    public var apps: [ListedReleaseNotes]
    /// Empty: that was all.
    public var nextPageToken: String

    public init(apps: [ListedReleaseNotes], nextPageToken: String) {
        self.apps = apps
        self.nextPageToken = nextPageToken
    }

    static var initialise: Initialise<Gate__V1__ListReleaseNotesResponse> {
        gate__v1__list_release_notes_response__init
    }

    init(reading message: Gate__V1__ListReleaseNotesResponse) throws(GateError) {
        self.init(
            apps: try [ListedReleaseNotes](reading: message.apps, count: message.n_apps),
            nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout Gate__V1__ListReleaseNotesResponse, in arena: inout MessageArena) {
        message.n_apps = apps.count
        message.apps = arena.messages(apps)
        message.next_page_token = arena.string(nextPageToken)
    }
}
