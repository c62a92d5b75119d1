import GateModel

/// Who may give which command (DESIGN, section 7). This is the one place where a command meets a role; the cookie of an
/// answer is looked at in `PresentationCommands.swift`.
enum Permission: Hashable, Sendable {
    /// Every local peer.
    case everyone
    /// The peer whose challenge for parent mode is open, and administrators. With none open: everyone, since there is
    /// nothing to take from anybody.
    case requesterOrAdministrator
    /// Root, the gate's own user, and whom the policy names.
    case administrator
    /// Nobody who is connected.
    case daemon
}

extension Command {
    /// Who may give this command.
    var permission: Permission {
        switch self {
        case .toggle, .lock, .extend: .everyone
        case .complete, .dismiss: .everyone
        case .cancel: .requesterOrAdministrator
        case .override, .recover: .administrator
        // A reload is done by the daemon, for an administrator or for SIGHUP.
        case .configure: .administrator
        // Built by the daemon alone; the peer is the one that is gone.
        case .peerDisconnected: .everyone
        case .start, .closeForDamage, .deadlineReached: .daemon
        }
    }
}

extension Peer {
    /// An administrator extends a lease without a challenge; everyone else has to answer one.
    var extendsWithoutChallenge: Bool { roles.contains(.administrator) }

    /// Throws `permissionDenied` where this peer may not.
    ///
    /// - Parameter verifying: the challenge for parent mode that is open.
    func check(_ permission: Permission, verifying open: OpenChallenge?) throws(GateError) {
        let isAdministrator = roles.contains(.administrator)
        switch permission {
        case .everyone:
            // Every local peer is an app at least. One with no role at all was never let in.
            guard !roles.isEmpty else { throw .notPermitted("This program has no role here.") }
        case .requesterOrAdministrator:
            guard !roles.isEmpty else { throw .notPermitted("This program has no role here.") }
            guard let open, !open.isRequested(by: self), !isAdministrator else { return }
            throw .notPermitted("Only the program that was asked, or an administrator, can take the question back.")
        case .administrator:
            guard isAdministrator else { throw .notPermitted("Only an administrator may do that.") }
        case .daemon:
            guard connection == 0 else { throw .notPermitted("Only the daemon itself does that.") }
        }
    }
}
