import GateCore
import GateModel

/// A mistake in a script, and its place.
public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
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
    ///     forms consent, motor-insurance
    ///     notes org.example.draw
    ///     challenge arithmetic-entry
    ///
    /// A paragraph that begins with `policy`, `questions`, `form NAME` or `release-notes APP` is what that file says;
    /// `challenge` is short for a policy with nothing else in it. After the first dialogue, it is what the file says
    /// from the next `reload` on. One that begins with `response NAME` is a response that forms are filled from.
    ///
    /// - Parameter example: the text of an example that is installed, by its path: `forms consent` reads
    ///   `questionnaires.d/consent.yaml`. `nil`: there is none.
    public init(parsing text: String, example: (String) -> String? = { _ in nil }) throws(ScriptError) {
        var world = ScriptWorld.ordinary
        // As it is from the next reload on.
        var later: (world: ScriptWorld, line: Int)?
        var paragraphs: [Paragraph] = []
        var hasBegun = false
        for (start, lines) in Script.split(text) {
            if let rule = lines.firstIndex(of: "----") {
                let source = Array(lines[..<rule])
                let commands = try Script.commands(source, from: start, in: later?.world ?? world)
                if commands.contains(where: \.isReload), let changed = later?.world {
                    later = (changed, 0)
                }
                let expected = Array(lines[(rule + 1)...])
                paragraphs.append(
                    .dialogue(Exchange(line: start, source: source, commands: commands, expected: expected)))
                hasBegun = true
                continue
            }
            if let heading = ScriptHeading(lines[0]) {
                let text = lines.dropFirst().joined(separator: "\n") + "\n"
                if hasBegun, !heading.isForScriptAlone {
                    var changed = later?.world ?? world
                    changed.take(text, under: heading)
                    later = (changed, start)
                } else {
                    world.take(text, under: heading)
                    later?.world.take(text, under: heading)
                }
            } else {
                for (offset, line) in lines.enumerated() where !line.hasPrefix("#") {
                    guard !hasBegun else {
                        throw ScriptError(
                            line: start, message: "no line \"----\" between what is done and what is said")
                    }
                    try world.read(line, at: start + offset, example)
                }
            }
            paragraphs.append(.prose(lines))
        }
        if let later, later.line > 0 {
            throw ScriptError(line: later.line, message: "nothing reads this: it takes a `reload` after it")
        }
        self.init(world: world, paragraphs: paragraphs)
    }

    /// Paragraphs with the number of their first line.
    private static func split(_ text: String) -> [(start: Int, lines: [String])] {
        var paragraphs: [(start: Int, lines: [String])] = []
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let isOfFile = isInside && ScriptHeading(paragraphs[paragraphs.count - 1].lines[0]) != nil
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
    fileprivate mutating func read(
        _ line: String, at number: Int, _ example: (String) -> String?
    ) throws(ScriptError) {
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
        case "forms", "notes":
            let folder = words[0] == "forms" ? "questionnaires.d" : "release-notes.d"
            for name in rest.split(separator: ",").map(\.trimmed) {
                let path = "\(folder)/\(name).yaml"
                guard let text = example(path) else {
                    throw ScriptError(line: number, message: "there is no example \(path)")
                }
                files[path] = text
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
                    "before the first dialogue come people, seed, sells, challenge, forms, notes, policy, questions, "
                    + "form, release-notes and response, not \"\(words[0])\""
            )
        }
    }

    private static func person(_ description: String, at number: Int) throws(ScriptError) -> Person {
        let words = description.split(separator: " ").map(String.init)
        guard words.count >= 2, let uid = UInt32(words[1]) else {
            throw ScriptError(
                line: number, message: "\"\(description)\" is nobody: give a name, a number, and perhaps a role")
        }
        var owner: Owner?
        var rest = words.dropFirst(2)
        if rest.first == "of" {
            let whose = rest.dropFirst().first ?? ""
            owner = whose == "nobody" ? .withoutAccount : UInt32(whose).map { .user($0) }
            guard owner != nil else {
                throw ScriptError(
                    line: number, message: "after \"of\" comes a user's number, or nobody, not \"\(whose)\"")
            }
            rest = rest.dropFirst(2)
        }
        var roles = Roles.app
        for role in rest {
            switch role {
            case "administrator": roles.formUnion([.administrator, .presenter, .grownUpPresenter])
            case "presenter": roles.insert(.presenter)
            case "provider": roles.insert(.provider)
            case "broker": roles.insert(.broker)
            case "timekeeper": roles.insert(.timekeeper)
            case "grown-up-presenter": roles.formUnion([.presenter, .grownUpPresenter])
            default:
                throw ScriptError(
                    line: number,
                    message: "a role is administrator, presenter, grown-up-presenter, provider, broker or timekeeper, "
                        + "not \"\(role)\"")
            }
        }
        return Person(name: words[0], uid: uid, owner: owner, roles: roles)
    }
}

extension StringProtocol {
    /// Without blanks at either end.
    var trimmed: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" || character == "\r" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
