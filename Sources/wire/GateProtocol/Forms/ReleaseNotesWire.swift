package import CGateProtocol
package import GateModel

// release_notes.proto. WhatsNewWire.swift has the notes as they are shown.

extension Methods {
    package enum ReleaseNotes {
        package static let show = Method<ShowReleaseNotesRequest, ShowReleaseNotesResponse>(service, "ShowReleaseNotes")
        package static let get = Method<GetReleaseNotesRequest, GetReleaseNotesResponse>(service, "GetReleaseNotes")
        package static let acknowledge = Method<AcknowledgeReleaseNotesRequest, AcknowledgeReleaseNotesResponse>(
            service, "AcknowledgeReleaseNotes")
        package static let reset = Method<ResetReleaseNotesRequest, ResetReleaseNotesResponse>(
            service, "ResetReleaseNotes")
        package static let list = Method<ListReleaseNotesRequest, ListReleaseNotesResponse>(service, "ListReleaseNotes")
        private static let service = "gate.v1.ReleaseNotes"
    }
}

extension WhatsNewOutcome: EnumMapping {
    var wire: Gate__V1__WhatsNewOutcome {
        switch self {
        case .nothingNew: GATE__V1__WHATS_NEW_OUTCOME__WHATS_NEW_OUTCOME_NOTHING_NEW
        case .shown: GATE__V1__WHATS_NEW_OUTCOME__WHATS_NEW_OUTCOME_SHOWN
        case .secondaryChosen: GATE__V1__WHATS_NEW_OUTCOME__WHATS_NEW_OUTCOME_SECONDARY_CHOSEN
        }
    }
}

/// A request about the release notes of one version of an app, with the notes that the app itself brings.
protocol ReleaseNotesRequest: MappedMessage {
    var app: String { get }
    var version: AppVersion { get }
    /// The notes that the app brings; empty: only those of the device.
    var notes: [WhatsNew] { get }
}

/// The generated struct of a `ReleaseNotesRequest`.
// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CReleaseNotesRequest: CStruct {
    var app: UnsafeMutablePointer<CChar>! { get set }
    var version: UnsafeMutablePointer<CChar>! { get set }
    var notes: UnsafeMutablePointer<UnsafeMutablePointer<Gate__V1__WhatsNew>?>! { get set }
    var n_notes: Int { get set }
}

extension Gate__V1__ShowReleaseNotesRequest: CReleaseNotesRequest {}
extension Gate__V1__GetReleaseNotesRequest: CReleaseNotesRequest {}
extension Gate__V1__AcknowledgeReleaseNotesRequest: CReleaseNotesRequest {}

extension ReleaseNotesRequest where CMessage: CReleaseNotesRequest {
    fileprivate func writeNotes(to message: inout CMessage, in arena: inout MessageArena) {
        message.app = arena.string(app)
        message.version = arena.string(version.description)
        (message.notes, message.n_notes) = arena.messages(notes.map { WhatsNewNotice(app: app, entry: $0) })
    }

    fileprivate static func version(of message: CMessage) throws(GateError) -> AppVersion {
        try AppVersion(reading: message.version, of: "gate.v1.ReleaseNotes.version")
    }

    fileprivate static func notes(of message: CMessage) throws(GateError) -> [WhatsNew] {
        for index in 0..<message.n_notes {
            let note = message.notes[index]?.pointee
            // Requests with an unknown haptic are refused. In answers it is ignored (see `WhatsNewAction`).
            for action in [note?.primary, note?.secondary] {
                guard let action else { continue }
                _ = try WhatsNew.Haptic.optional(wire: action.pointee.haptic, of: "gate.v1.WhatsNew.Action.haptic")
            }
        }
        return try [WhatsNewNotice](reading: message.notes, count: message.n_notes).map(\.entry)
    }
}

