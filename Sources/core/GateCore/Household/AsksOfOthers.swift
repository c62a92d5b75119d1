package import GateModel

/// The rules of a guardian's device for asks of the household's other devices. The grown-ups who may answer this
/// device's own asks answer these, too. The answer is stored, and the broker keeps it, until the asking device has said
/// what became of it: that device may be off now, and this one may be off when it is on again.
extension GateState {
    /// The asks of other devices, in the order of arrival. `texts` counts the translations of the whole list.
    func asksOfOthers(_ texts: inout Int) -> [Ask] {
        heardRequests.asks.compactMap { entry in
            let words = entry.heard.words
            guard let ask = words.ask, records.asks[entry.number] == nil else { return nil }
            var titles = words.asked.titles
            texts += titles.translations.count
            if texts > Limits.textsOfAsks { titles.translations = [] }
            let state = state(of: entry, ask)
            return Ask(
                id: entry.number, uid: 0, person: ask.person, gatedAction: words.asked.gatedAction, titles: titles,
                details: words.asked.details, state: state, ends: ask.until,
                choices: canBeAllowed(entry, state) ? [.once] : [], choice: state == .allowed ? .once : nil,
                device: nameOfDevice(words.device))
        }
    }

    /// What has become of an ask, as far as this device knows: an answer that was given here counts even before the
    /// asking device has it.
    private func state(of entry: HeardRequestBook.Entry, _ ask: HouseholdAsk) -> Ask.State {
        let given = records.household.answers[entry.name].flatMap { $0.nonce == ask.nonce ? $0.isAllowed : nil }
        switch given ?? entry.confirmed {
        case true?: return .allowed
        case false?: return .refused
        case nil: return ask.isAllowed ? .allowed : .waiting
        }
    }

    /// Whether a yes that is given here can still count. The asking device lets nobody elsewhere take back a no that it
    /// has taken. As long as this device has not heard that, a yes replaces the no.
    private func canBeAllowed(_ entry: HeardRequestBook.Entry, _ state: Ask.State) -> Bool {
        switch state {
        case .waiting: true
        case .refused: records.household.answers[entry.name] != nil
        case .allowed, .unrecognized: false
        }
    }

    func hasSameAsksOfOthers(as other: GateState) -> Bool {
        let (own, others) = (heardRequests.asks, other.heardRequests.asks)
        guard !own.isEmpty || !others.isEmpty else { return true }
        return own == others && records.household.answers == other.records.household.answers
            && householdList?.number == other.householdList?.number
    }

    private func nameOfDevice(_ device: HouseholdID) -> String {
        householdList?.member(device)?.name ?? device.description
    }

    /// A grown-up of this device answers. A later answer replaces one that the asking device has not confirmed.
    mutating func answerAskOfOther(
        _ number: UInt64, _ answer: AskAnswer, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let isAllowed = answer != .no
        guard let entry = heardRequests.ask(number, at: context.now), let ask = entry.heard.words.ask else {
            throw .noSuchAsk(number)
        }
        guard householdMember?.isGuardians ?? false else { throw .noGuardiansDevice }
        if case .yes(let choice?) = answer, choice != .once { throw .notOffered(choice, for: number, offered: [.once]) }
        let state = state(of: entry, ask)
        guard isAllowed ? canBeAllowed(entry, state) : state != .refused else { throw .noSuchAsk(number) }
        makeRoomForAnswers(at: context.wallTime, &draft)
        let left = context.now.duration(to: entry.deadline)
        record(
            .answerToAskSet(
                entry.name,
                AnswerToAsk(
                    command: HouseholdID(using: &context.random), nonce: ask.nonce, isAllowed: isAllowed,
                    expires: ask.until, end: context.wallTime.advanced(by: left))),
            &draft)
        let asked = entry.heard.words.asked
        let what = asked.title.isEmpty ? asked.gatedAction : asked.title
        draft.journal(
            .commandSent, by: context.peer,
            "\(isAllowed ? "yes" : "no") to \(nameOfDevice(entry.name.device)): \(what), for \(ask.person)"
                .cut(toByteCount: Limits.journalledDetailsByteCount))
        return .done
    }

    /// Removes answers to asks that are over, and the one that ends first if there are too many.
    private mutating func makeRoomForAnswers(at time: WallTime, _ draft: inout TransitionDraft) {
        let answers = records.household.answers
        for (name, answer) in answers where answer.end <= time { record(.answerToAskRemoved(name), &draft) }
        guard records.household.answers.count >= OutgoingAnswers.maximumCount,
            let first = records.household.answers.min(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) })
        else { return }
        record(.answerToAskRemoved(first.key), &draft)
    }

    /// The answer that travels as this command, if it was given to an ask of this device.
    package func answerToAsk(of device: HouseholdID, command: HouseholdID) -> RequestName? {
        records.household.answers.first { $0.key.device == device && $0.value.command == command }?.key
    }

    /// The asking device has confirmed an answer, or refused it.
    mutating func answerToAskEnded(
        _ name: RequestName, command: HouseholdID, isDone: Bool, _ draft: inout TransitionDraft
    ) {
        guard let answer = records.household.answers[name], answer.command == command else { return }
        record(.answerToAskRemoved(name), &draft)
        if isDone { heardRequests.confirmed(name, isAllowed: answer.isAllowed) }
    }

    // MARK: - Ends by themselves

    /// When the first ask of another device is over, even if that device does not say so.
    var nextEndOfOthersAsk: BootTime? { heardRequests.nextAskEnd }

    mutating func endAsksOfOthers(at moment: BootTime, _ draft: inout TransitionDraft) {
        guard nextEndOfOthersAsk.map({ $0 <= moment }) ?? false else { return }
        _ = heardRequests.removed { $0.isAsk && $0.deadline <= moment }
        draft.becameVisible()
    }
}

extension [Ask] {
    /// Both lists in one, by number.
    func merged(with others: [Ask]) -> [Ask] { others.isEmpty ? self : (self + others).sorted { $0.id < $1.id } }
}
