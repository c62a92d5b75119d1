import GateGuardians
import GateModel

/// The household's list, or its policy for all devices, in the hands of the device that has the household's key: a broker that has lost it
/// gets it again, so that a device which was away hears who is revoked, and by which policy it lives.
struct KeptList: Hashable, Sendable {
    private enum State: Hashable {
        /// There is nothing to do. Can transition to: listening.
        case settled
        /// The broker hands out the list that it has, if it has one. Can transition to: settled, due.
        case listening([UInt8])
        /// To be published. Can transition to: settled, underWay.
        case due([UInt8])
        /// The broker was given it. Can transition to: settled.
        case underWay
    }

    private let kind: SignedText.Kind
    private var state = State.settled
    /// The number of the newest one that gated has told.
    private var known: UInt64 = 0

    init(_ kind: SignedText.Kind) {
        self.kind = kind
    }

    /// - Parameter list: the newest one; `nil`: this device does not keep it.
    mutating func brokerConnected(_ list: [UInt8]?) {
        state = list.map(State.listening) ?? .settled
        daemonKnows(known)
    }

    /// gated has told which one it has. A file that is older is one of a backup, and is not given to the broker.
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

    /// The broker has this one. An older one gives way; its signature does not matter here, since nothing is believed.
    mutating func arrived(_ list: [UInt8]) {
        switch state {
        case .listening(let own), .due(let own):
            if number(of: list) >= number(of: own) { state = .settled }
        case .settled, .underWay: break
        }
    }

    /// The broker has acknowledged something, and so has handed out before what it had kept.
    mutating func brokerHasSpoken() {
        switch state {
        case .listening(let own): state = .due(own)
        case .settled, .due, .underWay: break
        }
    }

    /// The list to publish; `nil`: nothing is due.
    mutating func takeDue() -> [UInt8]? {
        switch state {
        case .due(let own):
            state = .underWay
            return own
        case .settled, .listening, .underWay: return nil
        }
    }

    /// The broker has it, or does not want it.
    mutating func ended() {
        switch state {
        case .underWay: state = .settled
        case .settled, .listening, .due: break
        }
    }

    /// 0: it can't be read.
    private func number(of list: [UInt8]) -> UInt64 {
        guard let text = try? SignedText(list, as: kind) else { return 0 }
        let number =
            switch kind {
            case .list: try? HouseholdList(payload: text.payload).number
            case .policy: try? HouseholdPolicy(payload: text.payload).number
            case .command, .result, .request, .receipt: UInt64?.none
            }
        return number ?? 0
    }
}
