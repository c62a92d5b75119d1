package import GateModel

/// The rules of a guardian's device for asks of the household's other devices. The grown-ups who may answer this
/// device's own asks answer these, too. The answer is stored here and kept by the broker until the asking device has
/// reported that it has taken or refused it: that device may be off now, and this one may be off when it is on again.
extension GateState {
    /// The asks of other devices, in the order of arrival. `texts` counts the translations of the whole list.
    func asksOfOthers(_ texts: inout Int) -> [Ask] {
        heardRequests.asks.compactMap { entry in
            let words = entry.heard.words
            guard let ask = words.ask, records.asks[entry.number] == nil, !entry.isClosed || !entry.refusal.isEmpty
            else { return nil }
            var titles = words.asked.titles
            texts += titles.translations.count
            if texts > Limits.textsOfAsks { titles.translations = [] }
            let (state, answer) = (state(of: entry, ask), answer(to: entry, ask))
            return Ask(
                id: entry.number, uid: 0, person: ask.person, gatedAction: words.asked.gatedAction, titles: titles,
                details: words.asked.details, state: state, ends: ask.until,
                choices: canBeAllowed(entry, state) ? ask.choices : [],
                choice: state == .allowed ? answer?.choice ?? ask.choices.first : nil,
                device: nameOfDevice(words.device), isUntilTomorrow: state == .refused && answer == .notUntilTomorrow,
                refusal: entry.refusal
            )
        }
    }

    /// The answer that was given on this device, `nil` if none was. This device shows it even before the asking device
    /// has confirmed it.
    private func answer(to entry: HeardRequestBook.Entry, _ ask: HouseholdAsk) -> AskAnswer? {
        records.household.answers[entry.name].flatMap { $0.nonce == ask.nonce ? $0.answer : nil } ?? entry.confirmed
    }

    /// The state of an ask, as far as this device knows it.
    private func state(of entry: HeardRequestBook.Entry, _ ask: HouseholdAsk) -> Ask.State {
        if entry.isClosed { return .closed }
        return switch answer(to: entry, ask)?.isAllowed {
        case true?: .allowed
        case false?: .refused
        case nil: ask.isAllowed ? .allowed : .waiting
        }
    }

    /// Whether a yes that is given here can still count. Once the asking device has taken a no, no other device can
    /// take it back. Until it has confirmed the no to this device, a yes given here replaces the no.
    private func canBeAllowed(_ entry: HeardRequestBook.Entry, _ state: Ask.State) -> Bool {
        switch state {
        case .waiting: true
        case .refused: records.household.answers[entry.name] != nil
        case .allowed, .closed, .unrecognized: false
        }
    }

