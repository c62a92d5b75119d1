public import GateModel
import GateProtocol
import TTRPCTransport

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Something that this program has to show to a person, and the right to answer it: a question, a sign-in, a paywall, a form,
/// what is new in an app. Both are bound to the connection that asked for it or claimed it: when that is lost, so is the
/// question.
public struct OpenPresentation: Sendable, Identifiable {
    /// How this program came by it.
    enum Origin: Hashable, Sendable {
        /// It has asked for it, and presents it itself.
        case requested
        /// It shows what another program has asked for.
        case claimed
    }

    /// The content to show, and the secret that lets this program answer it.
    package let presentation: Presentation
    /// Whether the presentation's deadline can be compared with this process's clock. Not so where the daemon runs on a
    /// clock of its own, in tests.
    public let sharesClock: Bool
    /// Why the answer before was none, in a sentence for the person; `nil` where this is shown for the first time.
    public internal(set) var refusal: GateError?
    let origin: Origin
    let connection: TTRPCClientConnection
    let shared: SharedConnection

    init(
        _ presentation: Presentation, _ origin: Origin, on connection: TTRPCClientConnection,
        of shared: SharedConnection
    ) {
        self.presentation = presentation
        // It has come just now, so its deadline can't be past.
        self.sharesClock = shared.options.clock.map { presentation.deadline > $0.read().boot } ?? false
        self.origin = origin
        self.connection = connection
        self.shared = shared
    }

    /// Counts up from 1 for the life of a store: no number comes twice.
    public var id: UInt64 { presentation.id }
    /// The part that others may see: why it is shown, how, and until when.
    public var summary: PresentationSummary { presentation.summary }
    /// When it closes by itself; `BootTime.never`: it does not. Compare it with the clock only where `sharesClock`.
    public var deadline: BootTime { presentation.deadline }
    /// The asker, and what is asked for. Show it.
    public var asked: PresentationContext { presentation.summary.asked }
    /// The content to show.
    public var content: Presentation.Content { presentation.content }
    /// The question to show; `nil` where it is no challenge.
    public var challenge: Challenge? { presentation.challenge }
    /// Whether the person may close it. What they may not, the state closes (F-64).
    public var isDismissible: Bool { presentation.summary.isDismissible }

    /// Says what happens on the screen before there is an answer. A `hold` is measured from `pressed` on.
    ///
    /// - Throws: `ABORTED` (`closed`) where it came too late.
    public func report(_ input: PresentationInput) async throws(GateError) {
        _ = try await call(
            Methods.Presentations.report, ReportRequest(cookie: presentation.cookie, input: input))
    }

    /// Has the paywall's provider look for a payment, and waits until it has looked, for 20 seconds at most. If it finds one, the
    /// state closes the paywall.
    ///
    /// - Returns: when it was asked to, and the provider's health once it has looked; `nil` if it does not say that it has.
    /// - Throws: as `report`.
    package func restorePurchase() async throws(GateError) -> (askedAt: WallTime, health: ProviderHealth)? {
        let askedAt = WallTime.now()
        try await report(.restore)
        guard case .paywall(let paywall) = content else { return nil }
        for _ in 0..<10 {
            guard (try? await Task.sleep(for: .seconds(2))) != nil else { return nil }
            let reports = try await call(Methods.Entitlements.get, GetEntitlementsRequest()).providers
            if let health = reports.first(where: { $0.provider == paywall.provider })?.health,
                health.lastReport >= askedAt
            {
                return (askedAt, health)
            }
        }
        return nil
    }

    /// Gives the person's answer. It is taken once.
    ///
    /// - Returns: what comes next, and the grant where one was asked for.
    /// - Throws: `FAILED_PRECONDITION` (`wrongAnswer`, `refused`); `INVALID_ARGUMENT` where it is none at all, and the
    ///   question stays open; `UNAVAILABLE` where it could not be checked, and `RESOURCE_EXHAUSTED` (`guessesUsedUp`) where no
    ///   more answers are, and the question stays open; `ABORTED`
    ///   (`closed`) and `DEADLINE_EXCEEDED` (`expired`) where it came too late.
    public func complete(_ answer: ChallengeAnswer) async throws(GateError) -> PresentationCompletion {
        let request = CompleteRequest(cookie: presentation.cookie, answer: answer)
        return PresentationCompletion(try await call(Methods.Presentations.complete, request), of: self)
    }

