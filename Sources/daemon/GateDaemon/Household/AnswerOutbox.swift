import GateCore
import GateGuardians
import GateModel
import GateProtocol

/// The answers of this device's guardian to asks of other devices, for the carrier, which has the broker keep them.
/// Signing an answer again gives the same bytes.
struct AnswerOutbox {
    /// Everything that decides which answers are handed out, and how they are signed.
    private struct Basis: Equatable {
        var answers: [RequestName: AnswerToAsk] = [:]
        var settings: HouseholdSettings?
        var listNumber: UInt64 = 0
        var isClosed = false

        init() {}

        init(_ state: GateState) {
            (answers, settings) = (state.records.household.answers, state.configuration.household)
            isClosed = state.quarantinedFile != nil
            // Without an answer a new list changes nothing.
            if !answers.isEmpty { listNumber = state.householdList?.number ?? 0 }
        }
    }

    private var collecting = CollectingCall<CollectAnswersResponse>()
    /// Grows when the answers change.
    private var change: UInt64 = 1
    private var basis = Basis()

    var isCollected: Bool { collecting.isWaiting }

    mutating func collect(
        _ call: Call<CollectAnswersResponse>, after change: UInt64, by state: GateState, _ clock: any Clock
    ) {
        collecting.waits(call, after: change)
        handOut(by: state, clock)
    }

    mutating func stateChanged(to state: GateState, _ clock: any Clock) {
        let now = Basis(state)
        guard now != basis else { return }
        basis = now
        change += 1
        handOut(by: state, clock)
    }

    private mutating func handOut(by state: GateState, _ clock: any Clock) {
        guard let call = collecting.take(where: change) else { return }
        let answers = OutgoingAnswers(change: change, answers: state.outgoingAnswers(at: clock.wallTime()))
        call.answer(CollectAnswersResponse(answers: answers))
    }
}

extension GateState {
    /// The answers to asks that are not over, of devices that are not revoked. By device and number.
    fileprivate func outgoingAnswers(at now: WallTime) -> [OutgoingAnswer] {
        guard quarantinedFile == nil, let settings = configuration.household, let list = householdList,
            householdMember?.isGuardians ?? false,
            let key = records.household.deviceKey.flatMap({ SigningKey($0.secret) })
        else { return [] }
        return records.household.answers.sorted { $0.key < $1.key }.prefix(OutgoingAnswers.maximumCount).compactMap {
            name, answer in
            guard now < answer.end, let member = list.member(name.device), !member.isRevoked else { return nil }
            let command = GuardianCommand(
                id: answer.command, household: settings.household, device: name.device, guardian: settings.device,
                order: .answer(
                    RequestAnswer(
                        number: name.number, ask: AskEcho(nonce: answer.nonce, choice: answer.word),
                        isApproved: answer.isAllowed)),
                challenge: [], expires: answer.expires)
            return OutgoingAnswer(
                name: name, signed: SignedText.sign(command.payload, as: .command, with: key),
                left: answer.end.duration(since: now))
        }
    }
}
