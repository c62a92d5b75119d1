package import CGateProtocol
package import GateModel

// authorization.proto: wrong answers that were counted, and clearing them

extension Methods.Authorization {
    package static let listLockouts = Method<ListLockoutsRequest, ListLockoutsResponse>(service, "ListLockouts")
    package static let clearLockout = Method<ClearLockoutRequest, ClearLockoutResponse>(service, "ClearLockout")
}

package typealias ListLockoutsRequest = PageRequest<Gate__V1__ListLockoutsRequest>
extension Gate__V1__ListLockoutsRequest: CPageRequest {}

/// Sorted by owner, then by gate.
package typealias ListLockoutsResponse = PageReply<LockoutSummary, Gate__V1__ListLockoutsResponse>

extension Gate__V1__ListLockoutsResponse: CPageReply {
    package var elements: CList<Gate__V1__Lockout> {
        get { (lockouts, n_lockouts) }
        set { (lockouts, n_lockouts) = newValue }
    }
}

extension LockoutSummary: MessageMapping {
    init(reading message: Gate__V1__Lockout) {
        self.init(
            owner: Owner(wire: message.owner, uid: message.uid),
            gate: message.gate.flatMap { WireLockoutGate(reading: $0.pointee).gate },
            wrongAnswers: Int(message.wrong_answers), limit: message.limit == 0 ? nil : Int(message.limit),
            remaining: OptionalMilliseconds.duration(message.remaining_milliseconds))
    }

    func write(to message: inout Gate__V1__Lockout, in arena: inout MessageArena) {
        message.uid = if case .user(let uid) = owner { uid } else { 0 }
        message.owner = owner.wireKind
        message.limit = UInt32(clamping: limit ?? 0)
        message.gate = gate.map { arena.message(WireLockoutGate($0)) }
        message.wrong_answers = UInt32(clamping: wrongAnswers)
        message.remaining_milliseconds = remaining?.wireMilliseconds ?? 0
    }
}

extension LockoutSummary.Owner {
    /// An unknown kind of owner reads as `withoutAccount`, because `uid` names a user only for the kind USER.
    fileprivate init(wire kind: Gate__V1__OwnerKind, uid: UInt32) {
        switch kind {
        case GATE__V1__OWNER_KIND__OWNER_KIND_USER: self = .user(uid)
        case GATE__V1__OWNER_KIND__OWNER_KIND_RANGES_OF_ROOT: self = .rangesOfRoot
        case GATE__V1__OWNER_KIND__OWNER_KIND_STRANGERS: self = .strangers
        default: self = .withoutAccount
        }
    }

    fileprivate var wireKind: Gate__V1__OwnerKind {
        switch self {
        case .withoutAccount: GATE__V1__OWNER_KIND__OWNER_KIND_WITHOUT_ACCOUNT
        case .rangesOfRoot: GATE__V1__OWNER_KIND__OWNER_KIND_RANGES_OF_ROOT
        case .strangers: GATE__V1__OWNER_KIND__OWNER_KIND_STRANGERS
        case .user: GATE__V1__OWNER_KIND__OWNER_KIND_USER
        }
    }
}

package struct ClearLockoutRequest: MappedMessage {
    /// The user whose lockouts are cleared; `nil`: every user's.
    package var uid: UInt32?
    /// `nil`: all gates.
    package var gate: Lockout.Gate?

    package init(uid: UInt32?, gate: Lockout.Gate?) {
        self.uid = uid
        self.gate = gate
    }

    init(reading message: Gate__V1__ClearLockoutRequest) throws(GateError) {
        self.init(uid: nil, gate: nil)
        if let asked = message.gate {
            gate = WireLockoutGate(reading: asked.pointee).gate
            guard gate != nil else {
                throw .wrong("gate.v1.LockoutGate.kind", "is not set, or one that this version does not know")
            }
        }
        if let user = message.user {
            uid = WireUser(reading: user.pointee).uid
        }
    }

    func write(to message: inout Gate__V1__ClearLockoutRequest, in arena: inout MessageArena) {
        if let uid {
            message.user = arena.message(WireUser(uid))
        }
        message.gate = gate.map { arena.message(WireLockoutGate($0)) }
    }
}

private struct WireLockoutGate: MessageMapping {
    /// `nil` if this version does not know the kind.
    let kind: LockoutGateKind?
    let name: String

    init(_ gate: Lockout.Gate) {
        switch gate {
        case .mode: (kind, name) = (.mode, "")
        case .gatedAction(let action): (kind, name) = (.gatedAction, action)
        case .secret(.passcode): (kind, name) = (.passcode, "")
        case .secret(.totp): (kind, name) = (.totp, "")
        case .secretOfDevice(.passcode): (kind, name) = (.passcodeOfDevice, "")
        case .secretOfDevice(.totp): (kind, name) = (.totpOfDevice, "")
        case .signIn(let account): (kind, name) = (.signIn, account)
        case .otherScreens: (kind, name) = (.otherScreens, "")
        }
    }

    var gate: Lockout.Gate? {
        switch kind {
        case .mode: .mode
        case .gatedAction: .gatedAction(name)
        case .passcode: .secret(.passcode)
        case .totp: .secret(.totp)
        case .passcodeOfDevice: .secretOfDevice(.passcode)
        case .totpOfDevice: .secretOfDevice(.totp)
        case .signIn: .signIn(account: name)
        case .otherScreens: .otherScreens
        case nil: nil
        }
    }

    init(reading message: Gate__V1__LockoutGate) {
        kind = LockoutGateKind(wire: message.kind)
        name = String(reading: message.name)
    }

    func write(to message: inout Gate__V1__LockoutGate, in arena: inout MessageArena) {
        if let kind { message.kind = kind.wire }
        message.name = arena.string(name)
    }
}

private enum LockoutGateKind: EnumMapping {
    case mode
    case gatedAction
    case passcode
    case totp
    case passcodeOfDevice
    case totpOfDevice
    case signIn
    case otherScreens

    var wire: Gate__V1__LockoutGate__Kind {
        switch self {
        case .mode: GATE__V1__LOCKOUT_GATE__KIND__KIND_MODE
        case .gatedAction: GATE__V1__LOCKOUT_GATE__KIND__KIND_GATED_ACTION
        case .passcode: GATE__V1__LOCKOUT_GATE__KIND__KIND_PASSCODE
        case .totp: GATE__V1__LOCKOUT_GATE__KIND__KIND_TOTP
        case .passcodeOfDevice: GATE__V1__LOCKOUT_GATE__KIND__KIND_PASSCODE_OF_DEVICE
        case .totpOfDevice: GATE__V1__LOCKOUT_GATE__KIND__KIND_TOTP_OF_DEVICE
        case .signIn: GATE__V1__LOCKOUT_GATE__KIND__KIND_SIGN_IN
        case .otherScreens: GATE__V1__LOCKOUT_GATE__KIND__KIND_OTHER_SCREENS
        }
    }
}

package typealias ClearLockoutResponse = CountReply<Gate__V1__ClearLockoutResponse>
extension Gate__V1__ClearLockoutResponse: CCountReply {}
