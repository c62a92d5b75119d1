import GateModel

/// The rules of a device whose asks are answered by guardians elsewhere. Such an answer is a guardian's command that
/// the broker keeps until this device has it, so it echoes no challenge. It counts as follows:
///
/// | event                      | waiting                  | allowed               | refused | over   |
/// |----------------------------|--------------------------|-----------------------|---------|--------|
/// | yes, with what is offered  | allowed                  | closed                | closed  | closed |
/// | yes, with another choice   | refused                  | closed                | closed  | closed |
/// | no                         | refused                  | refused               | closed  | closed |
/// | yes, with another nonce    | shown                    | closed                | closed  | closed |
/// | no, with another nonce     | shown                    | shown                 | closed  | closed |
/// | either, of the asker       | guardian                 | as above; guardian    | closed  | closed |
///
/// A cell names the new state, or else the check that fails (`GuardianCheck`); in the row "another choice", `refused`
/// is that check, too. After a no, only a grown-up of this device can still allow it, because a broker may repeat a yes
/// that was signed before the no. A yes for longer than once that was given on this device is taken back here alone, so
/// its ask is closed.
extension GateState {
    /// The asks to publish for guardians, by number: those that wait, and those that were allowed and can still be
    /// taken back elsewhere. An ask whose question is on a screen here, with its call open, is not among them. A
    /// guardian's device lists at most `keptAsksOfDevice`, so waiting asks have priority.
    var asksForGuardians: [RequestForGuardians] {
        guard !records.asks.isEmpty, let settings = configuration.household else { return [] }
        // Each command asks for this, and hundreds of asks may have a yes that does not end.
        let told = records.asks.all { number, ask in
            !ask.nonce.isEmpty && ask.end < .never && queue.presentation(number) == nil
                && (ask.state == .waiting || records.keptGrants.answer(to: number) != nil)
        }
        let waiting = told.filter { $0.ask.state == .waiting }
        let allowed = told.filter { $0.ask.state != .waiting }.suffix(
            max(0, HeardRequestBook.keptAsksOfDevice - waiting.count))
        return (allowed + waiting.prefix(HeardRequestBook.keptAsksOfDevice)).sorted { $0.number < $1.number }
            .compactMap { number, ask in request(number, ask, settings) }
    }

    private func request(_ number: UInt64, _ ask: AskRecord, _ settings: HouseholdSettings) -> RequestForGuardians? {
        guard configuration.gatedActions.named(ask.gatedAction) != nil else { return nil }
        let yes = yes(to: number)
        return RequestForGuardians(
            words: RequestWords(
                household: settings.household, device: settings.device, number: number, purpose: .authorize,
                asked: PresentationContext(
                    uid: 0, pid: 0, program: "", gatedAction: ask.gatedAction, title: titles(of: ask),
                    details: yes?.details ?? ask.details),
                ask: HouseholdAsk(
                    nonce: ask.nonce, person: ask.person, isAllowed: yes != nil, until: yes?.until ?? ask.end,
                    choices: yes.map { [$0.choice] } ?? choices(for: ask))),
            kind: .confirm, deadline: .never, askedAt: ask.askedAt)
    }

    /// The yes to this ask that is in force; `nil` if there is none.
    private func yes(to number: UInt64) -> KeptGrant.Yes? {
        records.keptGrants.answer(to: number).flatMap { records.keptGrants[$0]?.yes }
    }

    /// Why a guardian's answer to an ask does not count; `nil` if it does. `name` is the guardian's.
    func refusal(of answer: RequestAnswer, repeating echo: AskEcho, by name: String) -> CommandResult.Refusal? {
        guard let ask = records.asks[answer.number], !ask.nonce.isEmpty,
            ask.state == .waiting || !answer.isApproved && yes(to: answer.number) != nil
        else { return .askIsOver }
        guard GateSecret(ask.nonce) == GateSecret(echo.nonce) else { return .otherAsk }
        guard !name.hasBytes(of: ask.person) else { return .ownAsk }
        guard answer.isApproved else { return nil }
        let offered = choices(for: ask)
        guard case .yes(let choice?)? = AskAnswer(isAllowed: true, word: echo.choice), offered.contains(choice) else {
            return .choiceNotOffered(offered)
        }
        return nil
    }
}

extension [UInt8] {
    /// So many random bytes.
    static func random(_ count: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}

extension CommandResult.Refusal {
    fileprivate static let askIsOver = CommandResult.Refusal(
        .closed, "That question no longer waits: it was answered, was taken back, or has expired.")

    fileprivate static let otherAsk = CommandResult.Refusal(
        .shown, "The device asks something else than what was shown. Look at the question again.")

    fileprivate static let ownAsk = CommandResult.Refusal(
        .guardian, "The person who asks can't answer. Another grown-up has to.")

    fileprivate static func choiceNotOffered(_ offered: [AskChoice]) -> CommandResult.Refusal {
        let words = offered.map(\.text).joined(separator: ", ")
        return CommandResult.Refusal(
            .refused, "The device does not offer this choice now. It offers these: \(words). Choose one of them.")
    }
}
