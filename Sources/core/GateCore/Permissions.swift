import GateModel

/// A command's condition on its peer (docs/security.md, "Who may do what"), named in the command's `rules`.
///
/// Some rights depend on more than a role: the right to show a presentation (`PresentationQueue.swift`), to answer it
/// (`QueuedPresentation.refusal`), and to redeem a grant (`GrantLedger.redeemed`).
enum Permission: Hashable, Sendable {
    /// Every local peer.
    case everyone
    /// Peers with an open request for parent mode, and administrators. If no such request is open, everyone may, since
    /// there is nothing to cancel.
    case requesterOrAdministrator
    /// Peers with this uid, and administrators.
    case userOrAdministrator(UInt32)
    /// The presenters that the policy names, people in the sessions of their own users, and administrators.
    case presenter
    /// The presenters that may show what only a grown-up answers, and administrators.
    case grownUpPresenter
    /// The providers that the policy names, and administrators.
    case provider
    /// The carriers of the household's messages that the policy names, and administrators.
    case household
    /// Administrators; in parent mode everyone, since a grown-up is in charge.
    case grownUpInCharge
    /// Root, Gate's own user, and the administrators that the policy names.
    case administrator
    /// Only the daemon itself, never a connected peer.
    case daemon
}

/// The checks around a command. `GateState.apply` makes them before it performs the command.
struct CommandRules {
    let permission: Permission
    /// Whether the command shows that a person uses the device, which prolongs the session of the person signed in.
    let usesSession: Bool
    let settlesDeadlines: Bool
    /// The cookie that comes with the command. It is checked before deadlines are settled, because afterwards a
    /// question that has just expired could not be told from one that was closed.
    let cookie: PresentationCookie?

    init(
        _ permission: Permission, usesSession: Bool = false, settlesDeadlines: Bool = true,
        cookie: PresentationCookie? = nil
    ) {
        self.permission = permission
        self.usesSession = usesSession
        self.settlesDeadlines = settlesDeadlines
        self.cookie = cookie
    }
}

extension Peer {
    var isAdministrator: Bool { roles.contains(.administrator) }

    var isPresenter: Bool { isAdministrator || roles.contains(.presenter) }

    /// Whether this peer may show presentations, even if only those that its own user asks for.
    var mayPresent: Bool { isPresenter || roles.contains(.ownPresenter) }

    var isProvider: Bool { isAdministrator || roles.contains(.provider) }

    var isHousehold: Bool { isAdministrator || roles.contains(.household) }

    /// Whether this peer may also show presentations that are meant for a grown-up's screen.
    var isGrownUpPresenter: Bool { isAdministrator || roles.contains([.presenter, .grownUpPresenter]) }

    var extendsWithoutChallenge: Bool { isAdministrator }

    /// Whether this peer can enter parent mode while no challenge can be asked because no secret is set up.
    var entersWhileNothingIsSetUp: Bool { isAdministrator }

    /// Whether this peer may list all presentations of this device, without the questions themselves. Other peers may
    /// list only those that they asked for.
    var seesAllPresentations: Bool { isPresenter }

    /// - Throws: `permissionDenied` if this peer lacks it. `verifying` are the open requests for parent mode.
    func check(
        _ permission: Permission, verifying: [ModeStateMachine.Request], isParentMode: Bool
    ) throws(GateError) {
        // Every local peer is at least an app. A peer without any role was never admitted.
        guard !roles.isEmpty else { throw .notPermitted("app", "This program has no role, so it may do nothing here.") }
        switch permission {
        case .everyone:
            break
        case .requesterOrAdministrator:
            guard !verifying.isEmpty, !verifying.contains(where: { $0.isBy(self) }), !isAdministrator else { return }
            throw .notPermitted(
                "requester", "Only the program that was asked, or an administrator, can take the question back.")
        case .userOrAdministrator(let uid):
            guard uid == self.uid || isAdministrator else {
                throw .notPermitted("administrator", "Only an administrator may do that for other users.")
            }
        case .presenter:
            guard mayPresent else {
                throw .notPermitted(
                    "presenter", "Only presenters may show what others ask. An administrator names them in the policy.")
            }
        case .grownUpPresenter:
            guard isGrownUpPresenter else {
                throw .notPermitted(
                    "grown-up-presenter",
                    "Only a grown-up answers that, in the session of their own user, or an administrator.")
            }
        case .provider:
            guard isProvider else {
                throw .notPermitted(
                    "provider", "Only providers may say what was paid for. An administrator names them in the policy.")
            }
        case .household:
            guard isHousehold else { throw .onlyCarriers }
        case .grownUpInCharge:
            guard isParentMode || isAdministrator else {
                throw .notPermitted(
                    "grown-up", "Only an administrator may do that, or anybody in parent mode: `gatectl toggle`.")
            }
        case .administrator:
            guard isAdministrator else { throw .notPermitted("administrator", "Only an administrator may do that.") }
        case .daemon:
            guard connection == 0 else { throw .notPermitted("daemon", "Only the daemon itself does that.") }
        }
    }
}
