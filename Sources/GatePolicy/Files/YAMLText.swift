import GateModel
import Yams

/// The text of a policy file → its tree. The only place that knows Yams.
///
/// All that Gate reads is plain YAML: no anchors, aliases or tags, no second document, no key twice.
struct YAMLText {
    let source: PolicySource

    /// - Returns: `nil` where the file holds nothing, or nothing that can be read.
    func tree(_ problems: inout PolicyProblems) -> PolicyNode? {
        guard let text = readableText(&problems) else { return nil }
        do {
            // Not the default resolver: it would take every scalar through six regular expressions, and read `no` as a
            // truth value. Not the default encoding: that asks the environment.
            let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
            guard let root = try parser.singleRoot() else { return nil }
            // The parser holds the anchors; nodes only refer to them.
            return withExtendedLifetime(parser) { node(root, depth: 0, &problems) }
        } catch let error as YamlError {
            problems.add(YAMLMistake(error, in: source).problem)
        } catch {
            problems.add(
                PolicyProblem(file: source.name, message: "The file can't be read: \(error).", kind: .security))
        }
        return nil
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
        guard aliasCandidates <= Self.toleratedAliases else {
            problems.add(
                PolicyProblem(
                    file: source.name, message: "\(source.kind.plural) have no aliases ('*name'). Write it out.",
                    kind: .notSupported))
            return nil
        }
        return source.text
    }

    /// A few aliases are found in the tree and reported there, with their place. Many of them in the keys of mappings would
    /// take the parser for ever: each level can double what it has to compare.
    private static let toleratedAliases = 16

    /// How many words with a star in front of them there are.
    private var aliasCandidates: Int {
        var count = 0
        var previous: UInt8 = 0x0a
        var isStar = false
        for byte in source.text.utf8 {
            if isStar, byte > 0x20, byte != UInt8(ascii: "*") { count += 1 }
            isStar = byte == UInt8(ascii: "*") && (previous <= 0x20 || "[{,".utf8.contains(previous))
            previous = byte
        }
        return count
    }

    // MARK: - The tree

    /// - Parameter outer: the key that it belongs to.
    private func node(
        _ node: Node, of outer: String? = nil, depth: Int, _ problems: inout PolicyProblems
    ) -> PolicyNode? {
        var place = place(node.mark)
        place.key = outer
        // An alias is the very node that it stands for, anchor and all: not going on here ends every repetition.
        guard node.anchor == nil else {
            problems.add(
                "\(source.kind.plural) have no anchors ('&name') and no aliases ('*name'). Write it out.",
                kind: .notSupported, at: place)
            return nil
        }
        guard depth < source.kind.nesting else {
            problems.add("\(source.kind.plural) are not nested this deeply.", kind: .notSupported, at: place)
            return nil
        }
        switch node {
        case .scalar(let scalar):
            guard isUntagged(scalar.tag, place, &problems) else { return nil }
            let isQuoted = scalar.style != .plain && scalar.style != .any
            return PolicyNode(place: place, content: .scalar(scalar.string, isQuoted: isQuoted))
        case .sequence(let sequence):
            guard isUntagged(sequence.tag, place, &problems) else { return nil }
            var list: [PolicyNode] = []
            for element in sequence {
                guard let element = self.node(element, of: outer, depth: depth + 1, &problems) else { continue }
                list.append(element)
            }
            return PolicyNode(place: place, content: .list(list))
        case .mapping(let mapping):
            guard isUntagged(mapping.tag, place, &problems) else { return nil }
            var entries: [PolicyNode.Entry] = []
            for (key, value) in mapping {
                guard var key = self.node(key, of: outer, depth: depth + 1, &problems) else { continue }
                guard case .scalar(let text, _) = key.content else {
                    problems.add("A key is a single word, not \(key.found).", kind: .structure, at: key.place)
                    continue
                }
                key.place.key = text
                guard let value = self.node(value, of: text, depth: depth + 1, &problems) else { continue }
                entries.append(PolicyNode.Entry(key: text, keyPlace: key.place, value: value))
            }
            return PolicyNode(place: place, content: .mapping(entries))
        case .alias:
            problems.add(
                "\(source.kind.plural) have no aliases ('*name'). Write it out.", kind: .notSupported, at: place)
            return nil
        }
    }

    private func isUntagged(_ tag: Tag, _ place: PolicyNode.Place, _ problems: inout PolicyProblems) -> Bool {
        // The parser itself gives a quoted scalar, and what is a key, the tag that it has anyway.
        guard ["", "!", Tag.Name.str.rawValue, Tag.Name.seq.rawValue, Tag.Name.map.rawValue].contains(tag.description)
        else {
            problems.add(
                "\(source.kind.plural) have no tags ('\(tag.description.shortened)'). Leave it out.",
                kind: .notSupported, at: place)
            return false
        }
        return true
    }

    private func place(_ mark: Mark?) -> PolicyNode.Place {
        PolicyNode.Place(file: source.name, line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}

extension Unicode.Scalar {
    /// Whether YAML calls it printable. Anything else would be refused by the parser, without its line.
    fileprivate var isAllowedInYAML: Bool {
        switch value {
        case 0x09, 0x0a, 0x0d, 0x20...0x7e, 0x85, 0xa0...0xd7ff, 0xe000...0xfefe, 0xff00...0xfffd, 0x1_0000...0x10_ffff:
            true
        default: false
        }
    }
}
