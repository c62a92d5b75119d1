package import GateModel

/// What a person or a file answers to `gatectl setup`. Whatever has no answer stays as it is on the device.
package struct SetupAnswers: Hashable, Sendable {
    package enum Role: Hashable, Sendable {
        case grownUp
        /// - Parameter born: `nil`: the date stays as it is, or is not known.
        case child(born: CivilDate?)
        /// Several people share this Unix user.
        case shared
        /// The user belongs to nobody of the family, and is not on the list of people.
        case nobody
    }

    /// The role of each Unix user, by its name.
    package var people: [String: Role]
    /// The file whose first line is the passcode; `nil`: it stays as it is.
    package var passcodeFile: String?
    /// Whether somebody is asked before a link from a child's program opens.
    package var links: Bool?
    /// Whether programs are installed only in parent mode.
    package var software: Bool?
    /// Whether the time that grown-ups allow is added to that of a child's session.
    package var time: Bool?
    /// Whether secrets are asked on Gate's own screen.
    package var screen: Bool?
    package var screenWord: ScreenWord?

    package init(
        people: [String: Role] = [:], passcodeFile: String? = nil, links: Bool? = nil, software: Bool? = nil,
        time: Bool? = nil, screen: Bool? = nil, screenWord: ScreenWord? = nil
    ) {
        self.people = people
        self.passcodeFile = passcodeFile
        self.links = links
        self.software = software
        self.time = time
        self.screen = screen
        self.screenWord = screenWord
    }
}

/// Reads the file that `gatectl setup --answers` takes, in YAML or JSON.
package enum SetupAnswersReader {
    /// The file may belong to anybody. `users`: the Unix users whose roles may be given. A date of birth after `today`
    /// is a mistake.
    ///
    /// - Throws: every mistake in the file, each with its line.
    package static func read(
        file path: String, users: [String], today: CivilDate
    ) throws(PolicyError) -> SetupAnswers {
        let sources = try PolicyDirectory.sources(files: [path], readAs: .policy)
        return try read(sources.first ?? PolicySource(name: path, text: ""), users: users, today: today)
    }

    static func read(
        _ source: PolicySource, users: [String], today: CivilDate
    ) throws(PolicyError) -> SetupAnswers {
        var reading = AnswersReading(users: users, today: today)
        var source = source
        source.readAs = .policy
        if let tree = YAMLText(source: source).tree(&reading.problems), !tree.isNothing { reading.read(tree) }
        guard reading.problems.isEmpty else {
            throw PolicyError(problems: reading.problems.sorted(orderOfFiles: [source.name]))
        }
        return reading.answers
    }
}

private struct AnswersReading {
    private enum RoleWord: String, CaseIterable {
        case grownUp = "grown-up"
        case child, shared, nobody
    }

    let users: [String]
    let today: CivilDate
    var answers = SetupAnswers()
    var problems = PolicyProblems()

    init(users: [String], today: CivilDate) {
        self.users = users
        self.today = today
    }

    mutating func read(_ tree: PolicyNode) {
        guard
            let fields = PolicyFields(
                tree, of: "the answers to gatectl setup",
                keys: ["people", "passcode-file", "links", "software", "time", "screen", "screen-word"], &problems)
        else { return }
        if let people = fields.section("people") { readPeople(people) }
        answers.passcodeFile = fields.section("passcode-file")?
            .line(of: "passcode-file", atMost: 4096, &problems)
        answers.links = fields.section("links")?.truth(of: "links", &problems)
        answers.software = fields.section("software")?.truth(of: "software", &problems)
        answers.time = fields.section("time")?.truth(of: "time", &problems)
        answers.screen = fields.section("screen")?.truth(of: "screen", &problems)
        if let word = fields.section("screen-word") { readWord(word) }
    }

    private mutating func readPeople(_ people: PolicyNode) {
        guard case .mapping(let entries) = people.content else {
            problems.add(
                "Write users of this device here, and who they are, like {mia: child}, not \(people.found).",
                kind: .structure, at: people.place)
            return
        }
        for entry in entries {
            guard users.contains(entry.key) else {
                problems.addUnknown(entry.key, "user of a person on this device", among: users, at: entry.keyPlace)
                continue
            }
            answers.people[entry.key] = role(entry.value)
        }
    }

    /// `child`, or `{child: 2015-03-02}` with the date of birth.
    private mutating func role(_ node: PolicyNode) -> SetupAnswers.Role? {
        if case .mapping = node.content {
            guard let fields = PolicyFields(node, of: "a person", keys: ["child"], &problems),
                let date = fields.value(needed: "child", "A person", &problems)
            else { return nil }
            guard let born = date.text.flatMap({ CivilDate($0) }), born <= today else {
                problems.add(
                    "A date of birth is a day that has been, like 2015-03-02, not \(date.found).", kind: .value,
                    at: date.place)
                return nil
            }
            return .child(born: born)
        }
        let word: RoleWord? = node.word("role", &problems)
        switch word {
        case .grownUp: return .grownUp
        case .child: return .child(born: nil)
        case .shared: return .shared
        case .nobody: return .nobody
        case nil: return nil
        }
    }

    private mutating func readWord(_ node: PolicyNode) {
        do throws(ScreenWord.Problem) {
            answers.screenWord = try ScreenWord(node.text ?? "")
        } catch {
            let message =
                switch error {
                case .length: "A word for the screen has 2 to 40 characters."
                case .hidden: "The word has characters that nobody sees. Choose another one."
                }
            problems.add(message, kind: .value, at: node.place)
        }
    }
}
