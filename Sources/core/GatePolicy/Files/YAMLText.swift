import GateModel

/// Reads the text of a policy file as a tree.
///
/// All files that Gate reads are simple YAML: one document without anchors and aliases, with no key twice, and with no
/// tags except those that change nothing, like `!!str` before a text.
struct YAMLText {
    let source: PolicySource

    /// - Returns: `nil` if the file is empty, or can't be read.
    func tree(_ problems: inout PolicyProblems) -> PolicyNode? {
        guard var text = readableText(&problems) else { return nil }
        let result = text.withUTF8 { bytes in
            Result { () throws(YAMLFault) in
                var reading = Reading(source: source, events: YAMLEvents(bytes))
                let root = try reading.document()
                return (root: root, problems: reading.problems)
            }
        }
        switch result {
        case .success(let reading):
            for problem in reading.problems.found { problems.add(problem) }
            return reading.root
        case .failure(let fault):
            problems.add(YAMLMistake(fault, in: source).problem)
            return nil
        }
    }

    // MARK: - Before parsing

    private func readableText(_ problems: inout PolicyProblems) -> String? {
        guard source.text.utf8.count <= source.kind.limit.bytes else {
            let limit = source.kind.limit
            problems.add(
                PolicyProblem(
                    file: source.name, message: limit.message, kind: .tooLong,
                    parameters: ["maximum": "\(limit.bytes)"]))
            return nil
        }
        var (line, column) = (1, 1)
        for scalar in source.text.unicodeScalars {
            guard scalar == "\u{FEFF}" && line == 1 && column == 1 || scalar.isAllowedInYAML else {
                problems.add(
                    "There is a character here that no text has (U+\(String(scalar.value, radix: 16, uppercase: true))). "
                        + "Delete it.", kind: .structure, at: .init(file: source.name, line: line, column: column))
                return nil
            }
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        return source.text
    }
}

/// The reading of one text, from its first event to its last.
private struct Reading {
    let source: PolicySource
    let events: YAMLEvents
    /// Problems in a text that is YAML. They are dropped if the text turns out not to be.
    var problems = PolicyProblems()
    /// The names of the anchors so far. An alias of one of these needs no report of its own.
    private var anchors: Set<String> = []

    init(source: PolicySource, events: YAMLEvents) {
        (self.source, self.events) = (source, events)
    }

    mutating func document() throws(YAMLFault) -> PolicyNode? {
        _ = try events.next()  // the start of the stream
        guard try events.next().kind == .documentStart else { return nil }
        let root = try node(events.next(), depth: 0)
        _ = try events.next()  // the end of the document
        let next = try events.next()
        guard next.kind == .streamEnd else { throw .secondDocument(next.mark) }
        return root
    }

    /// - Parameter outer: the nearest key around the node.
    private mutating func node(
        _ event: YAMLEvents.Event, of outer: String? = nil, depth: Int
    ) throws(YAMLFault) -> PolicyNode? {
        let place = PolicyNode.Place(
            file: source.name, line: event.mark.line, column: event.mark.column, key: outer)
        guard isPlain(event, depth: depth, at: place) else {
            try events.skip(event)
            return nil
        }
        switch event.kind {
        case .scalar(let text, let isQuoted):
            // With a tag, `~` and `null` are words like any other.
            return PolicyNode(place: place, content: .scalar(text, isQuoted: isQuoted || event.tag != nil))
        case .listStart:
            return PolicyNode(place: place, content: .list(try list(of: outer, depth: depth)))
        case .mappingStart:
            return PolicyNode(place: place, content: .mapping(try entries(of: outer, depth: depth)))
        case .alias, .streamStart, .streamEnd, .documentStart, .documentEnd, .end:
            return nil
        }
    }

    private mutating func list(of outer: String?, depth: Int) throws(YAMLFault) -> [PolicyNode] {
        var list: [PolicyNode] = []
        while let event = try events.nextInside() {
            if let element = try node(event, of: outer, depth: depth + 1) { list.append(element) }
        }
        return list
    }

    private mutating func entries(of outer: String?, depth: Int) throws(YAMLFault) -> [PolicyNode.Entry] {
        var entries: [PolicyNode.Entry] = []
        var marks: [String: YAMLEvents.Mark] = [:]
        var twice: Set<String> = []
        while let event = try events.nextInside() {
            if case .scalar(let text, _) = event.kind {
                if marks[text] != nil { twice.insert(text) } else { marks[text] = event.mark }
            }
            let key = try node(event, of: outer, depth: depth + 1)
            let value = try events.next()
            guard let key, case .scalar(let text, _) = key.content else {
                if let key {
                    problems.add("A key is a single word, not \(key.found).", kind: .structure, at: key.place)
                }
                try events.skip(value)
                continue
            }
            var keyPlace = key.place
            keyPlace.key = text
            guard let value = try node(value, of: text, depth: depth + 1) else { continue }
            entries.append(PolicyNode.Entry(key: text, keyPlace: keyPlace, value: value))
        }
        if let key = twice.min(), let first = marks[key] { throw .duplicateKey(key, firstAt: first) }
        return entries
    }

    /// Whether the event uses only the YAML that Gate reads. If not, reports a problem, except for an alias of an
    /// anchor that was reported itself.
    private mutating func isPlain(_ event: YAMLEvents.Event, depth: Int, at place: PolicyNode.Place) -> Bool {
        if case .alias(let name) = event.kind {
            guard !anchors.contains(name) else { return false }
            problems.add(
                "\(source.kind.plural) have no aliases ('*name'). Write it out, or put it in quotes.",
                kind: .notSupported, at: place)
            return false
        }
        if let anchor = event.anchor {
            anchors.insert(anchor)
            problems.add(
                "\(source.kind.plural) have no anchors ('&name') and no aliases ('*name'). Write it out.",
                kind: .notSupported, at: place)
            return false
        }
        guard depth < source.kind.nesting else {
            problems.add("\(source.kind.plural) are not nested this deeply.", kind: .notSupported, at: place)
            return false
        }
        guard Self.isHarmless(event.tag ?? "", before: event.kind) else {
            problems.add(
                "\(source.kind.plural) have no tags ('\((event.tag ?? "").shortened)'). Leave it out.",
                kind: .notSupported, at: place)
            return false
        }
        return true
    }

    /// Whether the tag says what the value is anyway: `!!str` before a text, `!!seq` a list, `!!map` a mapping.
    private static func isHarmless(_ tag: String, before kind: YAMLEvents.Event.Kind) -> Bool {
        if tag.isEmpty || tag == "!" { return true }
        return switch kind {
        case .scalar: tag == "tag:yaml.org,2002:str"
        case .listStart: tag == "tag:yaml.org,2002:seq"
        case .mappingStart: tag == "tag:yaml.org,2002:map"
        case .alias, .streamStart, .streamEnd, .documentStart, .documentEnd, .end: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether YAML calls the character printable. The parser would refuse any other one without giving its line.
    fileprivate var isAllowedInYAML: Bool {
        switch value {
        case 0x09, 0x0a, 0x0d, 0x20...0x7e, 0x85, 0xa0...0xd7ff, 0xe000...0xfefe, 0xff00...0xfffd, 0x1_0000...0x10_ffff:
            true
        default: false
        }
    }
}
