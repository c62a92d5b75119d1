/// Names an item of a form that is being filled in: its linkId, after those of the repeating items around it with their
/// indices, from 0: `driver[1]/driver-name`. The path of an item that no repeating item surrounds is its linkId alone.
public struct FormPath: Hashable, Sendable {
    /// One step of a path: an item, and which of its repetitions.
    public struct Step: Hashable, Sendable {
        /// The linkId of the item.
        public var linkID: String
        /// The index of a group's repetition, or of a question's answer; `nil` for the item as a whole.
        public var index: Int?

        /// - Parameter index: `nil`: the item as a whole.
        public init(_ linkID: String, _ index: Int? = nil) {
            self.linkID = linkID
            self.index = index
        }
    }

    /// The steps, from the outermost item to the one that the path names. At least one.
    public var steps: [Step]

    /// - Precondition: there is at least one step.
    public init(_ steps: [Step]) {
        precondition(!steps.isEmpty, "a path names something")
        self.steps = steps
    }

    /// The path of an item that no repeating group surrounds.
    public init(_ linkID: String) {
        self.init([Step(linkID)])
    }

    /// The linkId of the item that the path names.
    public var linkID: String { steps[steps.count - 1].linkID }
    /// The index in the last step; `nil` for the item as a whole.
    public var index: Int? { steps[steps.count - 1].index }

    /// The longest text that is read as a path, in bytes of UTF-8.
    package static let maximumByteCount = 1024
    /// The most repetitions of a group. A group can set a lower limit itself, but not a higher one. Indices in paths
    /// are below this number.
    package static let maximumInstanceCount = 10_000
    static let maximumIndex = maximumInstanceCount - 1

    /// Reads a path like `driver[1]/driver-name`; `nil` if the text is not a path. It is split by bytes: to Swift, a
    /// slash with a combining accent after it would be another character.
    public init?(text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        var steps: [Step] = []
        for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let step = Step(text: part) else { return nil }
            steps.append(step)
        }
        guard !steps.isEmpty else { return nil }
        self.steps = steps
    }
}

extension FormPath: CustomStringConvertible {
    public var description: String {
        steps.map { step in step.index.map { "\(step.linkID)[\($0)]" } ?? step.linkID }.joined(separator: "/")
    }
}

extension FormPath.Step {
    fileprivate init?(text: Substring.UTF8View) {
        guard let bracket = text.firstIndex(of: UInt8(ascii: "[")) else {
            guard !text.isEmpty, !text.contains(UInt8(ascii: "]")) else { return nil }
            self.init(String(decoding: text, as: UTF8.self))
            return
        }
        let digits = text[text.index(after: bracket)...].dropLast()
        guard text.last == UInt8(ascii: "]"), bracket != text.startIndex, !digits.isEmpty,
            digits.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(String(decoding: digits, as: UTF8.self)),
            index <= FormPath.maximumIndex
        else { return nil }
        self.init(String(decoding: text[..<bracket], as: UTF8.self), index)
    }
}
