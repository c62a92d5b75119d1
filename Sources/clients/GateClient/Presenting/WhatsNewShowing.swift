public import GateModel
import GateProtocol
import Synchronization

extension GateClient {
    /// Shows what is new in this version, at most once to each person, and waits until it is closed.
    ///
    /// ```swift
    /// try await gate.showWhatsNew(
    ///     app: "org.example.draw", version: AppVersion(1, 2, 0), opening: { url in open(url) })
    /// ```
    ///
    /// It counts as seen however the person closes it, but not if it is withdrawn or expires, or the task is cancelled.
    /// - Parameters:
    ///   - app: like "org.example.draw".
    ///   - version: the running version.
    ///   - notes: the app's own notes of at most 16 versions, for devices whose administrator has installed none.
    ///     People are told that the app has written them. What was seen of them is kept for the user, signed in or not.
    ///   - present: shows the notes in this program, even if presenters could; answer with
    ///     `ChallengeAnswer.acknowledged`. `nil`: the presenters show them.
    ///   - open: opens the address of the secondary action, once, if the person chose that action and it has one, after
    ///     the gated action `link.open` was granted for it. `nil`: nothing is opened.
    /// - Returns: how it went. If the secondary action has no address, its meaning is up to the app.
    /// - Throws: `ABORTED` (`noPresenter`), `DEADLINE_EXCEEDED` (`expired`). Errors of `authorize` and of `open` are
    ///   thrown too; the notes count as seen then.
    @discardableResult
    public nonisolated(nonsending) func showWhatsNew(
        app: String, version: AppVersion, bringing notes: [WhatsNew] = [],
        presenting present: PresentationHandler? = nil,
        opening open: (nonisolated(nonsending) (String) async throws -> Void)? = nil
    ) async throws -> WhatsNewOutcome {
        let (outcome, notice) =
            if let present {
                try await whatsNewPresented(app: app, version: version, notes, by: present)
            } else {
                try await whatsNewShown(app: app, version: version, notes, isToldWhat: open != nil)
            }
        switch outcome {
        case .nothingNew, .shown: break
        case .secondaryChosen:
            guard let open, let url = notice?.entry.secondary?.url else { break }
            try await authorize("link.open", details: url, presenting: present) { try await open(url) }
        }
        return outcome
    }

    /// - Parameter isToldWhat: whether to fetch the notes too. It is done first: notes that were seen can't be fetched.
    private func whatsNewShown(
        app: String, version: AppVersion, _ notes: [WhatsNew], isToldWhat: Bool
    ) async throws(GateError) -> (WhatsNewOutcome, WhatsNewNotice?) {
        let notice =
            isToldWhat ? try await releaseNotes.unseen(app: app, version: version, bringing: notes) : nil
        let request = ShowReleaseNotesRequest(app: app, version: version, notes: notes, presenting: .elsewhere)
        let response = try await call(Methods.ReleaseNotes.show, request, timeout: nil)
        return (try Self.outcome(of: response.result), notice)
    }

    private func whatsNewPresented(
        app: String, version: AppVersion, _ notes: [WhatsNew], by present: @escaping PresentationHandler
    ) async throws(GateError) -> (WhatsNewOutcome, WhatsNewNotice?) {
        let (response, open) = try await beginWhatsNew(app: app, version: version, bringing: notes)
        guard let open else { return (try Self.outcome(of: response.result), nil) }
        let choice = SecondaryChoice()
        do throws(GateError) {
            _ = try await open.answeredToTheEnd { open in
                let answer = await present(open)
                choice.made(answer == .answer(.acknowledged(.secondary)))
                return answer
            }
        } catch {
            // Closing the notes without pressing a button counts as seen too.
            guard error.reason == .dismissed else { throw error }
        }
        return (choice.isSecondary ? .secondaryChosen : .shown, open.content.whatsNew)
    }

}

private final class SecondaryChoice: Sendable {
    private let value = Mutex(false)

    var isSecondary: Bool { value.withLock { $0 } }

    func made(_ isSecondary: Bool) { value.withLock { $0 = isSecondary } }
}

extension Presentation.Content {
    fileprivate var whatsNew: WhatsNewNotice? {
        switch self {
        case .whatsNew(let notice): notice
        case .challenge, .signIn, .paywall, .form, .unrecognized: nil
        }
    }
}