package struct ShowReleaseNotesRequest: ReleaseNotesRequest {
    package var app: String
    package var version: AppVersion
    package var notes: [WhatsNew]
    package var presenting: Presenting

    package init(app: String, version: AppVersion, notes: [WhatsNew] = [], presenting: Presenting) {
        self.app = app
        self.version = version
        self.notes = notes
        self.presenting = presenting
    }

    init(reading message: Gate__V1__ShowReleaseNotesRequest) throws(GateError) {
        self.init(
            app: String(reading: message.app), version: try Self.version(of: message),
            notes: try Self.notes(of: message),
            presenting: try Presenting(message.presenting, message.presents_itself))
    }

    func write(to message: inout Gate__V1__ShowReleaseNotesRequest, in arena: inout MessageArena) {
        writeNotes(to: &message, in: &arena)
        (message.presenting, message.presents_itself) = presenting.fields
    }
}

package struct ShowReleaseNotesResponse: MappedMessage {
    package enum Result: Hashable, Sendable {
        case outcome(WhatsNewOutcome)
        case presentation(Presentation)
    }

    package var revision: Revision
    package var result: Result

    package init(revision: Revision, result: Result) {
        self.revision = revision
        self.result = result
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
        throw .wrong("gate.v1.ShowReleaseNotesResponse", "holds no result that this version knows")
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

/// A request with nothing but an app, its version and the notes that it brings.
package struct PlainReleaseNotesRequest<CMessage: CReleaseNotesRequest>: ReleaseNotesRequest {
    package var app: String
    package var version: AppVersion
    package var notes: [WhatsNew]

    package init(app: String, version: AppVersion, notes: [WhatsNew] = []) {
        self.app = app
        self.version = version
        self.notes = notes
    }

    init(reading message: CMessage) throws(GateError) {
        self.init(
            app: String(reading: message.app), version: try Self.version(of: message),
            notes: try Self.notes(of: message))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        writeNotes(to: &message, in: &arena)
    }
}

package typealias GetReleaseNotesRequest = PlainReleaseNotesRequest<Gate__V1__GetReleaseNotesRequest>

package struct GetReleaseNotesResponse: MappedMessage {
    /// `nil` if there is nothing new.
    package var entry: WhatsNewNotice?

    package init(entry: WhatsNewNotice?) {
        self.entry = entry
    }

    init(reading message: Gate__V1__GetReleaseNotesResponse) throws(GateError) {
        self.init(entry: try WhatsNewNotice(optional: message.entry))
    }

    func write(to message: inout Gate__V1__GetReleaseNotesResponse, in arena: inout MessageArena) {
        message.entry = arena.message(optional: entry)
    }
}

package typealias AcknowledgeReleaseNotesRequest = PlainReleaseNotesRequest<Gate__V1__AcknowledgeReleaseNotesRequest>
package typealias AcknowledgeReleaseNotesResponse = RevisionReply<Gate__V1__AcknowledgeReleaseNotesResponse>
extension Gate__V1__AcknowledgeReleaseNotesResponse: CRevisionReply {}

package struct ResetReleaseNotesRequest: MappedMessage {
    /// `nil` (empty on the wire): all apps.
    package var app: String?

    package init(app: String?) {
        self.app = app
    }

    init(reading message: Gate__V1__ResetReleaseNotesRequest) {
        self.init(app: String(optional: message.app))
    }

    func write(to message: inout Gate__V1__ResetReleaseNotesRequest, in arena: inout MessageArena) {
        message.app = arena.string(app ?? "")
    }
}

/// `count` is the number of entries that now count as not seen.
package typealias ResetReleaseNotesResponse = CountReply<Gate__V1__ResetReleaseNotesResponse>
extension Gate__V1__ResetReleaseNotesResponse: CCountReply {}

// MARK: The list

extension ReleaseNotesSummary: MessageMapping {
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
        (message.seen, message.n_seen) = arena.strings(seen.map(\.description))
    }
}

package typealias ListReleaseNotesRequest = PageRequest<Gate__V1__ListReleaseNotesRequest>
extension Gate__V1__ListReleaseNotesRequest: CPageRequest {}

/// Sorted by app.
package typealias ListReleaseNotesResponse = PageReply<ReleaseNotesSummary, Gate__V1__ListReleaseNotesResponse>

extension Gate__V1__ListReleaseNotesResponse: CPageReply {
    package var elements: CList<Gate__V1__ListedReleaseNotes> {
        get { (apps, n_apps) }
        set { (apps, n_apps) = newValue }
    }
}
