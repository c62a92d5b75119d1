public import GateModel
import GateProtocol
import Synchronization

// What is new in an app, told to each person once (F-56 … F-58a).

extension GateClient {
    /// Shows what is new in this version, at most once to each person, and waits until it is closed.
    ///
    /// ```swift
    /// try await gate.showWhatsNew(app: "org.example.draw", version: AppVersion(1, 2, 0), opening: { url in open(url) })
    /// ```
    ///
    /// Closing it in any way counts as having seen it. If it is withdrawn or expires, or the task is cancelled, it does not.
    ///
    /// - Parameters:
    ///   - app: like "org.example.draw".
    ///   - version: the version that runs.
    ///   - notes: the app's own notes (F-85), for a device whose administrator has installed none: at most 16 versions. People are told
    ///     that the app has written them, and what was seen of them is kept for the user.
    ///   - present: how this program shows it, even if others could; answered with `ChallengeAnswer.acknowledged`. `nil`: the presenters
    ///     of the device do.
    ///   - open: opens the address behind the secondary action. Runs once, only where that was chosen and has an address, and
    ///     only once the gated action `link.open` was granted for it (F-17). `nil`: nothing is opened.
    /// - Returns: how it went. What a secondary action without an address means is up to the app.
    /// - Throws: `ABORTED` (`noPresenter`), `DEADLINE_EXCEEDED` (`expired`); what `authorize` throws, and what `open` throws: it was seen then.
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

    /// - Parameter isToldWhat: whether to find out what it is that is shown; afterwards it can't be asked for any more.
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
            // A dismissal is as good.
            guard error.reason == .dismissed else { throw error }
        }
        return (choice.isSecondary ? .secondaryChosen : .shown, open.content.whatsNew)
    }

}

/// The person's last choice.
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
