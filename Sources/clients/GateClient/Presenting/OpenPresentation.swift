public import GateModel
package import GateProtocol

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A presentation that this program has to show to a person, and the right to answer it: a question, a sign-in, a
/// paywall, a form, or what is new in an app. Once the connection that requested or claimed it is lost, this program
/// can no longer answer it.
public struct OpenPresentation: Sendable, Identifiable {
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
    /// Why the previous answer was not accepted, in a sentence for the person; `nil` when it is shown for the first
    /// time.
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
    /// - Throws: `ABORTED` (`closed`) if the presentation is closed. For `restore`, `INVALID_ARGUMENT` if this is not a
    ///   paywall, and `RESOURCE_EXHAUSTED` (`limit`) if the provider was asked less than 10 s ago.
    public func report(_ input: PresentationInput) async throws(GateError) {
        _ = try await connection.call(
            Methods.Presentations.report, ReportRequest(cookie: presentation.cookie, input: input))
    }

    /// Asks the paywall's provider to look for a payment, and waits for its report, for at most 20 s. If it finds a
    /// payment, the state closes the paywall. Otherwise this returns the time of the request, and the provider's health
    /// as reported since then; `nil` if a payment was found, the provider has not reported in time, or the task was
    /// cancelled.
    /// - Throws: the errors of `report`.
    package func restorePurchase() async throws(GateError) -> (askedAt: WallTime, health: ProviderHealth)? {
        let askedAt = WallTime.now()
        try await report(.restore)
        guard case .paywall(let paywall) = content else { return nil }
        for _ in 0..<10 {
            guard (try? await Task.sleep(for: .seconds(2))) != nil else { return nil }
            let response = try await connection.call(Methods.Entitlements.get, GetEntitlementsRequest())
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
    /// - Returns: what comes next, and the grant if one was requested.
    /// - Throws: with the question closed, `FAILED_PRECONDITION` (`wrongAnswer`, `refused`), or if the answer came too
    ///   late `ABORTED` (`closed`) or `DEADLINE_EXCEEDED` (`expired`). With the question still open, `INVALID_ARGUMENT`
    ///   if this is not a valid answer, `UNAVAILABLE` if it could not be checked, and `RESOURCE_EXHAUSTED`
    ///   (`guessesUsedUp`) if no more answers are accepted.
    public func complete(_ answer: ChallengeAnswer) async throws(GateError) -> PresentationCompletion {
        let request = CompleteRequest(cookie: presentation.cookie, answer: answer)
        return PresentationCompletion(try await connection.call(Methods.Presentations.complete, request), of: self)
    }

    /// Closes the presentation because the person has closed it, and returns the mode afterwards.
    /// - Throws: `FAILED_PRECONDITION` (`notDismissible`) if only the state closes it.
    @discardableResult
    public func dismiss() async throws(GateError) -> ModeState {
        try await connection.call(Methods.Presentations.dismiss, DismissRequest(cookie: presentation.cookie)).state
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
        _ = try await connection.call(Methods.Control.ping, PingRequest())
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

    /// Watches the list of presentations until this one is no longer listed as claimed or shown. As long as it is open,
    /// the program that shows it always finds it in its list.
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
            // The daemon may have refused one more watch. Then only the deadline and the answer end the presentation.
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
    public var customMirror: Mirror { Mirror(self, children: ["summary": presentation.summary]) }
}

/// A request that may need a person, after the first of its two steps.
public enum BegunRequest<Outcome: Sendable>: Sendable {
    /// No person has to be asked: this is the outcome.
    case settled(Outcome)
    /// A person has to be asked: show this. The caller has to complete or dismiss it, or wait for its closing.
    case open(OpenPresentation)

    /// The presentation to show; `nil` if no person has to be asked.
    public var presentation: OpenPresentation? {
        switch self {
        case .settled: nil
        case .open(let open): open
        }
    }

    /// Shows the presentation, if there is one, and those that follow from it, and returns the outcome. `present` is
    /// `nil` if this program can't show anything, and has said so in its request.
    func outcome(
        presenting present: PresentationHandler?,
        of completed: (PresentationCompletion) throws(GateError) -> Outcome
    ) async throws(GateError) -> Outcome {
        switch self {
        case .settled(let outcome): return outcome
        case .open(let open):
            guard let present else {
                throw GateError(.internal, .unspecified, "The daemon sent a question to a program that can't show any.")
            }
            return try completed(try await open.answeredToTheEnd(by: present))
        }
    }
}

/// The result of an answer, or of a presentation that the state has closed.
public struct PresentationCompletion: Sendable {
    /// The daemon's reply.
    package let response: CompleteResponse
    /// The presentation to show next; `nil` if this was the last one.
    public let next: OpenPresentation?

    /// The revision of the state when the presentation was completed.
    public var revision: Revision { response.revision }
    /// The mode afterwards.
    public var mode: ModeState { response.state }
    /// The requested grant; `nil` if something else was requested, or more has to be shown first.
    public var grant: Grant? { response.grant }

    init(_ response: CompleteResponse, of open: OpenPresentation) {
        self.response = response
        next =
            switch response.result {
            case .next(let next): OpenPresentation(next, open.origin, on: open.connection)
            case .grant, .done, .unrecognized: nil
            }
    }
}

extension CompleteResponse {
    package var grant: Grant? {
        switch result {
        case .grant(let grant): grant
        case .next, .done, .unrecognized: nil
        }
    }
}

extension Presenting {
    /// `elsewhere` if this program has no handler that shows questions. With a handler `elsewhereIfPossible`: the
    /// program shows a question itself if no presenter can.
    init(_ present: PresentationHandler?) { self = present == nil ? .elsewhere : .elsewhereIfPossible }
}

extension GateClient {
    /// Makes a request that may need a person. If the reply contains a presentation, this program has to show it, on
    /// the request's connection. Otherwise it is the outcome, after presenters have shown whatever was necessary.
    /// `presenting` is that of the request. Unless it is `here`, the call waits without a timeout.
    package func begin<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, _ presenting: Presenting,
        presentation: (Response) -> Presentation?
    ) async throws(GateError) -> (response: Response, open: OpenPresentation?) {
        let current = try await connection.connected()
        // In a sandbox a presenter shows the question in any case, and the call waits for the person.
        let timeout = presenting == .here && !options.usesPortal ? options.callTimeout : nil
        let response = try await current.call(method, request, timeout: timeout)
        let open = presentation(response).map { OpenPresentation($0, .requested, on: current) }
        return (response, open)
    }
}
