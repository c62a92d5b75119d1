public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the presentations of the device, and presenting them.
    public struct PresentationCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.PresentationCalls {
    /// The presentations that are open, in order. Presenters and administrators see all; others what they have asked for.
    public func list() async throws(GateError) -> [PresentationSummary] {
        try await client.call(Methods.Presentations.list, ListPresentationsRequest()).presentations
    }

    /// Closes a presentation, whatever it is. A sign-in cover stays away until somebody has signed in and out again, or the
    /// policy is read again (F-70). For administrators.
    ///
    /// - Parameter id: of the presentation.
    /// - Throws: `NOT_FOUND` (`unknown`) where it is gone already.
    @discardableResult
    public func withdraw(_ id: UInt64) async throws(GateError) -> WithdrawnPresentation {
        let response = try await client.call(Methods.Presentations.withdraw, WithdrawRequest(id: id))
        return WithdrawnPresentation(id: id, revision: response.revision)
    }

    /// The presentations that this program has to show, for all programs of the device, as long as somebody iterates
    /// (F-53). For the role presenter.
    ///
    /// Each presentation is claimed before it is handed over. One at a time comes, and none while nobody waits for the next
    /// event. Anyone who stops iterating hands back what is on the screen. `present` does all of it but the showing.
    ///
    /// - Parameter abilities: the kinds and styles that this program can show.
    public func events(for abilities: PresenterAbilities) -> PresenterSequence {
        PresenterSequence(shared: client.connection, abilities: abilities)
    }

    /// Shows what there is to show, for all programs of the device, until the task is cancelled or the client is closed.
    ///
    /// - Parameters:
    ///   - abilities: the kinds and styles that this program can show.
    ///   - present: shows one presentation and returns what the person did. Its task is cancelled when the
    ///     presentation can no longer be answered; take it off the screen then.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) where this program may not present, `INVALID_ARGUMENT` where the
    ///   abilities are none.
    public func present(_ abilities: PresenterAbilities, _ present: @escaping PresentationHandler)
        async throws(GateError)
    {
        for await event in events(for: abilities) {
            switch event {
            // That the person was wrong, or the question withdrawn, is for the requester to hear.
            case .show(let open): _ = try? await open.answered(by: present)
            case .refused(let error): throw error
            case .close, .registered, .lost, .elsewhere, .covered: break
            }
        }
    }
}

/// A presentation that was withdrawn.
public struct WithdrawnPresentation: Hashable, Sendable, Identifiable {
    /// The number of the presentation.
    public var id: UInt64
    /// The revision from which on it is gone.
    public var revision: Revision

    package init(id: UInt64, revision: Revision) {
        self.id = id
        self.revision = revision
    }
}
