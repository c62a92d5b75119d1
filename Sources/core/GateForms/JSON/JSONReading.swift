import GateModel

extension FHIRNode {
    /// Reads JSON, strictly by RFC 8259. A byte order mark at the beginning is ignored.
    ///
    /// - Parameter isFromOutside: whether a text with more than `CombiningMarks.maximumCount` marks in a row is
    ///   refused. JSON from the store is read as it is.
    /// - Throws: what is wrong, with its place: no JSON, a key twice in one object, too large, or nested too deeply.
    public init(
        json bytes: [UInt8], maximumBytes: Int = FormsLimits.resourceBytes, isFromOutside: Bool = false
    ) throws(FormProblem) {
        guard bytes.count <= maximumBytes else {
            throw FormProblem(
                .error, at: nil, path: "", "This is larger than \(maximumBytes) bytes. Leave out what is not needed.")
        }
        var reading = JSONReading(bytes: bytes, isFromOutside: isFromOutside)
        self = try reading.document()
    }
}

/// Reads bytes into a tree, in one pass. It calls itself for each level of nesting, up to `FormsLimits.nesting`.
private struct JSONReading {
    let bytes: [UInt8]
    let isFromOutside: Bool
    private var offset = 0
    /// The place of `markOffset`. It usually only moves on, so that all places together take one pass.
    private var mark = FHIRNode.Place(line: 1, column: 1)
    private var markOffset = 0

