import GateModel

/// Reads which challenge is asked: a kind, a kind with settings, or one of these for each band of ages.
extension PolicyDraft {
    mutating func challengeRule(_ node: PolicyNode) -> ChallengeRule? {
        if case .mapping(let entries) = node.content, let ages = entries.first(where: { $0.key == "ages" }) {
            for entry in entries where entry.key != "ages" {
                problems.add(
                    "'\(entry.key.shortened)' belongs to a single challenge. Move it into the bands of 'ages'.",
                    kind: .structure, at: entry.keyPlace)
            }
            return bands(ages.value).map { ChallengeRule(bands: $0) }
        }
        return specification(node).map { ChallengeRule($0) }
    }

    private mutating func specification(_ node: PolicyNode) -> ChallengeSpecification? {
        let specification: ChallengeSpecification?
        if case .mapping = node.content {
            specification = detailed(node)
        } else {
            specification = node.word("kind of challenge", &problems).map { ChallengeSpecification($0) }
        }
        if specification?.kind == .quiz { quizzes.append((node.place, layer)) }
        if let specification, specification.kind == .hold {
            holds.append((node.place, layer, specification.holdDuration))
        }
        return specification
    }

    private mutating func detailed(_ node: PolicyNode) -> ChallengeSpecification? {
        let keys = ["kind", "difficulty", "answered-by", "minimum-age", "calendar", "hold", "may-wait", "choices"]
        guard let fields = PolicyFields(node, of: "a challenge", keys: keys, &problems),
            let value = fields.value(needed: "kind", "A challenge", &problems),
            let kind: Challenge.Kind = value.word("kind of challenge", &problems)
        else { return nil }
        for key in keys {
            guard let value = fields.value(key), !kind.takes(key) else { continue }
            let kinds = Challenge.Kind.allCases.filter { $0.takes(key) }.map(\.rawValue).joined(separator: ", ")
            problems.add(
                "'\(key)' is not used by '\(kind.rawValue)', only by \(kinds). Remove it.", kind: .structure,
                at: value.place)
        }
        var specification = ChallengeSpecification(kind)
        if let word: ChallengeSpecification.Difficulty = fields.value("difficulty")?.word("difficulty", &problems) {
            specification.difficulty = word
        }
        if let node = fields.value("answered-by"),
            let word: ChallengeSpecification.AnsweredBy = node.word("word for who answers", &problems)
        {
            specification.answeredBy = word
        }
        if let age = fields.value("minimum-age")?.number(of: "minimum-age", in: PolicyLimits.minimumAge, &problems) {
            specification.minimumAge = age
        }
        if let word: BirthdateCalendar = fields.value("calendar")?.word("calendar", &problems) {
            specification.calendar = word
        }
        if let duration = fields.value("hold")?.duration(of: "hold", in: PolicyLimits.hold, &problems) {
            specification.holdDuration = duration
        }
        if let value = fields.value("may-wait"), kind.takes("may-wait") {
            readMayWait(value, into: &specification)
        }
        if let value = fields.value("choices"), kind.takes("choices") {
            guard fields.value("may-wait") != nil else {
                problems.add(
                    "Only a question that waits has choices. Add 'may-wait: 3d', or remove 'choices'.",
                    kind: .businessRule, at: value.place)
                return specification
            }
            if let choices = choices(value) { specification.choices = choices }
        }
        return specification
    }

    /// Reads how long a question waits for a grown-up, even after its call has ended. Only a mere yes can wait: a
    /// secret is typed for what is asked at this moment, and any other question may be answered by the program that
    /// asks.
    private mutating func readMayWait(_ node: PolicyNode, into specification: inout ChallengeSpecification) {
        guard specification.answeredBy == .grownUp else {
            problems.add(
                "Only a question for grown-ups can wait for its answer. Add 'answered-by: grown-up', or remove "
                    + "'may-wait'.",
                kind: .businessRule, at: node.place)
            return
        }
        specification.mayWait = node.duration(of: "may-wait", in: PolicyLimits.mayWait, &problems)
        specification.choices = AskChoice.usual
        waits.append(node.place)
    }

