import GateGuardians
import GateModel

/// The household's list or policy on the device that has the household's key. If the broker has lost it, it is
/// published again, so that a device that was away learns who is revoked, and which policy is in force.
struct KeptList: Hashable, Sendable {
    private enum State: Hashable {
        /// There is nothing to do. Can go to `listening`.
        case settled
        /// The broker may still send the list that it has kept. Can go to `settled` or `due`.
        case listening([UInt8])
        /// To be published. Can go to `settled` or `underWay`.
        case due([UInt8])
        /// Published, and not acknowledged yet. Can go to `settled`.
        case underWay
    }

    private let kind: SignedText.Kind
    private var state = State.settled
    /// The number of the list that gated has.
    private var known: UInt64 = 0

    init(_ kind: SignedText.Kind) {
        self.kind = kind
    }

    /// - Parameter list: the newest one; `nil` if this device does not keep it.
    mutating func brokerConnected(_ list: [UInt8]?) {
        state = list.map(State.listening) ?? .settled
        daemonKnows(known)
    }

    /// gated has returned the number of the list that it has. If this device's file is older, it comes from a backup,
    /// and is not published.
    mutating func daemonKnows(_ number: UInt64) {
        known = number
        switch state {
        case .listening(let own), .due(let own): if self.number(of: own) < number { state = .settled }
        case .settled, .underWay: break
        }
    }

    mutating func brokerLost() {
        state = .settled
    }

    /// The broker has sent the list that it keeps. This device's own is then published only if it is newer. The
    /// signature is not checked, since only the numbers are compared.
    mutating func arrived(_ list: [UInt8]) {
        switch state {
        case .listening(let own), .due(let own):
            if number(of: list) >= number(of: own) { state = .settled }
        case .settled, .underWay: break
        }
    }

    /// The broker has acknowledged a message. It sends its retained messages before that, so it has none of this kind.
    mutating func brokerHasSpoken() {
        switch state {
        case .listening(let own): state = .due(own)
        case .settled, .due, .underWay: break
        }
    }

    mutating func takeDue() -> [UInt8]? {
        switch state {
        case .due(let own):
            state = .underWay
            return own
        case .settled, .listening, .underWay: return nil
        }
    }

    /// The broker has acknowledged or refused the list.
    mutating func ended() {
        switch state {
        case .underWay: state = .settled
        case .settled, .listening, .due: break
        }
    }

    /// 0 if the list can't be read.
    private func number(of list: [UInt8]) -> UInt64 {
        guard let text = try? SignedText(list, as: kind) else { return 0 }
        let number =
            switch kind {
            case .list: try? HouseholdList(payload: text.payload).number
            case .policy: try? HouseholdPolicy(payload: text.payload).number
            case .command, .result, .request, .receipt, .usage: UInt64?.none
            }
        return number ?? 0
    }
}