    /// Whether a no that is given here can still count.
    private func canBeRefused(
        _ entry: HeardRequestBook.Entry, _ state: Ask.State, _ ask: HouseholdAsk, _ no: AskAnswer
    ) -> Bool {
        switch state {
        case .waiting, .allowed: true
        case .refused: records.household.answers[entry.name] != nil && answer(to: entry, ask) != no
        case .closed, .unrecognized: false
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
        guard let entry = heardRequests.ask(number, at: context.now), let ask = entry.heard.words.ask else {
            throw .noSuchAsk(number)
        }
        guard householdMember?.isGuardians ?? false else { throw .noGuardiansDevice }
        let state = state(of: entry, ask)
        var answer = answer
        if case .yes(let named) = answer {
            guard canBeAllowed(entry, state), let choice = named ?? ask.choices.first else { throw .noSuchAsk(number) }
            guard ask.choices.contains(choice) else { throw .notOffered(choice, for: number, offered: ask.choices) }
            answer = .yes(choice)
        } else {
            guard canBeRefused(entry, state, ask, answer) else { throw .noSuchAsk(number) }
        }
        makeRoomForAnswers(at: context.wallTime, &draft)
        heardRequests.refused(entry.name, "", at: context.now)
        record(.answerToAskSet(entry.name, self.answer(answer, to: entry, ask, &context)), &draft)
        draft.journal(
            .commandSent, by: context.peer,
            "\(answer.journalText) to \(text(of: entry))".cut(toByteCount: Limits.journalledDetailsByteCount))
        return .done
    }

    private func answer(
        _ answer: AskAnswer, to entry: HeardRequestBook.Entry, _ ask: HouseholdAsk, _ context: inout Context
    ) -> AnswerToAsk {
        var (expires, end) = (ask.until, context.wallTime.advanced(by: context.now.duration(to: entry.deadline)))
        // A yes for today expires at midnight; otherwise it could arrive tomorrow and allow that day.
        if answer.choice == .today {
            let midnight = context.zone.endOfDay(at: context.wallTime)
            (expires, end) = (min(expires, midnight), min(end, midnight))
        }
        return AnswerToAsk(
            command: HouseholdID(using: &context.random), nonce: ask.nonce, isAllowed: answer.isAllowed,
            word: answer.word, expires: expires, end: end)
    }

    /// `Mia's tablet: Share a photo, for mia`
    private func text(of entry: HeardRequestBook.Entry) -> String {
        let asked = entry.heard.words.asked
        let what = asked.title.isEmpty ? asked.gatedAction : asked.title
        return "\(nameOfDevice(entry.name.device)): \(what), for \(entry.heard.words.ask?.person ?? "")"
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

    /// The asking device has confirmed an answer, or refused it. A refusal is shown beside the ask, and journalled.
    mutating func answerToAskEnded(
        _ name: RequestName, command: HouseholdID, _ refusal: CommandResult.Refusal?, _ context: Context,
        _ draft: inout TransitionDraft
    ) {
        guard let given = records.household.answers[name], given.command == command else { return }
        record(.answerToAskRemoved(name), &draft)
        if let refusal {
            answerCountsForNothing(name, given, refusal.message, by: context.peer, at: context.now, &draft)
        } else if let answer = given.answer {
            heardRequests.confirmed(name, answer)
        }
    }

    private mutating func answerCountsForNothing(
        _ name: RequestName, _ given: AnswerToAsk, _ why: String, by peer: Peer?, at moment: BootTime,
        _ draft: inout TransitionDraft
    ) {
        heardRequests.refused(name, why, at: moment)
        let ask =
            heardRequests.asks.first { $0.name == name }.map(text(of:))
            ?? "\(nameOfDevice(name.device)): question \(name.number)"
        draft.journal(
            .commandSent, by: peer,
            "not taken: \(given.answer?.journalText ?? "yes") to \(ask): \(why)"
                .cut(toByteCount: Limits.journalledDetailsByteCount))
    }

    // MARK: - Ends by themselves

    /// When the first ask of another device is over, even if that device does not say so, or the first answer to one.
    var nextEndOfOthersAsk: BootTime? {
        let answers = records.household.answers
        guard !answers.isEmpty else { return householdBook.heard.nextAskEnd }
        return householdBook.heard.nextAskEnd.earlier(answers.values.map(\.end).min().map(bootTime(at:)))
    }

    mutating func endAsksOfOthers(at moment: BootTime, _ draft: inout TransitionDraft) {
        guard nextEndOfOthersAsk.map({ $0 <= moment }) ?? false else { return }
        _ = heardRequests.removed { $0.isAsk && $0.deadline <= moment }
        draft.becameVisible()
        let time = wallTime(at: moment)
        for (name, answer) in records.household.answers where answer.end <= time {
            record(.answerToAskRemoved(name), &draft)
            // All other answers end with their asks.
            guard answer.answer?.choice == .today, heardRequests.asks.contains(where: { $0.name == name }) else {
                continue
            }
            answerCountsForNothing(
                name, answer, "The day is over, and the device has not taken the answer.", by: nil, at: moment, &draft)
        }
    }
}

extension AskAnswer {
    fileprivate var choice: AskChoice? {
        switch self {
        case .yes(let choice): choice
        case .no, .notUntilTomorrow: nil
        }
    }

    fileprivate var journalText: String {
        switch self {
        case .yes(nil), .yes(.once): "yes"
        case .yes(let choice?): "yes (\(choice.text))"
        case .no: "no"
        case .notUntilTomorrow: "no (not until tomorrow)"
        }
    }
}

extension [Ask] {
    /// Both lists in one, by number.
    func merged(with others: [Ask]) -> [Ask] { others.isEmpty ? self : (self + others).sorted { $0.id < $1.id } }
}
