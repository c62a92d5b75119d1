package import GateModel

/// A guardian's device shows the questions of other devices to its grown-ups, and sends their yes or no. Such a
/// question is always a `confirm`, for presenters that the policy trusts with questions for grown-ups.
extension GateState {
    private static let step = Step.challenge(ChallengeSpecification(.confirm, answeredBy: .grownUp))

    /// The open questions of other devices, in the order of arrival.
    package func requestsOfOthers(at now: BootTime) -> [HouseholdRequest] {
        heardRequests.entries.filter { !$0.isAsk && now < $0.deadline }.map { householdRequest($0) }
    }

    package func refusalToListRequests(_ peer: Peer) -> GateError? {
        do throws(GateError) {
            _ = try guardiansDevice()
            try peer.check(.grownUpInCharge, verifying: [], isParentMode: machine.isParent)
            return nil
        } catch {
            return error
        }
    }

    var heardRequests: HeardRequestBook {
        get { householdBook.heard }
        set { householdBook.heard = newValue }
    }

    private func householdRequest(_ entry: HeardRequestBook.Entry) -> HouseholdRequest {
        let words = entry.heard.words
        var asked = words.asked
        asked.device = householdList?.member(words.device)?.name ?? words.device.description
        return HouseholdRequest(
            device: words.device, id: entry.number, purpose: words.purpose, asked: asked,
            askedAt: entry.heard.askedAt)
    }

    mutating func receiveRequests(
        _ news: RequestNews, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let household = try guardiansDevice().household
        let named = Set(news.heard.map(\.name))
        let gone = forget(by: context.peer, at: context.now, &draft) {
            $0.deadline <= context.now
                || !$0.isClosed && (news.closed.contains($0.name) || news.isAll && !named.contains($0.name))
        }
        // An answer that is on its way may still be refused.
        heardRequests.close(
            gone.filter { context.now < $0.deadline && $0.isAsk && (isAnswered($0) || !$0.refusal.isEmpty) },
            at: context.now)
        let asks = heardRequests.asks
        for request in news.heard where request.words.household == household && isMembers(request) {
            // A question whose call has ended waits from now on, and leaves the screen.
            if request.words.ask != nil, let id = heardRequests.entries.first(where: { $0.name == request.name })?.open
            {
                end(id, .putAway, by: context.peer, at: context.now, &draft)
            }
            heardRequests.heard(request, from: context.peer, at: context.now, using: &context.random)
        }
        if heardRequests.asks != asks { draft.becameVisible() }
        return .done
    }

    /// A guardian says yes or no without a presenter.
    mutating func answerRequest(
        _ number: UInt64, isApproved: Bool, grant: Grant.Proof?, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        _ = try guardiansDevice()
        guard quarantinedFile == nil else { throw .storeDamaged }
        if !isApproved {
            try context.peer.check(.grownUpInCharge, verifying: [], isParentMode: machine.isParent)
        }
        guard let entry = heardRequests.entry(number, at: context.now) else { throw .noSuchRequest(number) }
        let request = householdRequest(entry)
        if isApproved, !context.peer.isAdministrator {
            guard let grant else { throw .answersGrantMissing }
            let redemption = grants.redeemed(
                grant, gatedAction: HouseholdRequest.gatedAction, details: request.grantDetails, by: context.peer,
                at: context.now)
            guard case .taken = redemption else { throw .answersGrantMissing }
        }
        if let id = entry.open { end(id, .putAway, by: context.peer, at: context.now, &draft) }
        return .answering(send(entry, isApproved: isApproved, by: context.peer, &draft))
    }

    /// A person said yes on a presenter. Sends the answer.
    mutating func approve(
        _ number: UInt64, in request: RequestID, by answerer: Peer, at moment: BootTime, _ draft: inout TransitionDraft
    ) -> Reply {
        _ = close(request, at: moment, answerHears: .cookie(.closed), &draft)
        sendAnswer(to: number, isApproved: true, by: answerer, at: moment, &draft)
        return .done
    }

