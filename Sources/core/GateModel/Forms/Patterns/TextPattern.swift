/// A regular expression that is matched in a time that grows with the text alone: whatever somebody enters, and however
/// the expression is nested, each character is looked at once (F-43).
///
/// It is written as in ECMAScript, of which it knows what can be matched so: literals, `.`, classes, `\d \D \w \W \s \S`,
/// groups, `|`, `* + ? {n} {n,} {n,m}`, `^` and `$`. Back-references and look-around can't, and are refused. It reads
/// Unicode scalars; `\d` and `\w` are those of ASCII, and `.` is anything but the end of a line.
package struct TextPattern: Sendable {
    /// The pattern as it was written.
    package let source: String
    private let program: TextPatternProgram
    /// `nil`: of an answer, which has to match as a whole.
    private let use: ExpressionUse?

    /// A mistake in an expression, and its place.
    package struct Mistake: Error, Hashable, Sendable {
        /// A sentence for its author.
        package var message: String
        /// In Unicode scalars, from 0.
        package var offset: Int

        /// Makes a mistake of these values.
        package init(message: String, offset: Int) {
            self.message = message
            self.offset = offset
        }
    }

    /// The most characters of the source.
    package static let maximumScalarCount = 1_000
    /// The most states of the program that it becomes, where a counted repeat is written out: `a{100}` has 100.
    package static let maximumStateCount = 2_000
    /// The longest text that any expression is held against, in Unicode scalars.
    package static let maximumTextLength = 4_096
    /// Matching takes so many steps at most: one for each scalar of the text and each state.
    package static let maximumStepCount = 1 << 20

    /// How an expression asks for a match (docs/expressions.md). There `.` is any character, the end of a line too.
    package enum ExpressionUse: Hashable, Sendable {
        /// The whole text has to match.
        case wholeText
        /// Some part of it has to.
        case search
    }

    /// Reads a pattern.
    package init(_ source: String) throws(Mistake) {
        var parser = TextPatternParser(source)
        program = try TextPatternProgram(try parser.pattern())
        self.source = source
        use = nil
    }

    /// Reads a pattern of an expression.
    package init(_ source: String, for use: ExpressionUse) throws(Mistake) {
        var parser = TextPatternParser(source, dot: ScalarSet().inverted)
        var node = try parser.pattern()
        if use == .search {
            let anything = TextPatternNode.repeated(.one(ScalarSet().inverted), atLeast: 0, atMost: nil, offset: 0)
            node = .sequence([anything, node, anything])
        }
        program = try TextPatternProgram(node)
        self.source = source
        self.use = use
    }

    /// The longest text that this expression is held against, in Unicode scalars: the more states, the shorter.
    package var maximumTextLength: Int {
        min(Self.maximumTextLength, Self.maximumStepCount / program.stateCount)
    }

    /// How many steps matching the text takes at most.
    package func stepCount(for text: String) -> Int {
        // A scalar has at least one byte.
        min(text.utf8.count, maximumTextLength) * program.stateCount
    }

    /// Whether the whole text matches. One that is longer than `maximumTextLength` does not.
    package func matches(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard scalars.index(scalars.startIndex, offsetBy: maximumTextLength + 1, limitedBy: scalars.endIndex) == nil
        else { return false }
        return program.matches(scalars)
    }
}

extension TextPattern: Hashable {
    package static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.source == right.source && left.use == right.use
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(source)
    }
}

extension TextPattern: CustomStringConvertible {
    package var description: String { source }
}
