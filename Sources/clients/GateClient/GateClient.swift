public import GateModel
package import GateProtocol

/// Tells who is in charge of this device, reports each change of that, and changes it.
///
/// ```swift
/// let gate = GateClient()
/// for await mode in gate.modeUpdates { … }
/// try await gate.authorize("link.open", details: url) { … }
/// ```
///
/// All calls and sequences of a client share one connection. It is opened when it is first needed, and again if it was
/// lost. An app makes one client and keeps it as long as it runs.
///
/// ## Calls
///
/// - Cancellation: cancelling the task also cancels the call on the daemon, and the call throws `CANCELLED`. Changes
///   that the call has already made remain.
/// - Errors: every call throws a `GateError`; a call that takes a closure also throws the closure's errors. Besides the
///   errors in its own documentation, a call throws `UNAVAILABLE` if the daemon is not there or the connection was
///   lost, `DEADLINE_EXCEEDED` if the daemon takes longer than `GateClientOptions.callTimeout`, `PERMISSION_DENIED`
///   (`notPermitted`) if the user may not make it, and `RESOURCE_EXHAUSTED` (`limit`) if the user has too many calls
///   under way. A call never waits for a daemon that is not there, and is never sent twice. If the connection is lost
///   during a call, it is unknown whether the call had an effect.
/// - Results: a call returns a struct, which later versions may extend. If the call has changed something, the struct
///   has the revision from which on the change holds.
/// - Threads: calls can be made from any task and any actor, at the same time. None of them blocks a thread.
///
/// ## Sequences
///
/// - Cancellation: cancelling the task ends the iteration, and so does `close`. When the iterator is released, the
///   watch ends on the daemon too.
/// - Errors: sequences of the state never throw. While the daemon is away they report the safe state (child mode,
///   nobody signed in, nothing paid for), and they continue when the daemon is back.
/// - Deadlines: parent mode, a session and paid entitlements end at the time that the daemon has given. If the daemon
///   says nothing for a second after that time, it hangs, and counts as away.
/// - Back-pressure: a slow reader gets only the newest state. It may miss states in between, but never the last.
/// - Threads: an iterator belongs to one task. Each iteration is a watch of its own, over the same connection.
public final class GateClient: Sendable {
    let connection: SharedConnection
    /// The options that the client was made with: the daemon's socket, timeouts and the like.
    public let options: GateClientOptions
    /// The page that `status` reads. It needs no connection.
    public let statusPage: StatusPage

    /// Makes a client, which does not connect yet.
    public init(_ options: GateClientOptions = GateClientOptions()) {
        self.options = options
        statusPage = StatusPage(options)
        connection = SharedConnection(options: options)
    }

    /// Ends every call and every sequence, for good. A call that was already sent throws `UNAVAILABLE`, because its
    /// connection is lost. Calls that wait for a connection, and later ones, throw `CANCELLED`. A client that is
    /// released is closed too.
    public func close() async {
        await connection.close()
    }

    /// The mode now, and whether a subscription is active, read from a shared page without asking the daemon. Suitable
    /// for every frame of a game, on any thread: it takes nanoseconds, never waits and never fails. Without a living
    /// daemon it is `child` and inactive.
    ///
    /// It may be ahead of `modeUpdates` and `entitlementUpdates`, which report the same change a moment later.
    public var status: DeviceStatus { statusPage.status }
}

// MARK: - Calls by subject

extension GateClient {
    /// The mode: reading it, and changing it.
    public var mode: ModeCalls { ModeCalls(client: self) }
    /// Gated actions: what each still needs, grants, and wrong answers.
    public var authorization: AuthorizationCalls { AuthorizationCalls(client: self) }
    /// The passcode and the authenticator.
    public var secrets: SecretCalls { SecretCalls(client: self) }
    /// The other devices of the household.
    public var household: HouseholdCalls { HouseholdCalls(client: self) }
    /// The person who is signed in.
    public var signIn: SignInCalls { SignInCalls(client: self) }
    /// The list of people.
    public var people: PeopleCalls { PeopleCalls(client: self) }
    /// Entitlements, paywalls, and the reports of stores.
    public var entitlements: EntitlementCalls { EntitlementCalls(client: self) }
    /// The forms of the device, and the answers to them.
    public var forms: FormCalls { FormCalls(client: self) }
    /// What is new in apps, shown to each person once.
    public var releaseNotes: ReleaseNoteCalls { ReleaseNoteCalls(client: self) }
    /// The presentations of the device, and showing them as a presenter.
    public var presentations: PresentationCalls { PresentationCalls(client: self) }
    /// The daemon: its version, its policy, its journal, backups.
    public var control: ControlCalls { ControlCalls(client: self) }
}

// MARK: - Calls of any method

// With messages of the wire, for this package; apps use the calls by subject.

extension GateClient {
    /// Calls a unary method, within the options' `callTimeout`.
    package func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> Response {
        try await connection.connected().call(method, request)
    }

    /// - Parameter timeout: `nil`: no limit.
    package func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration?
    ) async throws(GateError) -> Response {
        try await connection.connected().call(method, request, timeout: timeout)
    }

    /// Calls a unary method by its names, with encoded messages. The timeout is `nil` for no limit.
    package func call(
        service: String, method: String, payload: [UInt8], timeout: Duration?
    ) async throws(GateError) -> [UInt8] {
        try await connection.connected().call(service: service, method: method, payload: payload, timeout: timeout)
    }

    /// Opens a server stream by its names, with encoded messages.
    package func openStream(service: String, method: String, payload: [UInt8]) async throws(GateError) -> MessageStream
    {
        try await connection.connected().openStream(service: service, method: method, payload: payload)
    }

    /// Reads a list page by page, and returns the elements of all pages in order.
    ///
    /// - Parameter request: the request for the page that this token names.
    func allPages<Request, Reply: ListReply>(
        of method: Method<Request, Reply>, _ request: (_ token: String) -> Request
    ) async throws(GateError) -> [Reply.Element] {
        try await Self.allPages { token throws(GateError) in try await call(method, request(token)) }
    }

    static func allPages<Reply: ListReply>(
        _ ask: (_ token: String) async throws(GateError) -> Reply
    ) async throws(GateError) -> [Reply.Element] {
        var all: [Reply.Element] = []
        var token = ""
        while true {
            let page = try await ask(token)
            all += page.elements
            let next = page.nextPageToken
            guard !next.isEmpty else { return all }
            // Without this check, a daemon that repeats a page would keep the client asking for ever.
            guard !page.elements.isEmpty, next != token else {
                throw GateError(
                    .internal, .unspecified,
                    "The daemon sent an endless list. Are gated and this program of the same version?")
            }
            token = next
        }
    }
}
