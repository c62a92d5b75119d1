import GateForms
import GateModel

/// Reads the text of a form or a response, which is JSON or YAML, as a tree.
struct ResourceText {
    let source: PolicySource

    /// - Returns: `nil` if the file is empty, or a problem was reported.
    func node(_ problems: inout PolicyProblems) -> FHIRNode? {
        if source.isJSON {
            do throws(FormProblem) {
                return try FHIRNode(json: Array(source.text.utf8), maximumBytes: source.kind.limit.bytes)
            } catch {
                problems.add(PolicyProblem(error, in: source.name))
                return nil
            }
        }
        var yaml = PolicyProblems()
        let tree = YAMLText(source: source).tree(&yaml)
        for problem in yaml.found { problems.add(problem) }
        // If parts of the tree are missing, checking the rest would find mistakes that nobody made.
        guard yaml.isEmpty, let tree, !tree.isNothing else { return nil }
        return FHIRNode(tree)
    }
}

extension FHIRNode {
    /// Keeps the places. A plain scalar stays undecided: whether it is a number or a word depends on the element.
    fileprivate init(_ node: PolicyNode) {
        let content: Content =
            switch node.content {
            case .scalar(let text, isQuoted: true): .string(text)
            case .scalar("null", isQuoted: false), .scalar("~", isQuoted: false): .null
            case .scalar(let text, isQuoted: false): .plain(text)
            case .list(let nodes): .array(nodes.map { FHIRNode($0) })
            case .mapping(let entries):
                .object(
                    entries.map { Entry(key: $0.key, keyPlace: Place($0.keyPlace), value: FHIRNode($0.value)) })
            }
        self.init(content, place: Place(node.place))
    }
}

extension FHIRNode.Place {
    fileprivate init(_ place: PolicyNode.Place) {
        self.init(line: place.line, column: place.column)
    }
}

extension PolicyProblems {
    /// - Parameter warnings: receives everything that is not an error.
    mutating func add(_ found: [FormProblem], in file: String, warnings: inout PolicyProblems) {
        for problem in found {
            switch problem.severity {
            case .error: add(PolicyProblem(problem, in: file))
            case .warning, .information: warnings.add(PolicyProblem(problem, in: file))
            }
        }
    }
}

extension PolicyProblem {
    /// If the problem is about an item, the message begins with its linkId.
    init(_ problem: FormProblem, in file: String) {
        let item = problem.linkID.map { "Item '\($0.shortened)': " } ?? ""
        self.init(
            file: file, line: problem.place?.line, column: problem.place?.column, message: item + problem.message,
            kind: .structure, parameters: problem.linkID.map { ["item": $0.shortened] } ?? [:])
    }
}

extension PolicySource {
    static func resource(_ path: String, readAs kind: Kind) throws(PolicyError) -> PolicySource {
        guard kind.suffixes.contains(where: path.hasSuffix) else {
            throw PolicyError(problems: [PolicyProblem(file: path, message: kind.suffixMessage, kind: .structure)])
        }
        let sources = try PolicyDirectory.sources(files: [path], readAs: kind)
        guard let source = sources.first else { throw PolicyError(problems: [.nothing(in: path)]) }
        return source
    }
}

extension ResourceText {
    /// - Throws: a problem if the file is empty, or can't be read.
    func node() throws(PolicyError) -> FHIRNode {
        var problems = PolicyProblems()
        if let node = node(&problems) { return node }
        if problems.isEmpty { problems.add(.nothing(in: source.name)) }
        throw PolicyError(problems: problems.sorted(orderOfFiles: [source.name]))
    }
}

extension PolicyProblem {
    fileprivate static func nothing(in file: String) -> PolicyProblem {
        PolicyProblem(file: file, message: "This file is empty. Fill it, or remove it.", kind: .required)
    }
}
