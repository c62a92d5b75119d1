public import GateModel
package import GateProtocol

extension GateClient {
    /// Calls about what is new in apps. `GateClient.showWhatsNew` is all that most apps need.
    public struct ReleaseNoteCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.ReleaseNoteCalls {
    /// The apps that the device has release notes of, and what this person has seen of them.
    public func list() async throws(GateError) -> [ReleaseNotesSummary] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(Methods.ReleaseNotes.list, ListReleaseNotesRequest(pageToken: token))
        }
    }

    /// The notes that `GateClient.showWhatsNew` would show, without showing them; `nil`: none.
    ///
    /// - Parameters:
    ///   - app: like "org.example.draw".
    ///   - version: the version that runs.
    ///   - notes: the app's own (F-85).
    public func unseen(
        app: String, version: AppVersion, bringing notes: [WhatsNew] = []
    ) async throws(GateError) -> WhatsNewNotice? {
        let request = GetReleaseNotesRequest(app: app, version: version, notes: notes)
        return try await client.call(Methods.ReleaseNotes.get, request).entry
    }

    /// Counts as seen what `GateClient.showWhatsNew` would show (F-58).
    ///
    /// - Parameter notes: the app's own (F-85).
    /// - Throws: `NOT_FOUND` (`unknown`) where the device has no release notes of the app, and the app brings none.
    @discardableResult
    public func acknowledge(
        app: String, version: AppVersion, bringing notes: [WhatsNew] = []
    ) async throws(GateError) -> SeenReleaseNotes {
        let request = AcknowledgeReleaseNotesRequest(app: app, version: version, notes: notes)
        let response = try await client.call(Methods.ReleaseNotes.acknowledge, request)
        return SeenReleaseNotes(app: app, version: version, revision: response.revision)
    }

    /// Marks all notes as not seen (F-58).
    ///
    /// - Parameter app: `nil`: of all apps.
    /// - Throws: `NOT_FOUND` (`unknown`) where the device has no release notes of the app.
    @discardableResult
    public func reset(app: String? = nil) async throws(GateError) -> UnseenReleaseNotes {
        let response = try await client.call(Methods.ReleaseNotes.reset, ResetReleaseNotesRequest(app: app))
        return UnseenReleaseNotes(entryCount: response.count, revision: response.revision)
    }

    /// Begins to show what is new, which this program does, even if others could. It is up to the caller to complete it, with
    /// `ChallengeAnswer.acknowledged`, or to dismiss it.
    public func beginShowing(
        app: String, version: AppVersion, bringing notes: [WhatsNew] = []
    ) async throws(GateError) -> BegunRequest<WhatsNewOutcome> {
        let (response, open) = try await client.beginWhatsNew(app: app, version: version, bringing: notes)
        if let open { return .open(open) }
        return .settled(try GateClient.outcome(of: response.result))
    }
}

/// Release notes that count as seen.
public struct SeenReleaseNotes: Hashable, Sendable {
    /// The app.
    public var app: String
    /// The newest version whose notes count as seen.
    public var version: AppVersion
    /// The revision from which on it is so.
    public var revision: Revision

    package init(app: String, version: AppVersion, revision: Revision) {
        self.app = app
        self.version = version
        self.revision = revision
    }
}

/// Release notes that count as not seen again.
public struct UnseenReleaseNotes: Hashable, Sendable {
    /// The number of entries.
    public var entryCount: Int
    /// The revision from which on it is so.
    public var revision: Revision

    package init(entryCount: Int, revision: Revision) {
        self.entryCount = entryCount
        self.revision = revision
    }
}

extension GateClient {
    /// The first of two steps, with the reply as it came.
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
            throw GateError(.internal, .unspecified, "The daemon sent what is new to a program that shows none of it.")
        }
    }
}
