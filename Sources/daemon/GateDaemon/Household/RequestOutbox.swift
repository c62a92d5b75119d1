import GateCore
import GateGuardians
import GateModel
import GateProtocol

/// The open questions of this device that guardians may answer elsewhere, for the carrier. Each is sealed once, and
/// again if the list of guardians changes.
struct RequestOutbox {
    private struct Sealed {
        let list: UInt64
        let words: RequestWords
        let askedAt: WallTime
        let kind: String
        let sealed: [SealedRequest]
    }

    private var collecting = CollectingCall<CollectRequestsResponse>()
    /// Grows whenever the open questions change, or the way in which they are published.
    private var change: UInt64 = 1
    private var open: [RequestForGuardians] = []
    private var listNumber: UInt64 = 0
    /// Whether the words are also published unsealed, for Home Assistant.
    private var tellsWords = false
    private var sealed: [UInt64: Sealed] = [:]

    var isCollected: Bool { collecting.isWaiting }

    mutating func collect(
        _ call: Call<CollectRequestsResponse>, after change: UInt64, by state: GateState, _ clock: any Clock
    ) {
        collecting.waits(call, after: change)
        handOut(by: state, clock)
    }

    mutating func stateChanged(to state: GateState, _ clock: any Clock) {
        let (now, list) = (state.requestsForGuardians, state.householdList?.number ?? 0)
        let homeAssistant = state.configuration.household?.homeAssistant
        let isTold = homeAssistant.map { $0.isFound && $0.tellsWords } ?? false
        guard now != open || (list != listNumber || isTold != tellsWords) && !now.isEmpty else {
            tellsWords = isTold
            return
        }
        (open, listNumber, tellsWords) = (now, list, isTold)
        change += 1
        let numbers = Set(now.map(\.words.number))
        sealed = sealed.filter { numbers.contains($0.key) }
        handOut(by: state, clock)
    }

    private mutating func handOut(by state: GateState, _ clock: any Clock) {
        guard let call = collecting.take(where: change) else { return }
        let requests = outgoing(by: state, at: clock.bootTime(), clock.wallTime())
        call.answer(CollectRequestsResponse(requests: requests))
    }

    private mutating func outgoing(by state: GateState, at now: BootTime, _ wall: WallTime) -> OutgoingRequests {
        OutgoingRequests(
            change: change,
            requests: open.compactMap { request in
                let left = request.left(at: now, wall)
                guard left > .zero, let sealed = sealed(request, by: state, wall) else { return nil }
                return OutgoingRequest(
                    number: request.words.number, kind: sealed.kind, askedAt: sealed.askedAt, left: left,
                    sealed: sealed.sealed,
                    clear: tellsWords
                        ? ClearWords(purpose: request.words.purpose, asked: request.words.asked) : nil)
            })
    }

    private mutating func sealed(_ request: RequestForGuardians, by state: GateState, _ wall: WallTime) -> Sealed? {
        let before = sealed[request.words.number]
        if let before, before.list == listNumber, before.words == request.words { return before }
        guard let list = state.householdList,
            let key = state.records.household.deviceKey.flatMap({ SigningKey($0.secret) })
        else { return nil }
        let signed = SignedText.sign(request.words.payload, as: .request, with: key)
        let guardians = list.members.filter { $0.isGuardians && $0.id != request.words.device }
        let new = Sealed(
            list: listNumber, words: request.words, askedAt: request.askedAt ?? before?.askedAt ?? wall,
            kind: request.words.ask?.kind.rawValue ?? request.kind.rawValue,
            sealed: guardians.compactMap { member in
                SealedWords.seal(signed, to: member.sealingKey, of: member.id).map {
                    SealedRequest(device: member.id, sealed: $0)
                }
            })
        sealed[request.words.number] = new
        return new
    }
}