    /// Says that the person closed it without an answer.
    ///
    /// - Returns: the mode afterwards.
    /// - Throws: `FAILED_PRECONDITION` (`notDismissible`) where only the state closes it.
    @discardableResult
    public func dismiss() async throws(GateError) -> ModeState {
        try await call(Methods.Presentations.dismiss, DismissRequest(cookie: presentation.cookie)).state
    }

    /// Returns why, as soon as the question can no longer be answered: its time is over, it was answered or withdrawn, the
    /// daemon was lost. After cancellation `CANCELLED`.
    public func waitUntilClosed() async -> GateError {
        await withTaskGroup(of: GateError.self) { group in
            group.addTask { await deadlinePassed() }
            group.addTask { await withdrawn() }
            defer { group.cancelAll() }
            return await group.next() ?? .cancelled
        }
    }

    /// Asks whether the daemon is still there to answer to.
    func reachDaemon() async throws(GateError) {
        _ = try await call(Methods.Control.ping, PingRequest())
    }

    private func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> Response {
        try await call(method, request, timeout: shared.options.callTimeout)
    }

    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration?
    ) async throws(GateError) -> Response {
        try await connection.call(method, request, timeout: timeout, of: shared)
    }

    // MARK: Until it is closed

    private var expired: GateError { GateError(.deadlineExceeded, .expired, "Nobody answered in time.") }

    private var isExpired: Bool {
        guard sharesClock, let clock = shared.options.clock else { return false }
        return presentation.deadline <= clock.read().boot
    }

    private func deadlinePassed() async -> GateError {
        guard sharesClock, let clock = shared.options.clock, presentation.deadline != .never else {
            return await cancellation()
        }
        // The daemon closes it at the deadline and says so; this is for where that does not come.
        do {
            try await clock.sleepPast(pausing: shared.options.pause) { $0.boot.duration(to: presentation.deadline) }
            return expired
        } catch {
            return .cancelled
        }
    }

    /// Anyone who takes part in a presentation sees it among those that are open, for as long as it is.
    private func withdrawn() async -> GateError {
        do throws(GateError) {
            let stream = try await connection.openStream(
                Methods.Watch.watch, WatchRequest(topics: [.presentations], after: nil), of: shared)
            for try await bytes in stream {
                guard let open = try WatchResponse(ofDaemon: bytes).presentations, !open.contains(where: isThisHeld)
                else { continue }
                return isExpired ? expired : closed
            }
            return GateError(.unavailable, .stopping, "The daemon is stopping.")
        } catch {
            // Too many watches, for one: then only the deadline and the answer will tell.
            guard error.code == .unavailable || error.code == .cancelled else { return await cancellation() }
            return error
        }
    }

    private func isThisHeld(_ summary: PresentationSummary) -> Bool {
        guard summary.id == id else { return false }
        switch summary.stage {
        case .claimed, .shown: return true
        // It was handed back: the cookie is good for nothing any more.
        case .waiting, .offered: return false
        }
    }

    private var closed: GateError {
        let text =
            switch presentation.summary.purpose {
            case .enterParentMode, .extendParentMode:
                "The question was answered, or withdrawn: the mode was changed meanwhile."
            case .authorize: "The question was answered, or withdrawn: it was decided otherwise meanwhile."
            case .signIn: "Somebody has signed in, or something else is shown first."
            case .pay: "It was paid for, dismissed, or withdrawn."
            case .fillForm: "The form was completed, dismissed, or withdrawn."
            case .whatsNew: "It was put away, or withdrawn."
            case .unrecognized: "It was answered, or withdrawn."
            }
        return GateError(.aborted, .closed, text)
    }

    private func cancellation() async -> GateError {
        for await _ in AsyncStream(Never.self, { _ in }) {}
        return .cancelled
    }
}

extension OpenPresentation: CustomStringConvertible, CustomReflectable {
    /// Without the right to answer it.
    public var description: String { "presentation \(id)" }
    /// Without the right to answer it.
    public var customMirror: Mirror { Mirror(self, children: ["summary": presentation.summary]) }
}