    init(bytes: [UInt8], isFromOutside: Bool) {
        (self.bytes, self.isFromOutside) = (bytes, isFromOutside)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            offset = 3
            markOffset = 3
        }
    }

    mutating func document() throws(FormProblem) -> FHIRNode {
        skipSpace()
        guard offset < bytes.count else { throw wrong("There is nothing here. Write a FHIR resource as JSON.") }
        let root = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw wrong("There is something after the end of the JSON. Delete it.") }
        return root
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(FormProblem) -> FHIRNode {
        guard depth < FormsLimits.nesting else { throw wrong("No resource is nested this deeply.") }
        let place = place(at: offset)
        guard let byte = peek else { throw wrong(Self.endsEarly) }
        switch byte {
        case UInt8(ascii: "{"): return FHIRNode(.object(try object(depth: depth)), place: place)
        case UInt8(ascii: "["): return FHIRNode(.array(try array(depth: depth)), place: place)
        case UInt8(ascii: "\""): return FHIRNode(.string(try string()), place: place)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return FHIRNode(.number(try number()), place: place)
        case UInt8(ascii: "t") where skip("true"): return FHIRNode(.boolean(true), place: place)
        case UInt8(ascii: "f") where skip("false"): return FHIRNode(.boolean(false), place: place)
        case UInt8(ascii: "n") where skip("null"): return FHIRNode(.null, place: place)
        case UInt8(ascii: "'"): throw wrong("JSON has texts in double quotes, not in single ones.")
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","):
            throw wrong("A value is missing here, or there is a comma too many.")
        default: throw wrong("This is no JSON value. Texts are in double quotes.")
        }
    }

    private mutating func object(depth: Int) throws(FormProblem) -> [FHIRNode.Entry] {
        offset += 1
        skipSpace()
        var entries: [FHIRNode.Entry] = []
        if skip("}") { return entries }
        var keys: Set<String> = []
        while true {
            let keyOffset = offset
            guard peek == UInt8(ascii: "\"") else {
                throw wrong(offset < bytes.count ? "A key in double quotes is missing here." : Self.endsEarly)
            }
            let keyPlace = place(at: keyOffset)
            let key = try string()
            guard !isTwice(key, entries, &keys) else {
                throw FormProblem(.error, at: keyPlace, path: "", "'\(key.shortened)' is here twice. Keep one of them.")
            }
            skipSpace()
            guard skip(":") else {
                throw wrong(offset < bytes.count ? "A colon is missing between key and value." : Self.endsEarly)
            }
            skipSpace()
            entries.append(FHIRNode.Entry(key: key, keyPlace: keyPlace, value: try value(depth: depth + 1)))
            skipSpace()
            if skip("}") { return entries }
            guard skip(",") else {
                throw wrong(offset < bytes.count ? "A comma or '}' is missing here." : Self.endsEarly)
            }
            skipSpace()
        }
    }

    /// - Parameter keys: filled from 16 entries on, when looking through `entries` begins to take its time.
    private func isTwice(_ key: String, _ entries: [FHIRNode.Entry], _ keys: inout Set<String>) -> Bool {
        guard entries.count >= 16 else { return entries.contains { $0.key == key } }
        if keys.isEmpty { keys = Set(entries.map(\.key)) }
        return !keys.insert(key).inserted
    }

    private mutating func array(depth: Int) throws(FormProblem) -> [FHIRNode] {
        offset += 1
        skipSpace()
        var elements: [FHIRNode] = []
        if skip("]") { return elements }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if skip("]") { return elements }
            guard skip(",") else {
                throw wrong(offset < bytes.count ? "A comma or ']' is missing here." : Self.endsEarly)
            }
            skipSpace()
        }
    }

    private mutating func number() throws(FormProblem) -> String {
        let start = offset
        while offset < bytes.count, Self.isPartOfNumber(bytes[offset]) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard PrimitiveText.isNumber(text) else {
            offset = start
            throw wrong("'\(text.shortened)' is not a number as JSON writes it, like -12.5.")
        }
        return text
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    // MARK: Texts

    private mutating func string() throws(FormProblem) -> String {
        offset += 1
        var text: [UInt8] = []
        var start = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                text += bytes[start..<offset]
                offset += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    offset = start
                    throw wrong("The text that ends here is not UTF-8. Write the file in UTF-8.")
                }
                guard !isFromOutside || !CombiningMarks.areTooMany(in: string) else {
                    throw wrong(
                        "The text that ends here has more than \(CombiningMarks.maximumCount) accents or other marks in a row."
                    )
                }
                return string
            case UInt8(ascii: "\\"):
                text += bytes[start..<offset]
                text += String(try escape()).utf8
                start = offset
            case 0..<0x20:
                throw wrong("A text has a line break or another control character in it. Write it as \\n or \\u….")
            default: offset += 1
            }
        }
        throw wrong("A text is not closed. Put a double quote after it.")
    }

    /// Reads an escape, from the backslash on.
    private mutating func escape() throws(FormProblem) -> Unicode.Scalar {
        let start = offset
        offset += 1
        guard let byte = peek else { throw wrong(Self.endsEarly) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(start)
        default:
            offset = start
            throw wrong("JSON does not know this escape. Write a backslash itself twice.")
        }
    }

    /// Reads a Unicode escape, after `\u`. A character outside the basic plane is written as two.
    private mutating func unicodeEscape(_ start: Int) throws(FormProblem) -> Unicode.Scalar {
        let first = try hexadecimal(start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, skip("\\u") {
            let second = try hexadecimal(start)
            let value = 0x1_0000 + (first - 0xD800) << 10 + second &- 0xDC00
            if (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(value) { return scalar }
        }
        offset = start
        throw wrong("This is half of a surrogate pair. Write both halves, or the character itself.")
    }

    private mutating func hexadecimal(_ start: Int) throws(FormProblem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                offset = start
                throw wrong("After \\u there have to be four hexadecimal digits.")
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    // MARK: Bytes

    private static let endsEarly = "The JSON ends too early. Close what is still open."

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skip(_ expected: StaticString) -> Bool {
        let expected = UnsafeRawBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount)
        guard bytes[offset...].starts(with: expected) else { return false }
        offset += expected.count
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func wrong(_ message: String) -> FormProblem {
        FormProblem(.error, at: place(at: offset), path: "", message)
    }

    private mutating func place(at offset: Int) -> FHIRNode.Place {
        if offset < markOffset {
            (mark, markOffset) = (FHIRNode.Place(line: 1, column: 1), bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        }
        while markOffset < offset {
            let byte = bytes[markOffset]
            if byte == 0x0A {
                mark = FHIRNode.Place(line: mark.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                mark.column += 1
            }
            markOffset += 1
        }
        return mark
    }
}
