import GateModel
import GateTexts

/// The answers of a form for people: one line for each item, in the form's order. A group that the form shows in one
/// line stands for all that is in it, unless `lines(at:)` asks for just that group: then its questions are listed.
struct FormListing {
    let walk: FormWalk

    init(_ questionnaire: Questionnaire, _ response: QuestionnaireResponse, pending: [PendingSuggestion] = []) {
        walk = FormWalk(questionnaire, response, pending: pending, hidden: .included)
    }

    init(_ walk: FormWalk) {
        self.walk = walk
    }

    /// - Parameter showsPaths: whether to show the paths, for people who are going to `set` answers.
    func lines(showsPaths: Bool = true) -> [String] {
        rows(walk.stops.indices, showsPaths: showsPaths).map(\.line)
    }

    /// The lines with each question's number in front, for a person who fills in the form.
    var numberedLines: [String] {
        let width = "\(walk.questionCount)".count
        return rows(walk.stops.indices, showsPaths: false).map { line, number in
            guard let number = number.map(String.init) else { return String(repeating: " ", count: width + 2) + line }
            return String(repeating: " ", count: width - number.count) + number + "  " + line
        }
    }

    /// The lines of a question's answers, or of a group's content. If the path lacks indices, the lines of every item
    /// that it fits.
    /// - Throws: `NOT_FOUND` (`unknown`) if there is no such item, or it is disabled now.
    func lines(at path: FormPath) throws(GateError) -> [String] {
        let questions = walk.questions.filter { $0.path.isNamed(by: path) }
        if !questions.isEmpty {
            return questions.flatMap { question in
                question.values.map { FormValueText.shown($0, of: question.item) }
            }
        }
        var lines: [String] = []
        var isFound = false
        var index = 0
        while index < walk.stops.count {
            defer { index += 1 }
            guard case .section(let section) = walk.stops[index], section.path.isNamed(by: path) else { continue }
            isFound = true
            let inside = walk.inside(index)
            lines += [Self.line(section, showsPaths: true)] + rows(inside, showsPaths: true).map(\.line)
            index = inside.upperBound - 1
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

    /// - Throws: `NOT_FOUND` (`unknown`) if there is no such question, or it is disabled now; `INVALID_ARGUMENT` if the
    ///   path fits several questions.
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

    /// Each line with the number of its question, if any; a group in one line has that of its first question.
    private func rows(_ stops: Range<Int>, showsPaths: Bool) -> [(line: String, number: Int?)] {
        var rows: [(line: String, number: Int?)] = []
        var index = stops.lowerBound
        while index < stops.upperBound {
            defer { index += 1 }
            switch walk.stops[index] {
            case .section(let section) where section.item.isInOneLine ?? false:
                let inside = walk.inside(index)
                let questions = walk.stops[inside].compactMap(\.question)
                let answers = FormValueWords.line(
                    questions.map { ($0.item, $0.values) }, name: QuestionnaireText.name, visible: VisibleText.line)
                let line = Self.line(section, answers.isEmpty ? "-" : answers, showsPaths: showsPaths)
                rows.append((line, questions.first?.number))
                index = inside.upperBound - 1
            case .section(let section): rows.append((Self.line(section, showsPaths: showsPaths), nil))
            case .question(let question):
                let answer = question.values.isEmpty ? "-" : FormRulesText.list(question.values, of: question.item)
                let pending = question.pending.map { " (\(FormQuestionText.words($0, of: question.item)))" } ?? ""
                let line =
                    Self.indent(question.depth) + ListText.pair(QuestionnaireText.name(of: question.item), answer)
                    + pending + (showsPaths ? Self.text(of: question.path) : "")
                rows.append((line, question.number))
            case .text, .another: break
            }
        }
        return rows
    }

    /// - Parameter answers: all answers of a section that is shown in one line; otherwise `nil`.
    private static func line(_ section: FormWalk.Section, _ answers: String? = nil, showsPaths: Bool) -> String {
        let name = QuestionnaireText.name(of: section.item) + (section.number.map { " \($0)" } ?? "")
        return indent(section.depth) + (answers.map { ListText.pair(name, $0) } ?? name)
            + (showsPaths ? text(of: section.path) : "")
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    private static func text(of path: FormPath) -> String { "  [\(VisibleText.line(path.description))]" }
}

extension FormPath {
    /// Whether `name` means this path. It may leave out indices, and steps before the last one.
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
