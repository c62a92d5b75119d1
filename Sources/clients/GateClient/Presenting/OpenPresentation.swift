public import GateModel
import GateProtocol

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A presentation that this program has to show to a person, and the right to answer it: a question, a sign-in, a
/// paywall, a form, or what is new in an app. It is closed if the connection that requested or claimed it is lost.
public struct OpenPresentation: Sendable, Identifiable {
    /// How this program got the presentation.
    enum Origin: Hashable, Sendable {
        /// This program has requested it, and shows it itself.
        case requested
        /// This program is a presenter, and shows another program's request.
        case claimed
    }

    /// The content to show, and the secret that lets this program answer it.
    package let presentation: Presentation
    /// Whether the deadline can be compared with this process's clock. False in tests whose daemon has its own clock.
    public let sharesClock: Bool
    /// Why the previous answer was not valid, in a sentence for the person; `nil` when it is shown for the first time.
    public internal(set) var refusal: GateError?
    let origin: Origin
    let connection: OpenConnection

    init(_ presentation: Presentation, _ origin: Origin, on connection: OpenConnection) {
        self.presentation = presentation
        // The presentation has just arrived, so a deadline in the past shows that the clocks differ.
        self.sharesClock = connection.options.clock.map { presentation.deadline > $0.read().boot } ?? false
        self.origin = origin
        self.connection = connection
    }

    /// The number of the presentation. It counts up from 1 for the life of a store, so no number is used twice.
    public var id: UInt64 { presentation.id }
    /// The part that other programs may see: which program asks and why, the style, and the deadline.
    public var summary: PresentationSummary { presentation.summary }
    /// When it closes by itself; `BootTime.never`: it does not. Compare it with a clock only if `sharesClock`.
    public var deadline: BootTime { presentation.deadline }
    /// Which program asks, and for what. Show this to the person.
    public var asked: PresentationContext { presentation.summary.asked }
    /// The content to show.
    public var content: Presentation.Content { presentation.content }
    /// The question to show; `nil` if this is not a challenge.
    public var challenge: Challenge? { presentation.challenge }
    /// Whether the person may close it. Otherwise only the state closes it.
    public var isDismissible: Bool { presentation.summary.isDismissible }

    /// Reports what the person does before the answer. The time of a `hold` is measured from `pressed` on.
    ///
    /// - Throws: `ABORTED` (`closed`) if the presentation is closed. For `restore`, `INVALID_ARGUMENT` if this is not a
    ///   paywall, and `RESOURCE_EXHAUSTED` (`limit`) if the provider was asked less than 10 s ago.
    public func report(_ input: PresentationInput) async throws(GateError) {
        _ = try await call(
            Methods.Presentations.report, ReportRequest(cookie: presentation.cookie, input: input))
    }

    /// Asks the paywall's provider to look for a payment, and waits for its report, for at most 20 s. If the provider
    /// finds a payment, the state closes the paywall.
    ///
    /// - Returns: when the provider was asked, and its health as reported after that; `nil` if it has found a payment,
    ///   has not reported in time, or the task was cancelled.
    /// - Throws: the errors of `report`.
    package func restorePurchase() async throws(GateError) -> (askedAt: WallTime, health: ProviderHealth)? {
        let askedAt = WallTime.now()
        try await report(.restore)
        guard case .paywall(let paywall) = content else { return nil }
        for _ in 0..<10 {
            guard (try? await Task.sleep(for: .seconds(2))) != nil else { return nil }
            let response = try await call(Methods.Entitlements.get, GetEntitlementsRequest())
            // It was found: the daemon closes the paywall.
            if response.state.entitlements.contains(where: { $0.id == paywall.entitlement && $0.isActive }) {
                return nil
            }
            if let health = response.providers.first(where: { $0.provider == paywall.provider })?.health,
                health.lastReport >= askedAt
            {
                return (askedAt, health)
            }
        }
        return nil
    }

