/// A regular expression whose matching time grows only with the length of the text. Each character is read once,
/// whatever is entered and however the expression is nested.
///
/// The syntax is the part of ECMAScript's that can be matched like this: literals, `.`, classes, `\d \D \w \W \s \S`,
/// groups, `|`, `* + ? {n} {n,} {n,m}`, `^` and `$`. Back-references and look-around can't be, and are refused. It
/// works on Unicode scalars. `\d` and `\w` are those of ASCII, and `.` is anything but the end of a line.
package struct TextPattern: Sendable {
    package let source: String
    private let program: TextPatternProgram
    /// `nil` if the pattern is for answers, which have to match as a whole.
    private let use: ExpressionUse?

    package struct Mistake: Error, Hashable, Sendable {
        /// A sentence that tells the author of the pattern what to do.
        package var message: String
        /// Where the mistake is, in Unicode scalars from 0.
        package var offset: Int

        package init(message: String, offset: Int) {
            self.message = message
            self.offset = offset
        }
    }

    /// The most characters of the source, in Unicode scalars.
    package static let maximumScalarCount = 1_000
    /// The most states of the program that a pattern becomes. Counted repeats are written out: `a{100}` takes 100.
    package static let maximumStateCount = 2_000
    /// The longest text that is matched with any pattern, in Unicode scalars.
    package static let maximumTextLength = 4_096
    /// The most steps of one match: one step for each scalar of the text and each state.
    package static let maximumStepCount = 1 << 20

    /// How a FHIRPath expression uses a pattern (docs/expressions.md). In an expression, `.` also matches the end of a
    /// line.
    package enum ExpressionUse: Hashable, Sendable {
        case wholeText
        case search
    }

    /// Reads a pattern for answers, which have to match as a whole.
    package init(_ source: String) throws(Mistake) {
        var parser = TextPatternParser(source)
        program = try TextPatternProgram(try parser.pattern())
        self.source = source
        use = nil
    }

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

    /// The longest text that is matched with this pattern, in Unicode scalars. The more states, the shorter.
    package var maximumTextLength: Int {
        min(Self.maximumTextLength, Self.maximumStepCount / program.stateCount)
    }

    package func stepCount(for text: String) -> Int {
        // A scalar has at least one byte, so the bytes are an upper limit.
        min(text.utf8.count, maximumTextLength) * program.stateCount
    }

    /// Whether the text matches. A text longer than `maximumTextLength` never does.
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