    /// Reads the choices for a grown-up's yes to a question that waits.
    private mutating func choices(_ node: PolicyNode) -> [AskChoice]? {
        guard let list = node.filledList(of: "choices", atMost: PolicyLimits.choices, &problems) else { return nil }
        var choices: [AskChoice] = []
        for entry in list {
            guard let choice = choice(entry) else { return nil }
            guard !choices.contains(choice) else {
                problems.add(
                    "'\((entry.text ?? "").shortened)' is one of the choices already. Remove it here or there.",
                    kind: .businessRule, at: entry.place)
                return nil
            }
            choices.append(choice)
        }
        guard choices != [.thisSite] else {
            problems.add(
                "'this-site' is offered for links only, so nobody could say yes to anything else. Add another choice, "
                    + "like once.", kind: .businessRule, at: node.place)
            return nil
        }
        return choices
    }

    private mutating func choice(_ node: PolicyNode) -> AskChoice? {
        if let text = node.text, let choice = AskChoice.named.first(where: { $0.text == text }) { return choice }
        guard let text = node.text, Duration(textWithDays: text) != nil else {
            problems.add(
                "A choice is \(AskChoice.named.map(\.text).joined(separator: ", ")) or an amount of time like 30m, not "
                    + "\(node.found).", kind: .value, at: node.place)
            return nil
        }
        return node.duration(of: "choices", in: PolicyLimits.choiceTime, &problems).map { .time($0) }
    }

    // MARK: - Ages

    private mutating func bands(_ node: PolicyNode) -> [ChallengeRule.Band]? {
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
            problems.add(
                "'ages' are bands with a challenge each, like {0-8: arithmetic-choice, 9+: passcode}.",
                kind: .structure, at: node.place)
            return nil
        }
        let before = problems.found.count
        var bands: [(place: PolicyNode.Place, name: String, band: ChallengeRule.Band)] = []
        for entry in entries {
            guard let ages = AgeBand(entry.key)?.ages else {
                problems.add(
                    "'\(entry.key.shortened)' is no band of ages. Write 0-8 for from 0 to 8 years, 12+ for 12 years and "
                        + "older; nobody is older than \(ChallengeRule.maximumAge).", kind: .value, at: entry.keyPlace)
                continue
            }
            guard let challenge = specification(entry.value) else { continue }
            bands.append((entry.keyPlace, entry.key, ChallengeRule.Band(ages: ages, challenge: challenge)))
        }
        // If one band is missing, the others would be reported as not fitting together.
        guard problems.found.count == before else { return nil }
        bands.sort { $0.band.ages.lowerBound < $1.band.ages.lowerBound }
        var next = 0
        for (place, name, band) in bands {
            if band.ages.lowerBound > next {
                problems.add(
                    "The ages before '\(name)' have no challenge: \(Self.years(next, band.ages.lowerBound - 1)). Add a band.",
                    kind: .required, at: place)
            } else if band.ages.lowerBound < next {
                problems.add(
                    "'\(name)' overlaps with another band: \(Self.years(band.ages.lowerBound, next - 1)). Change one of them.",
                    kind: .businessRule, at: place)
            }
            next = max(next, band.ages.upperBound + 1)
        }
        if next <= ChallengeRule.maximumAge, let last = bands.last {
            problems.add(
                "There is no band for those who are \(next) or older. Write the last band as "
                    + "\(last.band.ages.lowerBound)+.", kind: .required, at: last.place)
        }
        return problems.found.count == before ? bands.map(\.band) : nil
    }

    private static func years(_ first: Int, _ last: Int) -> String {
        first == last ? "\(first) years" : "\(first) to \(last) years"
    }
}

/// A band of ages as the policy writes it: `0-8`, `12+`.
private struct AgeBand {
    let ages: ClosedRange<Int>

    init?(_ text: String) {
        let bounds: [Int?]
        if text.hasSuffix("+") {
            bounds = [Int(wholeNumber: text.dropLast()), ChallengeRule.maximumAge]
        } else {
            bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int(wholeNumber: $0) }
        }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last,
            last <= ChallengeRule.maximumAge
        else { return nil }
        ages = first...last
    }
}

extension Challenge.Kind {
    fileprivate func takes(_ key: String) -> Bool {
        switch key {
        case "difficulty": settings == .difficulty
        case "minimum-age", "calendar": settings == .minimumAge
        case "hold": settings == .duration
        case "may-wait", "choices": self == .confirm
        default: true
        }
    }
}