    /// The request for this question ended without a yes. Sends the answer if a grown-up said no. If no screen can show
    /// the question any more, it waits for another one; otherwise it is not asked here again.
    mutating func heardRequestEnded(
        _ number: UInt64, _ ending: RequestEnding, by peer: Peer?, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        switch ending {
        case .refused: sendAnswer(to: number, isApproved: false, by: peer, at: moment, &draft)
        case .impossible, .requesterLost: heardRequests.lost(number)
        case .answeredWrong, .dismissed, .expired, .callEnded, .cancelled, .locked, .modeLeft, .overridden, .leaseEnded,
            .putAway:
            heardRequests.ended(number)
        }
    }

    private mutating func sendAnswer(
        to number: UInt64, isApproved: Bool, by peer: Peer?, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        guard let entry = heardRequests.entry(number, at: moment) else { return }
        draft.answer(send(entry, isApproved: isApproved, by: peer, &draft))
    }

    private mutating func send(
        _ entry: HeardRequestBook.Entry, isApproved: Bool, by peer: Peer?, _ draft: inout TransitionDraft
    ) -> AnswerToSend {
        heardRequests.ended(entry.number)
        let what = "\(isApproved ? "yes" : "no") to \(householdRequest(entry).grantDetails)"
        draft.journal(.commandSent, by: peer, what.cut(toByteCount: Limits.journalledDetailsByteCount))
        return AnswerToSend(
            device: entry.name.device,
            answer: RequestAnswer(number: entry.name.number, shown: entry.heard.shown, isApproved: isApproved))
    }

    /// Adjusts the questions on screens. Drops questions of devices that the household's list no longer vouches for,
    /// and asks waiting ones as soon as a presenter can show them.
    mutating func settleHeardRequests(at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft) {
        guard !heardRequests.entries.isEmpty else { return }
        let isGuardians = householdMember?.isGuardians ?? false
        let strangers = Set(heardRequests.entries.filter { !isGuardians || !isMembers($0.heard) }.map(\.number))
        forget(by: nil, at: moment, &draft) { strangers.contains($0.number) }
        guard quarantinedFile == nil, queue.canShow(Self.step, .sheet, for: nil) else { return }
        for entry in heardRequests.waiting(at: moment) {
            let request = requests.heard(householdRequest(entry), from: entry.carrier)
            let open = newPresentation(
                of: request, asking: Self.step, ordinal: 0, before: entry.deadline, at: moment, &context, &draft)
            queue.opened(open, at: moment)
            heardRequests.asked(entry.number, as: request.id)
        }
    }

    @discardableResult
    private mutating func forget(
        by peer: Peer?, at moment: BootTime, _ draft: inout TransitionDraft,
        where isGone: (HeardRequestBook.Entry) -> Bool
    ) -> [HeardRequestBook.Entry] {
        let numbers = Set(heardRequests.entries.filter(isGone).map(\.number))
        let gone = heardRequests.removed { numbers.contains($0.number) }
        for entry in gone {
            if entry.isAsk { draft.becameVisible() }
            if let id = entry.open { end(id, .putAway, by: peer, at: moment, &draft) }
        }
        return gone
    }

    /// Whether an answer to this ask that was given on this device is on its way.
    private func isAnswered(_ entry: HeardRequestBook.Entry) -> Bool {
        records.household.answers[entry.name].map { $0.nonce == entry.heard.words.ask?.nonce } ?? false
    }

    /// Whether the question was signed by a device that is on the list and not revoked.
    private func isMembers(_ request: HeardRequest) -> Bool {
        guard let member = householdList?.member(request.words.device) else { return false }
        return !member.isRevoked && member.publicKey == request.verifiedBy
    }

    private func guardiansDevice() throws(GateError) -> HouseholdSettings {
        let settings = try household()
        guard householdMember?.isGuardians ?? false else { throw .noGuardiansDevice }
        return settings
    }
}

/// A guardian's yes or no, for the daemon to sign and send.
public struct AnswerToSend: Hashable, Sendable {
    /// The device that asked.
    package var device: HouseholdID
    package var answer: RequestAnswer
}

extension GateError {
    fileprivate static func noSuchRequest(_ number: UInt64) -> GateError {
        GateError(
            .notFound, .unknown,
            "Question \(number) is not open, or not any more. `gatectl household requests` lists those that are.",
            parameters: ["what": "request", "name": "\(number)"])
    }

    fileprivate static let answersGrantMissing = GateError(
        .permissionDenied, .notPermitted,
        "Only an administrator may do that, or a program with a grant for 'household.answer' and these details.",
        parameters: ["what": "answer-grant"])
}
