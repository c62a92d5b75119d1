import GateModel

/// The rules of a device whose asks are answered by guardians elsewhere. Such an answer is a guardian's command that
/// the broker keeps until this device has it, so it echoes no challenge. It counts as follows:
///
/// | event                      | waiting                  | allowed, not used     | refused | over   |
/// |----------------------------|--------------------------|-----------------------|---------|--------|
/// | yes                        | allowed                  | closed                | closed  | closed |
/// | no                         | refused                  | refused               | closed  | closed |
/// | yes, with another nonce    | shown                    | closed                | closed  | closed |
/// | no, with another nonce     | shown                    | shown                 | closed  | closed |
/// | either, of the asker       | guardian                 | as above; guardian    | closed  | closed |
///
/// Other words than states are the check that fails (`GuardianCheck`). After a no, only a grown-up of this device can
/// still allow it, because a broker may repeat a yes that was signed before the no.
extension GateState {
    /// The asks that wait, or were allowed and not used, unless their question is open as that of a call. By number.
    /// An answer from elsewhere is for once, so asks for which the policy does not offer that are left out.
    var asksForGuardians: [RequestForGuardians] {
        guard !records.asks.isEmpty, let settings = configuration.household else { return [] }
        // Each command asks for this, and hundreds of asks may have a yes that does not end.
        let told = records.asks.all { number, ask in
            !ask.nonce.isEmpty && ask.end < .never && (ask.state == .waiting || unusedYes(to: number) != nil)
        }
        return told.compactMap { number, ask in
            guard queue.presentation(number) == nil, canBeAllowedOnce(ask),
                configuration.gatedActions.named(ask.gatedAction) != nil
            else { return nil }
            let yes = unusedYes(to: number)
            return RequestForGuardians(
                words: RequestWords(
                    household: settings.household, device: settings.device, number: number, purpose: .authorize,
                    asked: PresentationContext(
                        uid: 0, pid: 0, program: "", gatedAction: ask.gatedAction, title: titles(of: ask),
                        details: yes?.details ?? ask.details),
                    ask: HouseholdAsk(
                        nonce: ask.nonce, person: ask.person, isAllowed: yes != nil, until: yes?.until ?? ask.end)),
                kind: .confirm, deadline: .never, askedAt: ask.askedAt)
        }
    }

    /// The yes for once. One for longer was given on this device, and is taken back here.
    private func unusedYes(to number: UInt64) -> KeptGrant.Yes? {
        let yes = records.keptGrants.answer(to: number).flatMap { records.keptGrants[$0]?.yes }
        return yes?.isLasting ?? true ? nil : yes
    }

    /// Why a guardian's answer to an ask does not count; `nil` if it does. `name` is the guardian's.
    func refusal(of answer: RequestAnswer, repeating echo: AskEcho, by name: String) -> CommandResult.Refusal? {
        guard let ask = records.asks[answer.number], !ask.nonce.isEmpty,
            ask.state == .waiting || !answer.isApproved && unusedYes(to: answer.number) != nil
        else { return .askIsOver }
        guard GateSecret(ask.nonce) == GateSecret(echo.nonce) else { return .otherAsk }
        guard !name.hasBytes(of: ask.person) else { return .ownAsk }
        guard echo.choice == AskEcho.once && canBeAllowedOnce(ask) || !answer.isApproved else {
            return .unknownChoice
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

    fileprivate static let unknownChoice = CommandResult.Refusal(
        .refused, "The device does not know this choice. Allow it once, or update the device.")
}
