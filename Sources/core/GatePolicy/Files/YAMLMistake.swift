import GateModel

/// Says in words for people who know nothing of parsers why a text is not YAML.
struct YAMLMistake {
    let problem: PolicyProblem

    init(_ fault: YAMLFault, in source: PolicySource) {
        func problem(_ message: String, _ mark: YAMLEvents.Mark? = nil) -> PolicyProblem {
            PolicyProblem(file: source.name, line: mark?.line, column: mark?.column, message: message, kind: .structure)
        }
        self.problem =
            switch fault {
            case .syntax(let text, let mark, let context):
                problem(Self.sentence(text, context, mark, in: source), mark)
            case .duplicateKey(let key, let first):
                Self.duplicate(key, firstAt: first, in: source)
            case .secondDocument(let mark):
                problem("Each file is one document. Delete the '---' and what follows, or make a file of it.", mark)
            case .tooDeep(let mark):
                problem("\(source.kind.plural) are not nested this deeply.", mark)
            case .unreadable(let text): problem("The file can't be read: \(text).")
            case .notEnoughMemory: problem("The file can't be read: there is not enough memory.")
            }
    }

    private static func sentence(
        _ text: String, _ context: YAMLFault.Context?, _ mark: YAMLEvents.Mark, in source: PolicySource
    ) -> String {
        if character(at: mark, in: source) == "\t" {
            return "There is a tab here. Indent with spaces."
        }
        var sentence = "This is not YAML: \(text)"
        // The beginning tells more than the place of the error if somebody forgot to close a quote or a bracket.
        if let context, context.mark.line != mark.line, context.mark.line > 0 {
            sentence += ", \(context.text) that begins in line \(context.mark.line)"
        }
        return "\(sentence). \(hint(text))"
    }

    private static func hint(_ text: String) -> String {
        if text.contains("mapping values are not allowed") {
            return "Is this line indented too far? If a text has a colon in it, put the text in quotes."
        }
        if text.contains("expected key") || text.contains("expected '-'") || text.contains("expected <block end>") {
            return "Lines that belong together have to begin in the same column."
        }
        if text.contains("expected ':'") {
            return "Is a colon missing, with a space after it?"
        }
        if text.contains("end of stream") || text.contains("']'") || text.contains("'}'") {
            return "Is a quote or a bracket missing?"
        }
        if text.contains("cannot start any token") {
            return "Put a text that begins with such a character in quotes."
        }
        return "Look at this line and the one above."
    }

    private static func character(at mark: YAMLEvents.Mark, in source: PolicySource) -> Character? {
        let lines = source.lines
        guard lines.indices.contains(mark.line - 1) else { return nil }
        return lines[mark.line - 1].dropFirst(mark.column - 1).first
    }

    /// The parser reports where the first of the keys is. People also want to know where the second is.
    private static func duplicate(_ key: String, firstAt first: YAMLEvents.Mark, in source: PolicySource)
        -> PolicyProblem
    {
        let message = "The key '\(key.shortened)' is there twice"
        for (index, line) in source.lines.enumerated().dropFirst(first.line) {
            let (before, rest) = (line.prefix(first.column - 1), line.dropFirst(first.column - 1))
            let afterKey = rest.dropFirst(key.count).drop { $0 == " " }
            if before.allSatisfy({ $0 == " " }), rest.hasPrefix(key), afterKey.hasPrefix(":") {
                return PolicyProblem(
                    file: source.name, line: index + 1, column: first.column,
                    message: "\(message). The first is in line \(first.line). Keep one of them.", kind: .duplicate)
            }
        }
        return PolicyProblem(
            file: source.name, line: first.line, column: first.column, message: "\(message). Keep one of them.",
            kind: .duplicate)
    }
}
