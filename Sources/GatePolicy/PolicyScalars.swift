import GateModel

/// What a single value can be. Each reports what is wrong, and returns `nil` then.
extension PolicyNode {
    func duration(
        of key: String, in range: ClosedRange<Duration>, _ problems: inout PolicyProblems
    ) -> Duration? {
        guard let text, let duration = Duration(shortText: text) else {
            problems.add(
                "'\(key)' is a duration like 90s, 15m or 1h30m (units h, m, s), not \(found).", at: place)
            return nil
        }
        guard range.contains(duration) else {
            problems.add(
                "'\(key)' is between \(range.lowerBound.shortText) and \(range.upperBound.shortText), "
                    + "not \(duration.shortText).", at: place)
            return nil
        }
        return duration
    }

    func number(of key: String, in range: ClosedRange<Int>, _ problems: inout PolicyProblems) -> Int? {
        guard let text, let number = Int(wholeNumber: text),
            range.contains(number)
        else {
            problems.add(
                "'\(key)' is a whole number between \(range.lowerBound) and \(range.upperBound), not \(found).",
                at: place)
            return nil
        }
        return number
    }

    /// One of the words of an enumeration.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ what: String, _ problems: inout PolicyProblems
    ) -> Word? {
        let words = Word.allCases.map(\.rawValue)
        guard let text else {
            problems.add("Here comes a \(what) (\(words.joined(separator: ", "))), not \(found).", at: place)
            return nil
        }
        guard let word = Word(rawValue: text) else {
            problems.addUnknown(text, what, among: words, at: place)
            return nil
        }
        return word
    }

    /// One line that a person reads.
    func line(of key: String, atMost length: Int, _ problems: inout PolicyProblems) -> String? {
        guard let text, !text.allSatisfy(\.isWhitespace) else {
            problems.add("'\(key)' is a text, not \(found).", at: place)
            return nil
        }
        guard text.count <= length else {
            problems.add("'\(key)' has \(text.count) characters; at most \(length) are shown.", at: place)
            return nil
        }
        guard !text.unicodeScalars.contains(where: \.isInvisible) else {
            problems.add(
                "'\(key)' is one line, without control characters and without marks that turn its direction.", at: place
            )
            return nil
        }
        return text
    }

    func list(of key: String, atMost count: Int, _ problems: inout PolicyProblems) -> [PolicyNode]? {
        guard case .list(let list) = content else {
            problems.add("'\(key)' is a list like [one, two], not \(found).", at: place)
            return nil
        }
        guard list.count <= count else {
            problems.add("'\(key)' has \(list.count) entries; at most \(count) are read.", at: place)
            return nil
        }
        return list
    }
}

extension Int {
    /// Digits alone: no sign, no underscore, no other base.
    init?(wholeNumber text: some StringProtocol) {
        guard text.allSatisfy({ $0.isASCII && $0.isWholeNumber }) else { return nil }
        self.init(text)
    }
}
