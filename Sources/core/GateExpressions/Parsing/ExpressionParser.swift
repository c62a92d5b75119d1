import GateModel

/// Parses an expression by FHIRPath's grammar, as far as Gate supports it (docs/expressions.md).
struct ExpressionParser {
    private let tokens: [ExpressionToken]
    private let vocabulary: ExpressionVocabulary
    private var index = 0
    /// How deeply the parser has recursed. It is limited, so that no source can exhaust the stack.
    private var nesting = 0

    init(_ source: String, _ vocabulary: ExpressionVocabulary) throws(ExpressionError) {
        var lexer = ExpressionLexer(source)
        tokens = try lexer.tokens()
        self.vocabulary = vocabulary
    }

    mutating func whole() throws(ExpressionError) -> Syntax {
        guard peek.kind != .end else { throw wrong("There is nothing here. Write an expression.") }
        let syntax = try expression(1)
        guard peek.kind == .end else {
            throw wrong("Something is missing before \(peek.found), or \(peek.found) is too much.")
        }
        return syntax
    }

    // MARK: Operators

    /// Parses operands that are joined by operators of at least this strength.
    private mutating func expression(_ strength: Int) throws(ExpressionError) -> Syntax {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= ExpressionLimits.depth else { throw tooDeep(peek.place) }
        var left = try signed()
        while let binary = try binaryOperator(), binary.strength >= strength {
            let place = peek.place
            index += 1
            let right = try expression(binary.strength + 1)
            left = try syntax(.binary(binary, left, right), at: place, over: [left, right])
        }
        return left
    }

    private func binaryOperator() throws(ExpressionError) -> BinaryOperator? {
        switch peek.kind {
        case .symbol(let text): return BinaryOperator(rawValue: text)
        case .name(let word, isDelimited: false):
            if word == "is" || word == "as" { throw unknown("The operator `\(word)`", at: peek.place) }
            return BinaryOperator(rawValue: word)
        case .name, .string, .number, .date, .special, .end: return nil
        }
    }

    private mutating func signed() throws(ExpressionError) -> Syntax {
        let place = peek.place
        for (symbol, isNegative) in [("-", true), ("+", false)] where skip(symbol) {
            nesting += 1
            defer { nesting -= 1 }
            guard nesting <= ExpressionLimits.depth else { throw tooDeep(place) }
            let operand = try signed()
            return try syntax(.sign(operand, isNegative: isNegative), at: place, over: [operand])
        }
        return try path()
    }

    // MARK: Paths

    private mutating func path() throws(ExpressionError) -> Syntax {
        var left = try term()
        while true {
            let place = peek.place
            if skip(".") {
                left = try invocation(of: left)
            } else if skip("[") {
                let number = try expression(1)
                try expect("]", "This [ has no ].", opened: place)
                left = try syntax(.element(left, number), at: place, over: [left, number])
            } else {
                return left
            }
        }
    }

    private mutating func term() throws(ExpressionError) -> Syntax {
        let token = peek
        switch token.kind {
        case .string, .number, .date: return try literal()
        case .name("true", isDelimited: false), .name("false", isDelimited: false): return try literal()
        case .name, .special: return try invocation(of: nil)
        case .symbol("("):
            index += 1
            let inner = try expression(1)
            try expect(")", "This ( has no ).", opened: token.place)
            return inner
        case .symbol("{"):
            index += 1
            try expect("}", "Only {} may stand here: the empty collection.", opened: token.place)
            return try syntax(.literal(nil), at: token.place)
        case .symbol("%"):
            index += 1
            return try variable(at: token.place)
        case .symbol, .end:
            throw wrong("A value is missing before \(token.found). Write a path, a function or a literal.")
        }
    }

    private mutating func variable(at place: ExpressionError.Place) throws(ExpressionError) -> Syntax {
        switch next().kind {
        case .name(let name, _), .string(let name):
            guard ExpressionVocabulary.isBuiltIn(name) || vocabulary.variables.contains(name) else {
                let known = vocabulary.variables.union(["resource", "context"])
                let question = NearestWord.question(name, among: known.sorted())
                throw unknown("`%\(name)`", "variables", question, at: place)
            }
            return try syntax(.variable(name), at: place)
        case .number, .date, .special, .symbol, .end:
            throw ExpressionError(.syntax, at: place, "After % comes the name of a variable, like %resource.")
        }
    }

    private mutating func invocation(of input: Syntax?) throws(ExpressionError) -> Syntax {
        let token = next()
        let inputs = input.map { [$0] } ?? []
        switch token.kind {
        case .special("this") where input == nil: return try syntax(.this, at: token.place)
        case .special("index") where input == nil: return try syntax(.index, at: token.place)
        case .special(let word): throw unknown("`$\(word)`" + (input == nil ? "" : " behind a point"), at: token.place)
        case .name(let name, let isDelimited):
            if !isDelimited, peek.kind == .symbol("(") { return try call(name, of: input, at: token.place) }
            if peek.kind == .symbol("{") { throw unknown("An object in { }", at: token.place) }
            try check(name, isDelimited: isDelimited, at: token.place)
            return try syntax(.member(input, name), at: token.place, over: inputs)
        case .string, .number, .date, .symbol, .end:
            throw ExpressionError(
                .syntax, at: token.place, "After a point comes a name or a function, not \(token.found).")
        }
    }

