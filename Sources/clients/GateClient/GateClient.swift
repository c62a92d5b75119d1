public import GateModel
import TTRPC
import TTRPCTransport

/// Asks Gate who is in charge of this device, hears when that changes, and changes it.
///
/// ```swift
/// let gate = GateClient()
/// for await mode in gate.modeUpdates { … }
/// try await gate.authorize("link.open", details: url) { … }
/// ```
///
/// A client has one connection, which its calls and sequences share. It is opened when it is first needed, and anew when it was
/// lost. An app has one client and keeps it for as long as it runs.
///
/// ## Calls
///
/// - Cancellation: cancelling the task cancels the call on the daemon too, and the call throws `CANCELLED`. What it had
///   changed by then stays changed.
/// - Errors: every call throws a `GateError`; one that takes a closure also throws what that throws. Beside those that its documentation lists, it is `UNAVAILABLE` where there is no
///   daemon or the connection was lost, `DEADLINE_EXCEEDED` where the daemon takes longer than `GateClientOptions.callTimeout`,
///   `PERMISSION_DENIED` (`notPermitted`) where the user may not do that, and `RESOURCE_EXHAUSTED` (`limit`) where the user has too
///   much under way. A call never waits for a daemon that is not there, and is never sent twice: whether one that was under way when
///   the connection was lost had an effect is not known.
/// - Results: a call returns what it was about, as a struct that a later version may add to. Where it has changed something, that has
///   the revision from which on it is so.
/// - Threads: calls can be made from any task and any actor, at the same time. None blocks a thread.
///
/// ## Sequences
///
/// - Cancellation: cancelling the task ends the iteration, and so does `close`. Anyone who stops iterating ends the watch on the
///   daemon.
/// - Errors: a sequence of the state never throws. While the daemon is away it tells the state that is safe (child mode, nobody signed
///   in, nothing paid for), and it goes on by itself when the daemon is back.
/// - Deadlines: parent mode, a session and what is paid for end when the daemon has said they would. A daemon that says nothing within a
///   second after that hangs, and counts as away.
/// - Back-pressure: nothing is kept for a slow reader but the newest state. It misses what came between, and never what came last.
/// - Threads: an iterator belongs to one task. Each iteration is a watch of its own, over the same connection.
public final class GateClient: Sendable {
    let connection: SharedConnection
    /// The options that the client was made with.
    public let options: GateClientOptions
    /// The page that `status` reads. It needs no connection.
    public let statusPage: StatusPage

    /// Makes a client, which opens nothing yet.
    ///
    /// - Parameter options: how to find the daemon, and what to take for it.
    public init(_ options: GateClientOptions = GateClientOptions()) {
        self.options = options
        statusPage = StatusPage(options)
        connection = SharedConnection(options: options)
    }

    /// Ends every call with `CANCELLED` and every sequence, for good. A client that nobody holds any more is closed too.
    public func close() async {
        await connection.close()
    }

    /// The mode now, and whether a subscription is active, without asking the daemon (G-06): for every frame of a game, on
    /// any thread. Takes nanoseconds; never waits, and never fails. Where no living daemon says anything, `child` and inactive.
    ///
    /// It may be ahead of `modeUpdates` and `entitlementUpdates`, which hear the same a moment later.
    public var status: DeviceStatus { statusPage.status }
}

// MARK: - Calls by subject

extension GateClient {
    /// The mode: reading it, and changing it.
    public var mode: ModeCalls { ModeCalls(client: self) }
    /// Gated actions: what they need, grants, and wrong answers.
    public var authorization: AuthorizationCalls { AuthorizationCalls(client: self) }
    /// The passcode and the authenticator.
    public var secrets: SecretCalls { SecretCalls(client: self) }
    /// The other devices of the household.
    public var household: HouseholdCalls { HouseholdCalls(client: self) }
    /// The person who is signed in.
    public var signIn: SignInCalls { SignInCalls(client: self) }
    /// The people who can sign in.
    public var accounts: AccountCalls { AccountCalls(client: self) }
    /// Entitlements, paywalls, and what stores say.
    public var entitlements: EntitlementCalls { EntitlementCalls(client: self) }
    /// The forms of the device, and what people have answered.
    public var forms: FormCalls { FormCalls(client: self) }
    /// The news of apps, told to each person once.
    public var releaseNotes: ReleaseNoteCalls { ReleaseNoteCalls(client: self) }
    /// The presentations of the device, and presenting them.
    public var presentations: PresentationCalls { PresentationCalls(client: self) }
    /// The daemon: its version, its policy, its journal, backups.
    public var control: ControlCalls { ControlCalls(client: self) }
}
