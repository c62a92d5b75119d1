import CGateProtocol
package import GateModel

// watch.proto: the journal

extension Methods.Watch {
    package static let audit = Method<AuditRequest, AuditResponse>(service, "Audit", .serverStream)
}

package struct AuditRequest: MappedMessage {
    /// Only entries after this revision; `nil`: all, from the oldest entry kept.
    package var after: Revision?
    package var follow: Bool
    /// The most past entries to send, the newest ones; `nil` (0 on the wire): all.
    package var last: Int?

    package init(after: Revision? = nil, follow: Bool = false, last: Int? = nil) {
        self.after = after
        self.follow = follow
        self.last = last
    }

    init(reading message: Gate__V1__AuditRequest) {
        self.init(follow: message.follow != 0, last: message.last == 0 ? nil : Int(message.last))
        if let after = message.after {
            self.after = Revision(reading: after.pointee)
        }
    }

    func write(to message: inout Gate__V1__AuditRequest, in arena: inout MessageArena) {
        message.after = arena.message(optional: after)
        message.follow = follow ? 1 : 0
        message.last = UInt32(clamping: last ?? 0)
    }
}

package struct AuditResponse: MappedMessage {
    package var revision: Revision
    package var entries: [AuditEntry]

    package init(revision: Revision, entries: [AuditEntry]) {
        self.revision = revision
        self.entries = entries
    }

    init(reading message: Gate__V1__AuditResponse) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision),
            entries: try [AuditEntry](reading: message.entries, count: message.n_entries))
    }

    func write(to message: inout Gate__V1__AuditResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        (message.entries, message.n_entries) = arena.messages(entries)
    }
}

// MARK: Entries

extension AuditEntry: MessageMapping {
    init(reading message: Gate__V1__AuditEntry) {
        self.init(
            number: message.number, time: WallTime(unixMilliseconds: message.time_unix_milliseconds),
            kind: Kind(wire: message.kind, else: .unrecognized), actor: nil,
            mode: Mode(wire: message.mode, else: .child), detail: String(reading: message.detail))
        if let by = message.by {
            self.actor = Actor(reading: by.pointee)
        }
    }

    func write(to message: inout Gate__V1__AuditEntry, in arena: inout MessageArena) {
        message.number = number
        message.time_unix_milliseconds = time.unixMilliseconds
        message.kind = kind.wire
        message.by = arena.message(optional: actor)
        message.mode = mode.wire
        message.detail = arena.string(detail)
    }
}

extension AuditEntry.Actor: MessageMapping {
    init(reading message: Gate__V1__AuditPeer) {
        self.init(
            uid: message.uid, pid: message.pid, broker: message.broker.map { Broker(reading: $0.pointee) },
            guardian: message.guardian.flatMap { GuardianName(reading: $0.pointee) })
    }

    func write(to message: inout Gate__V1__AuditPeer, in arena: inout MessageArena) {
        message.uid = uid
        message.pid = pid
        message.broker = arena.message(optional: broker)
        if let guardian { message.guardian = arena.message(WireGuardian(guardian)) }
    }
}

