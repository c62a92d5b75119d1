import GateModel

/// Reads single values. If a value is wrong, these functions report why and return `nil`.
extension PolicyNode {
    func duration(
        of key: String, in range: ClosedRange<Duration>, _ problems: inout PolicyProblems
    ) -> Duration? {
        guard let text, let duration = Duration(textWithDays: text) else {
            problems.add(
                "'\(key)' is a duration like 90s, 15m or 1h30m (units d, h, m, s), not \(found).", kind: .value,
                at: place)
            return nil
        }
        guard range.contains(duration) else {
            problems.add(
                "'\(key)' is between \(range.lowerBound.textWithDays) and \(range.upperBound.textWithDays), "
                    + "not \(duration.textWithDays).", kind: .value,
                parameters: ["minimum": range.lowerBound.textWithDays, "maximum": range.upperBound.textWithDays],
                at: place)
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
                kind: .value,
                parameters: ["minimum": "\(range.lowerBound)", "maximum": "\(range.upperBound)"], at: place)
            return nil
        }
        return number
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ what: String, _ problems: inout PolicyProblems
    ) -> Word? {
        let words = Word.allCases.map(\.rawValue)
        guard let text else {
            problems.add(
                "Write a \(what) here (\(words.joined(separator: ", "))), not \(found).", kind: .structure, at: place)
            return nil
        }
        guard let word = Word(rawValue: text) else {
            problems.addUnknown(text, what, among: words, at: place)
            return nil
        }
        return word
    }

    /// Only `true` and `false`, not the other words that YAML 1.1 knew, like `yes`.
    func truth(of key: String, _ problems: inout PolicyProblems) -> Bool? {
        guard let text, let truth = Bool(text) else {
            problems.add("'\(key)' is true or false, not \(found).", kind: .value, at: place)
            return nil
        }
        return truth
    }

    /// A text in one line for people to read. It must not be blank.
    func line(of key: String, atMost length: Int, _ problems: inout PolicyProblems) -> String? {
        guard let text, !text.allSatisfy(\.isWhitespace) else {
            problems.add("'\(key)' is a text, not \(found).", kind: .value, at: place)
            return nil
        }
        guard text.count <= length else {
            problems.add(
                "'\(key)' has \(text.count) characters; at most \(length) are shown.", kind: .tooLong,
                parameters: ["maximum": "\(length)"], at: place)
            return nil
        }
        guard text.isSingleLine else {
            problems.add(
                "'\(key)' is one line, without control characters, invisible ones and marks that turn its direction.",
                kind: .value, at: place)
            return nil
        }
        return text
    }

    func filledList(of key: String, atMost count: Int, _ problems: inout PolicyProblems) -> [PolicyNode]? {
        guard let list = list(of: key, atMost: count, &problems) else { return nil }
        guard !list.isEmpty else {
            problems.add("'\(key)' has nothing in it.", kind: .required, at: place)
            return nil
        }
        return list
    }

    func list(of key: String, atMost count: Int, _ problems: inout PolicyProblems) -> [PolicyNode]? {
        guard case .list(let list) = content else {
            problems.add(
                "'\(key)' is a list like [one, two], not \(found).", kind: .structure, at: place)
            return nil
        }
        guard list.count <= count else {
            problems.add(
                "'\(key)' has \(list.count) entries; at most \(count) are read.", kind: .tooLong,
                parameters: ["maximum": "\(count)"], at: place)
            return nil
        }
        return list
    }
}