    /// Gives the person's answer. A presentation takes one valid answer.
    ///
    /// - Returns: what comes next, and the grant if one was requested.
    /// - Throws: with the question closed, `FAILED_PRECONDITION` (`wrongAnswer`, `refused`), or if the answer came too
    ///   late `ABORTED` (`closed`) or `DEADLINE_EXCEEDED` (`expired`). With the question still open, `INVALID_ARGUMENT`
    ///   if this is not a valid answer, `UNAVAILABLE` if it could not be checked, and `RESOURCE_EXHAUSTED`
    ///   (`guessesUsedUp`) if no more answers are accepted.
    public func complete(_ answer: ChallengeAnswer) async throws(GateError) -> PresentationCompletion {
        let request = CompleteRequest(cookie: presentation.cookie, answer: answer)
        return PresentationCompletion(try await call(Methods.Presentations.complete, request), of: self)
    }

    /// Closes the presentation without an answer, because the person has closed it.
    ///
    /// - Returns: the mode afterwards.
    /// - Throws: `FAILED_PRECONDITION` (`notDismissible`) if only the state closes it.
    @discardableResult
    public func dismiss() async throws(GateError) -> ModeState {
        try await call(Methods.Presentations.dismiss, DismissRequest(cookie: presentation.cookie)).state
    }

    /// Waits until the presentation can no longer be answered, and returns why: its deadline has passed, it was
    /// answered or withdrawn, or the daemon was lost. `CANCELLED` after cancellation.
    public func waitUntilClosed() async -> GateError {
        await withTaskGroup(of: GateError.self) { group in
            group.addTask { await deadlinePassed() }
            group.addTask { await withdrawn() }
            defer { group.cancelAll() }
            return await group.next() ?? .cancelled
        }
    }

    /// Throws if the daemon can't be reached over this presentation's connection.
    func reachDaemon() async throws(GateError) {
        _ = try await call(Methods.Control.ping, PingRequest())
    }

    private func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> Response {
        try await connection.call(method, request)
    }

    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration?
    ) async throws(GateError) -> Response {
        try await connection.call(method, request, timeout: timeout)
    }

    // MARK: Until it is closed

    private var expired: GateError {
        GateError(.deadlineExceeded, .expired, "Nobody answered in time. Ask again when somebody is there.")
    }

    private var isExpired: Bool {
        guard sharesClock, let clock = connection.options.clock else { return false }
        return presentation.deadline <= clock.read().boot
    }

    private func deadlinePassed() async -> GateError {
        guard sharesClock, let clock = connection.options.clock, presentation.deadline != .never else {
            return await cancellation()
        }
        // The daemon closes it at the deadline and reports that; this is for a daemon that does not.
        do {
            try await clock.sleepPast(pausing: connection.options.pause) { $0.boot.duration(to: presentation.deadline) }
            return expired
        } catch {
            return .cancelled
        }
    }

    /// Waits until the presentation is no longer listed as held, which a program that shows it sees while it is open.
    private func withdrawn() async -> GateError {
        do throws(GateError) {
            let stream = try await connection.openStream(
                Methods.Watch.watch, WatchRequest(topics: [.presentations], after: nil))
            for try await bytes in stream {
                guard let open = try WatchResponse(ofDaemon: bytes).presentations, !open.contains(where: isThisHeld)
                else { continue }
                return isExpired ? expired : closed
            }
            return GateError(.unavailable, .stopping, "The daemon is stopping. Try again when it is back.")
        } catch {
            // This may be one watch too many. Then only the deadline and the answer end the presentation.
            guard error.code == .unavailable || error.code == .cancelled else { return await cancellation() }
            return error
        }
    }

    private func isThisHeld(_ summary: PresentationSummary) -> Bool {
        guard summary.id == id else { return false }
        switch summary.stage {
        case .claimed, .shown: return true
        // The presentation was handed back, so its cookie is not valid any more.
        case .waiting, .offered: return false
        }
    }

    private var closed: GateError {
        let text =
            switch presentation.summary.purpose {
            case .enterParentMode, .extendParentMode:
                "The question was answered or withdrawn: the mode was changed meanwhile."
            case .authorize: "The question was answered or withdrawn: something else has decided the request."
            case .signIn: "Somebody has signed in, or something else is shown first."
            case .pay: "It was paid for, dismissed, or withdrawn."
            case .fillForm: "The form was completed, dismissed, or withdrawn."
            case .whatsNew: "An administrator closed it, or it was withdrawn."
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
    /// Leaves out the cookie, which is the right to answer.
    public var description: String { "presentation \(id)" }
    /// Leaves out the cookie, which is the right to answer.
    public var customMirror: Mirror { Mirror(self, children: ["summary": presentation.summary]) }
}
