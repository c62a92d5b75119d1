import GateModel
import GateTexts

/// The answers, for people (F-33): an item a line, as in the form.
struct FormListing {
    let walk: FormWalk

    init(_ questionnaire: Questionnaire, _ response: QuestionnaireResponse) {
        walk = FormWalk(questionnaire, response, hidden: .included)
    }

    init(_ walk: FormWalk) {
        self.walk = walk
    }

    /// - Parameter showsPaths: for who is going to `set` them.
    func lines(showsPaths: Bool = true) -> [String] {
        walk.stops.compactMap { Self.line($0, showsPaths: showsPaths) }
    }

    /// The same for who fills the form in: each question with its number.
    var numberedLines: [String] {
        let width = "\(walk.questionCount)".count
        return walk.stops.compactMap { stop in
            guard let line = Self.line(stop, showsPaths: false) else { return nil }
            guard case .question(let question) = stop else { return String(repeating: " ", count: width + 2) + line }
            let number = "\(question.number)"
            return String(repeating: " ", count: width - number.count) + number + "  " + line
        }
    }

    /// The lines of a question's answers, or of a group's content. Where the path leaves a place out, and
    /// there are several, all of them.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) where there is no such item, or it is disabled now.
    func lines(at path: FormPath) throws(GateError) -> [String] {
        let questions = walk.questions.filter { $0.path.isNamed(by: path) }
        if !questions.isEmpty {
            return questions.flatMap { question in
                question.values.map { FormValueText.shown($0, of: question.item) }
            }
        }
        var lines: [String] = []
        var isFound = false
        var groupDepth: Int?
        for stop in walk.stops {
            if let depth = stop.depth, let group = groupDepth, depth <= group { groupDepth = nil }
            if case .section(let section) = stop, groupDepth == nil, section.path.isNamed(by: path) {
                groupDepth = section.depth
                isFound = true
            }
            if groupDepth != nil, let line = Self.line(stop, showsPaths: true) { lines.append(line) }
        }
        guard isFound else {
            throw GateError(
                .notFound, .unknown,
                saying: localized(
                    "There is no '{path}' in this form now. `gatectl form get NAME` has the paths of all that can be answered.",
                    ["path": "\(path)"])
            )
        }
        return lines
    }

    /// The answers to one question, with their types.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) where there is no such question, or it is disabled now; `INVALID_ARGUMENT` where
    ///   there are several.
    func values(at path: FormPath) throws(GateError) -> [FormValue] {
        let questions = walk.questions.filter { $0.path.isNamed(by: path) }
        guard questions.count < 2 else {
            let paths = ListText.things(questions.prefix(5).map(\.path.description))
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "There are several '{path}'. Name one of: {paths}.", ["path": "\(path)", "paths": paths]))
        }
        guard let question = questions.first else {
            throw GateError(
                .notFound, .unknown,
                saying: localized(
                    "There is no question '{path}' in this form now, or it is disabled.", ["path": "\(path)"]))
        }
        return question.values
    }

    private static func line(_ stop: FormWalk.Stop, showsPaths: Bool) -> String? {
        switch stop {
        case .section(let section):
            let number = section.number.map { " \($0)" } ?? ""
            return indent(section.depth) + QuestionnaireText.name(of: section.item) + number
                + (showsPaths ? text(of: section.path) : "")
        case .question(let question):
            let answer = question.values.isEmpty ? "-" : FormRulesText.list(question.values, of: question.item)
            return indent(question.depth) + ListText.pair(QuestionnaireText.name(of: question.item), answer)
                + (showsPaths ? text(of: question.path) : "")
        case .text, .another: return nil
        }
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    private static func text(of path: FormPath) -> String { "  [\(VisibleText.line(path.description))]" }
}

extension FormWalk.Stop {
    /// How many groups are around it; `nil` where that is not shown.
    fileprivate var depth: Int? {
        switch self {
        case .section(let section): section.depth
        case .question(let question): question.depth
        case .text, .another: nil
        }
    }
}

extension FormPath {
    /// Whether the other one means this, with steps or places left out.
    func isNamed(by name: FormPath) -> Bool {
        guard steps.last?.isNamed(by: name.steps[name.steps.count - 1]) ?? false else { return false }
        var unmet = name.steps.dropLast()
        for step in steps.dropLast().reversed() {
            if let last = unmet.last, step.isNamed(by: last) { unmet.removeLast() }
        }
        return unmet.isEmpty
    }
}

extension FormPath.Step {
    fileprivate func isNamed(by name: FormPath.Step) -> Bool {
        linkID == name.linkID && (name.index == nil || index == name.index)
    }
}
