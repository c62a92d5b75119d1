import GateCore
import GateModel

/// What is wrong with a script, and where.
public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    public var line: Int
    public var message: String

    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    public var description: String { "line \(line): \(message)" }
}

extension Script {
    /// Reads a script. Paragraphs are separated by blank lines; one with a line `----` is dialogue: commands above it,
    /// what they print below. Lines that begin with `#` are comments. Before the first dialogue, lines say what the
    /// world is like:
    ///
    ///     people anna 1001, ben 1002, root 0 administrator
    ///     seed 7
    ///     sells monthly premium, yearly premium
    ///     challenge arithmetic-entry
    ///
    /// A paragraph that begins with `policy` or `questions` is what that file says; `challenge` is short for a policy with
    /// nothing else in it.
    public init(parsing text: String) throws(ScriptError) {
        var world = ScriptWorld.ordinary
        var paragraphs: [Paragraph] = []
        for (start, lines) in Script.split(text) {
            if let rule = lines.firstIndex(of: "----") {
                let source = Array(lines[..<rule])
                let commands = try Script.commands(source, from: start, in: world)
                let expected = Array(lines[(rule + 1)...])
                paragraphs.append(
                    .dialogue(Exchange(line: start, source: source, commands: commands, expected: expected)))
                continue
            }
            if let text = Script.file(lines, "policy") {
                world.policy = text
                paragraphs.append(.prose(lines))
                continue
            }
            if let text = Script.file(lines, "questions") {
                world.questions = text
                paragraphs.append(.prose(lines))
                continue
            }
            for (offset, line) in lines.enumerated() where !line.hasPrefix("#") {
                let hasBegun = paragraphs.contains { if case .dialogue = $0 { true } else { false } }
                guard !hasBegun else {
                    throw ScriptError(line: start, message: "no line \"----\" between what is done and what is said")
                }
                try world.read(line, at: start + offset)
            }
            paragraphs.append(.prose(lines))
        }
        self.init(world: world, paragraphs: paragraphs)
    }

    /// Paragraphs with the number of their first line.
    private static func split(_ text: String) -> [(start: Int, lines: [String])] {
        var paragraphs: [(start: Int, lines: [String])] = []
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let isOfFile = isInside && ["policy", "questions"].contains(paragraphs[paragraphs.count - 1].lines[0])
            let line = isOfFile ? String(line) : line.trimmed
            if line.isEmpty {
                isInside = false
            } else if isInside {
                paragraphs[paragraphs.count - 1].lines.append(line)
            } else {
                paragraphs.append((index + 1, [line]))
                isInside = true
            }
        }
        return paragraphs
    }

    /// The text of a paragraph that is a file; `nil`: it is none.
    private static func file(_ lines: [String], _ name: String) -> String? {
        lines.first == name ? lines.dropFirst().joined(separator: "\n") + "\n" : nil
    }

    private static func commands(
        _ source: [String], from start: Int, in world: ScriptWorld
    ) throws(ScriptError) -> [ScriptCommand] {
        var commands: [ScriptCommand] = []
        for (offset, line) in source.enumerated() where !line.hasPrefix("#") {
            var words = ScriptWords(line, at: start + offset, in: world)
            commands.append(try words.command())
        }
        guard !commands.isEmpty else {
            throw ScriptError(line: start, message: "nothing is done above the line \"----\"")
        }
        return commands
    }
}

extension ScriptWorld {
    /// Takes over one line that says what the world is like.
    fileprivate mutating func read(_ line: String, at number: Int) throws(ScriptError) {
        let words = line.split(separator: " ").map(String.init)
        let rest = line.dropFirst(words[0].count).trimmed
        switch words[0] {
        case "people":
            people = []
            for description in rest.split(separator: ",") {
                people.append(try ScriptWorld.person(description.trimmed, at: number))
            }
        case "seed":
            guard let seed = UInt64(rest) else {
                throw ScriptError(line: number, message: "a seed is a whole number, not \"\(rest)\"")
            }
            self.seed = seed
        case "sells":
            for description in rest.split(separator: ",").map(\.trimmed) {
                let words = description.split(separator: " ").map(String.init)
                guard words.count == 2 else {
                    throw ScriptError(
                        line: number, message: "\"\(description)\" is no product: give its name and an entitlement")
                }
                products[words[0]] = words[1]
            }
        case "challenge":
            guard let kind = Challenge.Kind(rawValue: rest) else {
                let known = Challenge.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw ScriptError(line: number, message: "no challenge is called \"\(rest)\"; there are: \(known)")
            }
            policy = ScriptWorld.policy(asking: kind)
        default:
            throw ScriptError(
                line: number,
                message:
                    "before the first dialogue come people, seed, sells, challenge, policy and questions, not \"\(words[0])\""
            )
        }
    }

    private static func person(_ description: String, at number: Int) throws(ScriptError) -> Person {
        let words = description.split(separator: " ").map(String.init)
        guard words.count >= 2, let uid = UInt32(words[1]) else {
            throw ScriptError(
                line: number, message: "\"\(description)\" is nobody: give a name, a number, and perhaps a role")
        }
        var roles = Roles.app
        for role in words.dropFirst(2) {
            switch role {
            case "administrator": roles.formUnion([.administrator, .presenter, .grownUpPresenter])
            case "presenter": roles.insert(.presenter)
            case "provider": roles.insert(.provider)
            case "grown-up-presenter": roles.formUnion([.presenter, .grownUpPresenter])
            default:
                throw ScriptError(
                    line: number,
                    message: "a role is administrator, presenter, grown-up-presenter or provider, not \"\(role)\"")
            }
        }
        return Person(name: words[0], uid: uid, roles: roles)
    }
}

extension StringProtocol {
    /// Without blanks at either end.
    var trimmed: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" || character == "\r" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
