public import GateModel
package import GateProtocol

extension GateClient {
    /// Calls about release notes, which tell what is new in apps. Most apps need only `GateClient.showWhatsNew`.
    public struct ReleaseNoteCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.ReleaseNoteCalls {
    /// The apps that the device has release notes of, and which of them this person has seen.
    public func list() async throws(GateError) -> [ReleaseNotesSummary] {
        try await client.allPages(of: Methods.ReleaseNotes.list) { ListReleaseNotesRequest(pageToken: $0) }
    }

    /// The notes that `GateClient.showWhatsNew` would show for the same arguments; `nil` if there are none.
    public func unseen(
        app: String, version: AppVersion, bringing notes: [WhatsNew] = []
    ) async throws(GateError) -> WhatsNewNotice? {
        let request = GetReleaseNotesRequest(app: app, version: version, notes: notes)
        return try await client.call(Methods.ReleaseNotes.get, request).entry
    }

    /// Marks as seen what `GateClient.showWhatsNew` would show for the same arguments.
    /// - Throws: `NOT_FOUND` (`unknown`) if neither the device nor the app has release notes of the app.
    @discardableResult
    public func acknowledge(
        app: String, version: AppVersion, bringing notes: [WhatsNew] = []
    ) async throws(GateError) -> SeenReleaseNotes {
        let request = AcknowledgeReleaseNotesRequest(app: app, version: version, notes: notes)
        let response = try await client.call(Methods.ReleaseNotes.acknowledge, request)
        return SeenReleaseNotes(app: app, version: version, revision: response.revision)
    }

    /// Marks notes as not seen by this person, so that they are shown again.
    /// - Parameter app: `nil`: all apps.
    /// - Throws: `NOT_FOUND` (`unknown`) if the device has no release notes of the app, and this user has seen none
    ///   that the app has brought.
    @discardableResult
    public func reset(app: String? = nil) async throws(GateError) -> UnseenReleaseNotes {
        let response = try await client.call(Methods.ReleaseNotes.reset, ResetReleaseNotesRequest(app: app))
        return UnseenReleaseNotes(entryCount: response.count, revision: response.revision)
    }

    /// Begins to show release notes in this program, even if presenters of the device could. The caller has to complete
    /// the presentation with `ChallengeAnswer.acknowledged`, or dismiss it.
    public func beginShowing(
        app: String, version: AppVersion, bringing notes: [WhatsNew] = []
    ) async throws(GateError) -> BegunRequest<WhatsNewOutcome> {
        let (response, open) = try await client.beginWhatsNew(app: app, version: version, bringing: notes)
        if let open { return .open(open) }
        return .settled(try GateClient.outcome(of: response.result))
    }
}

/// Release notes that were marked as seen.
public struct SeenReleaseNotes: Hashable, Sendable {
    /// The app.
    public var app: String
    /// The newest version whose notes count as seen.
    public var version: AppVersion
    /// The revision from which on they count as seen.
    public var revision: Revision

    package init(app: String, version: AppVersion, revision: Revision) {
        self.app = app
        self.version = version
        self.revision = revision
    }
}

/// Release notes that were marked as not seen.
public struct UnseenReleaseNotes: Hashable, Sendable {
    /// The number of versions whose notes were marked.
    public var entryCount: Int
    /// The revision from which on they count as not seen.
    public var revision: Revision

    package init(entryCount: Int, revision: Revision) {
        self.entryCount = entryCount
        self.revision = revision
    }
}

extension GateClient {
    /// The first step of showing release notes: the daemon's reply, and the presentation to show if it contains one.
    package func beginWhatsNew(
        app: String, version: AppVersion, bringing notes: [WhatsNew] = [], _ presenting: Presenting = .here
    ) async throws(GateError) -> (response: ShowReleaseNotesResponse, open: OpenPresentation?) {
        let request = ShowReleaseNotesRequest(app: app, version: version, notes: notes, presenting: presenting)
        return try await begin(Methods.ReleaseNotes.show, request, presenting) { response in
            switch response.result {
            case .presentation(let presentation): presentation
            case .outcome: nil
            }
        }
    }

    static func outcome(of result: ShowReleaseNotesResponse.Result) throws(GateError) -> WhatsNewOutcome {
        switch result {
        case .outcome(let outcome): outcome
        case .presentation:
            throw GateError(.internal, .unspecified, "The daemon sent news to a program that can't show any.")
        }
    }
}
