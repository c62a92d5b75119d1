public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the presentations of the device, and showing them as a presenter.
    public struct PresentationCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.PresentationCalls {
    /// The open presentations, in the order of showing: all for presenters and administrators, else the user's own.
    public func list() async throws(GateError) -> [PresentationSummary] {
        try await client.call(Methods.Presentations.list, ListPresentationsRequest()).presentations
    }

    /// Closes any presentation. A sign-in cover stays away until somebody has signed in and out again, or the policy is
    /// read again. For administrators.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) if it is closed already.
    @discardableResult
    public func withdraw(_ id: UInt64) async throws(GateError) -> WithdrawnPresentation {
        let response = try await client.call(Methods.Presentations.withdraw, WithdrawRequest(id: id))
        return WithdrawnPresentation(id: id, revision: response.revision)
    }

    /// The presentations that this program has to show for all programs of the device, as long as a task iterates. For
    /// the role presenter.
    ///
    /// Presentations come one at a time, and only while the task waits for the next event; each one has been claimed
    /// before. When the iteration ends, the presentation on the screen is handed back. `present` does all of this
    /// except the showing.
    ///
    /// - Parameter abilities: the kinds and styles that this program can show.
    public func events(for abilities: PresenterAbilities) -> PresenterSequence {
        PresenterSequence(shared: client.connection, abilities: abilities)
    }

    /// Shows presentations for all programs of the device, until the task is cancelled or the client is closed.
    ///
    /// - Parameters:
    ///   - abilities: the kinds and styles that this program can show.
    ///   - present: shows one presentation and returns what the person did. Its task is cancelled when the presentation
    ///     can no longer be answered; take it off the screen then.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) if this program may not present.
    public func present(_ abilities: PresenterAbilities, _ present: @escaping PresentationHandler)
        async throws(GateError)
    {
        for await event in events(for: abilities) {
            switch event {
            // A wrong answer or a withdrawal is an error for the requester, not for this presenter.
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
    /// The revision from which on the presentation is closed.
    public var revision: Revision

    package init(id: UInt64, revision: Revision) {
        self.id = id
        self.revision = revision
    }
}