    private func check(_ name: String, isDelimited: Bool, at place: ExpressionError.Place) throws(ExpressionError) {
        if !isDelimited, Self.reserved.contains(name) {
            throw ExpressionError(
                .syntax, at: place, "'\(name)' is a word of the language. Write `\(name)` for the element.")
        }
        if name.hasPrefix("value"), Self.choices.contains(String(name.dropFirst(5))) {
            throw ExpressionError(
                .syntax, at: place,
                "'\(name)' is how JSON writes it. In an expression it is 'value', whatever its type.")
        }
        guard let elements = vocabulary.elements, !elements.contains(name) else { return }
        let question = NearestWord.question(name, among: elements.sorted())
        throw ExpressionError(.syntax, at: place, "There is no element '\(name)'.\(question)")
    }

    private mutating func call(
        _ name: String, of input: Syntax?, at place: ExpressionError.Place
    ) throws(ExpressionError) -> Syntax {
        guard let function = FunctionName(rawValue: name) else {
            let question = NearestWord.question(name, among: FunctionName.allCases.map(\.rawValue))
            throw unknown("`\(name)()`", "functions", question, at: place)
        }
        let opened = peek.place
        index += 1
        var arguments: [Syntax] = []
        if peek.kind != .symbol(")") {
            repeat { arguments.append(try expression(1)) } while skip(",")
        }
        try expect(")", "This ( has no ).", opened: opened)
        guard function.arguments.contains(arguments.count) else {
            throw ExpressionError(
                .syntax, at: place, "`\(name)()` takes \(function.argumentsText), not \(arguments.count).")
        }
        let inputs = arguments + (input.map { [$0] } ?? [])
        guard function == .matches || function == .matchesFull else {
            return try syntax(.call(input, function, arguments), at: place, over: inputs)
        }
        let pattern = try pattern(arguments[0], isSearch: function == .matches)
        return try syntax(.matches(input, pattern), at: place, over: inputs)
    }

    /// A pattern must be a literal, so that it is checked and compiled here, once. `nil` for `{}`.
    private func pattern(_ argument: Syntax, isSearch: Bool) throws(ExpressionError) -> TextPattern? {
        switch argument.kind {
        case .literal(nil): return nil
        case .literal(.string(let source)?):
            do throws(TextPattern.Mistake) {
                return try TextPattern(source, for: isSearch ? .search : .wholeText)
            } catch {
                throw ExpressionError(
                    .syntax, at: argument.place, "Character \(error.offset + 1) of the pattern: \(error.message)")
            }
        case .literal, .this, .index, .variable, .member, .element, .call, .matches, .sign, .binary:
            throw unknown("A pattern that is not a text in single quotes", at: argument.place)
        }
    }

    // MARK: Words

    mutating func next() -> ExpressionToken {
        defer { if index < tokens.count - 1 { index += 1 } }
        return tokens[index]
    }

    var peek: ExpressionToken { tokens[min(index, tokens.count - 1)] }

    private mutating func skip(_ symbol: String) -> Bool {
        guard peek.kind == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    private mutating func expect(
        _ symbol: String, _ message: String, opened place: ExpressionError.Place
    ) throws(ExpressionError) {
        guard skip(symbol) else {
            throw ExpressionError(.syntax, at: place, "\(message) Before it could end, there is \(peek.found).")
        }
    }

    func syntax(
        _ kind: Syntax.Kind, at place: ExpressionError.Place, over below: [Syntax] = []
    ) throws(ExpressionError) -> Syntax {
        let depth = 1 + (below.map(\.depth).max() ?? 0)
        guard depth <= ExpressionLimits.depth else { throw tooDeep(place) }
        return Syntax(kind: kind, place: place, depth: depth)
    }

    // MARK: Faults

    private func tooDeep(_ place: ExpressionError.Place) -> ExpressionError {
        ExpressionError(
            .tooLarge, at: place,
            "More than \(ExpressionLimits.depth) things are nested. Write several expressions.")
    }

    private func wrong(_ message: String) -> ExpressionError { ExpressionError(.syntax, at: peek.place, message) }

    private func unknown(
        _ name: String, _ kind: String = "things", _ question: String = "", at place: ExpressionError.Place
    ) -> ExpressionError {
        ExpressionError(.outsideSubset, at: place, "\(name) is not among the \(kind) that Gate knows.\(question)")
    }

    private static let reserved: Set<String> = Set(
        ["and", "div", "false", "implies", "mod", "or", "true", "xor"]
            + CalendarUnit.allCases.flatMap { [$0.rawValue, $0.rawValue + "s"] })

    private static let choices: Set<String> = [
        "Attachment", "Boolean", "Coding", "Date", "DateTime", "Decimal", "Integer", "Quantity", "Reference", "String",
        "Time", "Uri",
    ]
}
