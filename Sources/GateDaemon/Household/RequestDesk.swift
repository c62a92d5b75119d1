import GateCore
import GateGuardians
import GateModel
import GateProtocol

/// The questions of this device that guardians may answer elsewhere, as they are carried. Each is sealed once, and again where the list
/// of guardians is another one.
struct RequestDesk {
    private struct Sealed {
        let list: UInt64
        let askedAt: WallTime
        let kind: String
        let sealed: [SealedRequest]
    }

    /// Counts changes of what is open.
    private(set) var change: UInt64 = 1
    private var open: [RequestForGuardians] = []
    private var listNumber: UInt64 = 0
    /// Whether the words are told in the clear, too.
    private var tellsWords = false
    private var sealed: [UInt64: Sealed] = [:]

    /// - Returns: whether something else is open than before, the guardians are others, or Home Assistant is to hear more or less.
    mutating func stateChanged(to state: GateState) -> Bool {
        let (now, list) = (state.requestsForGuardians, state.householdList?.number ?? 0)
        let homeAssistant = state.configuration.household?.homeAssistant
        let isTold = homeAssistant.map { $0.isFound && $0.tellsWords } ?? false
        guard now != open || (list != listNumber || isTold != tellsWords) && !now.isEmpty else {
            tellsWords = isTold
            return false
        }
        (open, listNumber, tellsWords) = (now, list, isTold)
        change += 1
        let numbers = Set(now.map(\.words.number))
        sealed = sealed.filter { numbers.contains($0.key) }
        return true
    }

    /// All that are open.
    mutating func outgoing(by state: GateState, at now: BootTime, _ wall: WallTime) -> OutgoingRequests {
        OutgoingRequests(
            change: change,
            requests: open.compactMap { request in
                guard now < request.deadline, let sealed = sealed(request, by: state, wall) else { return nil }
                return OutgoingRequest(
                    number: request.words.number, kind: sealed.kind, askedAt: sealed.askedAt,
                    left: now.duration(to: request.deadline), sealed: sealed.sealed,
                    clear: tellsWords
                        ? ClearWords(purpose: request.words.purpose, asked: request.words.asked) : nil)
            })
    }

    private mutating func sealed(_ request: RequestForGuardians, by state: GateState, _ wall: WallTime) -> Sealed? {
        let before = sealed[request.words.number]
        if let before, before.list == listNumber { return before }
        guard let list = state.householdList,
            let key = state.records.household.deviceKey.flatMap({ SigningKey($0.secret) })
        else { return nil }
        let signed = SignedText.sign(request.words.payload, as: .request, with: key)
        let guardians = list.members.filter { $0.isGuardians && $0.id != request.words.device }
        let new = Sealed(
            list: listNumber, askedAt: before?.askedAt ?? wall, kind: request.kind.rawValue,
            sealed: guardians.compactMap { member in
                SealedWords.seal(signed, to: member.sealingKey, of: member.id).map {
                    SealedRequest(device: member.id, sealed: $0)
                }
            })
        sealed[request.words.number] = new
        return new
    }
}