extension AuditEntry.Kind: EnumMapping {
    var wire: Gate__V1__AuditKind {
        switch self {
        case .started: GATE__V1__AUDIT_KIND__AUDIT_KIND_STARTED
        case .challengeOpened: GATE__V1__AUDIT_KIND__AUDIT_KIND_CHALLENGE_OPENED
        case .answeredRight: GATE__V1__AUDIT_KIND__AUDIT_KIND_ANSWERED_RIGHT
        case .answeredWrong: GATE__V1__AUDIT_KIND__AUDIT_KIND_ANSWERED_WRONG
        case .dismissed: GATE__V1__AUDIT_KIND__AUDIT_KIND_DISMISSED
        case .expired: GATE__V1__AUDIT_KIND__AUDIT_KIND_EXPIRED
        case .cancelled: GATE__V1__AUDIT_KIND__AUDIT_KIND_CANCELLED
        case .requesterLost: GATE__V1__AUDIT_KIND__AUDIT_KIND_REQUESTER_LOST
        case .withdrawn: GATE__V1__AUDIT_KIND__AUDIT_KIND_WITHDRAWN
        case .parentEntered: GATE__V1__AUDIT_KIND__AUDIT_KIND_PARENT_ENTERED
        case .parentLeft: GATE__V1__AUDIT_KIND__AUDIT_KIND_PARENT_LEFT
        case .locked: GATE__V1__AUDIT_KIND__AUDIT_KIND_LOCKED
        case .extended: GATE__V1__AUDIT_KIND__AUDIT_KIND_EXTENDED
        case .leaseExpired: GATE__V1__AUDIT_KIND__AUDIT_KIND_LEASE_EXPIRED
        case .overridden: GATE__V1__AUDIT_KIND__AUDIT_KIND_OVERRIDDEN
        case .lockedOut: GATE__V1__AUDIT_KIND__AUDIT_KIND_LOCKED_OUT
        case .storeDamaged: GATE__V1__AUDIT_KIND__AUDIT_KIND_STORE_DAMAGED
        case .recovered: GATE__V1__AUDIT_KIND__AUDIT_KIND_RECOVERED
        case .reloaded: GATE__V1__AUDIT_KIND__AUDIT_KIND_RELOADED
        case .claimed: GATE__V1__AUDIT_KIND__AUDIT_KIND_CLAIMED
        case .shown: GATE__V1__AUDIT_KIND__AUDIT_KIND_SHOWN
        case .presenterLost: GATE__V1__AUDIT_KIND__AUDIT_KIND_PRESENTER_LOST
        case .refused: GATE__V1__AUDIT_KIND__AUDIT_KIND_REFUSED
        case .granted: GATE__V1__AUDIT_KIND__AUDIT_KIND_GRANTED
        case .redeemed: GATE__V1__AUDIT_KIND__AUDIT_KIND_REDEEMED
        case .revoked: GATE__V1__AUDIT_KIND__AUDIT_KIND_REVOKED
        case .grantExpired: GATE__V1__AUDIT_KIND__AUDIT_KIND_GRANT_EXPIRED
        case .lockoutCleared: GATE__V1__AUDIT_KIND__AUDIT_KIND_LOCKOUT_CLEARED
        case .secretSet: GATE__V1__AUDIT_KIND__AUDIT_KIND_SECRET_SET
        case .secretRemoved: GATE__V1__AUDIT_KIND__AUDIT_KIND_SECRET_REMOVED
        case .signInOpened: GATE__V1__AUDIT_KIND__AUDIT_KIND_SIGN_IN_OPENED
        case .paywallOpened: GATE__V1__AUDIT_KIND__AUDIT_KIND_PAYWALL_OPENED
        case .paid: GATE__V1__AUDIT_KIND__AUDIT_KIND_PAID
        case .signedIn: GATE__V1__AUDIT_KIND__AUDIT_KIND_SIGNED_IN
        case .signInFailed: GATE__V1__AUDIT_KIND__AUDIT_KIND_SIGN_IN_FAILED
        case .signedOut: GATE__V1__AUDIT_KIND__AUDIT_KIND_SIGNED_OUT
        case .sessionExpired: GATE__V1__AUDIT_KIND__AUDIT_KIND_SESSION_EXPIRED
        case .registered: GATE__V1__AUDIT_KIND__AUDIT_KIND_REGISTERED
        case .passwordChanged: GATE__V1__AUDIT_KIND__AUDIT_KIND_PASSWORD_CHANGED
        case .accountRemoved: GATE__V1__AUDIT_KIND__AUDIT_KIND_ACCOUNT_REMOVED
        case .entitlementClaimed: GATE__V1__AUDIT_KIND__AUDIT_KIND_ENTITLEMENT_CLAIMED
        case .claimRevoked: GATE__V1__AUDIT_KIND__AUDIT_KIND_CLAIM_REVOKED
        case .entitlementChanged: GATE__V1__AUDIT_KIND__AUDIT_KIND_ENTITLEMENT_CHANGED
        case .providerChanged: GATE__V1__AUDIT_KIND__AUDIT_KIND_PROVIDER_CHANGED
        case .formAsked: GATE__V1__AUDIT_KIND__AUDIT_KIND_FORM_ASKED
        case .formOpened: GATE__V1__AUDIT_KIND__AUDIT_KIND_FORM_OPENED
        case .formSaved: GATE__V1__AUDIT_KIND__AUDIT_KIND_FORM_SAVED
        case .formCompleted: GATE__V1__AUDIT_KIND__AUDIT_KIND_FORM_COMPLETED
        case .formDiscarded: GATE__V1__AUDIT_KIND__AUDIT_KIND_FORM_DISCARDED
        case .responseWithdrawn: GATE__V1__AUDIT_KIND__AUDIT_KIND_RESPONSE_WITHDRAWN
        case .whatsNewOpened: GATE__V1__AUDIT_KIND__AUDIT_KIND_WHATS_NEW_OPENED
        case .whatsNewSeen: GATE__V1__AUDIT_KIND__AUDIT_KIND_WHATS_NEW_SEEN
        case .whatsNewReset: GATE__V1__AUDIT_KIND__AUDIT_KIND_WHATS_NEW_RESET
        case .accountConfirmed: GATE__V1__AUDIT_KIND__AUDIT_KIND_ACCOUNT_CONFIRMED
        case .householdListed: GATE__V1__AUDIT_KIND__AUDIT_KIND_HOUSEHOLD_LISTED
        case .commandSent: GATE__V1__AUDIT_KIND__AUDIT_KIND_COMMAND_SENT
        case .personSet: GATE__V1__AUDIT_KIND__AUDIT_KIND_PERSON_SET
        case .gateChanged: GATE__V1__AUDIT_KIND__AUDIT_KIND_GATE_CHANGED
        case .used: GATE__V1__AUDIT_KIND__AUDIT_KIND_USED
        case .ageSettingsChanged: GATE__V1__AUDIT_KIND__AUDIT_KIND_AGE_SETTINGS_CHANGED
        case .ageChosen: GATE__V1__AUDIT_KIND__AUDIT_KIND_AGE_CHOSEN
        case .backedUp: GATE__V1__AUDIT_KIND__AUDIT_KIND_BACKED_UP
        case .restored: GATE__V1__AUDIT_KIND__AUDIT_KIND_RESTORED
        case .unrecognized: GATE__V1__AUDIT_KIND__AUDIT_KIND_UNSPECIFIED
        }
    }
}
