import GateModel

/// The permissions of each role (docs/security.md, "Who may do what"). Each command names the one that it takes in its `rules`.
///
/// Some rights depend on more than a role: the right to show a presentation (`PresentationQueue.swift`), to answer it
/// (`QueuedPresentation.refusal`), and to take a grant (`GrantLedger.redeemed`).
enum Permission: Hashable, Sendable {
    /// Every local peer.
    case everyone
    /// Peers whose request for parent mode is open, and administrators. With none open: everyone, since there is
    /// nothing to take from anybody.
    case requesterOrAdministrator
    /// This user, and administrators.
    case userOrAdministrator(UInt32)
    /// Whom the policy names as presenters, and administrators.
    case presenter
    /// Whom the policy names as providers, and administrators.
    case provider
    /// Whom the policy names as carriers of the household's words, and administrators.
    case household
    /// Administrators, and everyone in parent mode: a grown-up is in charge.
    case grownUpInCharge
    /// Root, the gate's own user, and whom the policy names.
    case administrator
    /// Nobody who is connected.
    case daemon
}

extension Peer {
    var isAdministrator: Bool { roles.contains(.administrator) }

    /// Administrators have all roles.
    var isPresenter: Bool { isAdministrator || roles.contains(.presenter) }

    /// Administrators have all roles.
    var isProvider: Bool { isAdministrator || roles.contains(.provider) }

    /// Administrators have all roles.
    var isHousehold: Bool { isAdministrator || roles.contains(.household) }

    /// A presenter that may also show what is for grown-ups.
    var isGrownUpPresenter: Bool { isAdministrator || roles.contains([.presenter, .grownUpPresenter]) }

    /// An administrator extends a lease without a challenge; everyone else has to answer one.
    var extendsWithoutChallenge: Bool { isAdministrator }

    /// While nothing is set up that could be asked, only an administrator enters parent mode.
    var entersWhileNothingIsSetUp: Bool { isAdministrator }

    /// Presenters and administrators know of all presentations, without content; others of those that they asked for.
    var seesAllPresentations: Bool { isPresenter }

    /// Throws `permissionDenied` where this peer may not.
    ///
    /// - Parameter verifying: the requests for parent mode that are open.
    func check(
        _ permission: Permission, verifying: [ModeStateMachine.Request], isParentMode: Bool
    ) throws(GateError) {
        // Every local peer is an app at least. One with no role at all was never let in.
        guard !roles.isEmpty else { throw .notPermitted("app", "This program has no role here.") }
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
            guard isPresenter else {
                throw .notPermitted(
                    "presenter", "Only presenters may show what others ask. An administrator names them in the policy.")
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
