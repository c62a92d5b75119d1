import CGateProtocol
import GateModel

// providers.proto

extension ClaimProvider: EnumMapping {
    var wire: Gate__V1__Provider {
        switch self {
        case .storeKit: GATE__V1__PROVIDER__PROVIDER_STORE_KIT
        case .revenueCat: GATE__V1__PROVIDER__PROVIDER_REVENUE_CAT
        case .manual: GATE__V1__PROVIDER__PROVIDER_MANUAL
        case .unrecognized: GATE__V1__PROVIDER__PROVIDER_UNSPECIFIED
        }
    }
}

extension Claim.Holder: MessageMapping {
    /// - Throws: `INVALID_ARGUMENT` if no holder is set, so that a claim does not become everybody's by omission.
    init(reading message: Gate__V1__Holder) throws(GateError) {
        switch message.whose_case {
        case GATE__V1__HOLDER__WHOSE_DEVICE: self = .device
        case GATE__V1__HOLDER__WHOSE_ACCOUNT: self = .account(String(reading: message.account))
        default:
            throw .wrong(
                "gate.v1.Holder.whose", "is not set, or one that this version does not know; set device or account")
        }
    }

    func write(to message: inout Gate__V1__Holder, in arena: inout MessageArena) {
        switch self {
        case .device:
            message.whose_case = GATE__V1__HOLDER__WHOSE_DEVICE
            message.device = arena.blank()
        case .account(let name):
            message.whose_case = GATE__V1__HOLDER__WHOSE_ACCOUNT
            message.account = arena.string(name)
        }
    }
}
