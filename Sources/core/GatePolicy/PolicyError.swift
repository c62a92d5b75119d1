public import GateModel

/// A mistake in a policy file, and what to do about it.
public struct PolicyProblem: Hashable, Sendable {
    public var file: String
    /// The line, from 1; `nil` for the file as a whole.
    public var line: Int?
    /// The column, from 1, in Unicode scalars; `nil` for the line as a whole.
    public var column: Int?
    /// One or two English sentences for the author of the file.
    public var message: String
    /// The kind of mistake, for programs. `docs/wire.md` lists the kinds.
    public var kind: FormIssue.Code
    /// The values that the message names: the "key", the "name" that is unknown, limits.
    public var parameters: [String: String]

    public init(
        file: String, line: Int? = nil, column: Int? = nil, message: String, kind: FormIssue.Code,
        parameters: [String: String] = [:]
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.kind = kind
        self.parameters = parameters
    }
}

extension PolicyProblem: CustomStringConvertible {
    /// `file:line:column: message`, which editors and compilers understand.
    public var description: String { "\(place): \(message)" }

    /// `file:line:column`
    public var place: String {
        [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    }
}

/// A policy that can't be put into force.
public struct PolicyError: Error, Hashable, Sendable {
    /// All mistakes, in the order of the files and lines. Not empty.
    public var problems: [PolicyProblem]

    public init(problems: [PolicyProblem]) {
        self.problems = problems
    }
}

extension PolicyError: CustomStringConvertible {
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
