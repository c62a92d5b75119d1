import GateModel

/// The primitive types of R4, and how their values are written.
enum PrimitiveText: String, CaseIterable {
    case base64Binary
    case boolean
    case canonical
    case code
    case date
    case dateTime
    case decimal
    case id
    case instant
    case integer
    case markdown
    case oid
    case positiveInt
    case string
    case time
    case unsignedInt
    case uri
    case url
    case uuid
    case xhtml

    /// How JSON writes it.
    enum Kind {
        case boolean
        case number
        case text
    }

    var kind: Kind {
        switch self {
        case .boolean: .boolean
        case .decimal, .integer, .positiveInt, .unsignedInt: .number
        case .base64Binary, .canonical, .code, .date, .dateTime, .id, .instant, .markdown, .oid, .string, .time, .uri,
            .url, .uuid, .xhtml:
            .text
        }
    }

    /// What is wrong with a value, as a sentence's end after the element: "is true or false, …"; `nil`: nothing.
    func mistake(in node: FHIRNode) -> String? {
        switch kind {
        case .boolean: return node.boolean == nil ? "is true or false, without quotes, not \(node.found)." : nil
        case .number:
            guard let text = node.numberText else { return "is a number, without quotes, not \(node.found)." }
            return isWellFormed(text) ? nil : "is \(asked), not \(node.found)."
        case .text:
            switch node.content {
            case .string(""), .plain(""): return "is empty. Write something, or leave it out."
            case .string(let text), .plain(let text):
                return isWellFormed(text) ? nil : "is \(asked), not '\(text.shortened)'."
            case .object, .array, .number, .boolean, .null: return "is a text in quotes, not \(node.found)."
            }
        }
    }

    private var asked: String {
        switch self {
        case .base64Binary: "bytes in base64"
        case .boolean: "true or false"
        case .canonical, .uri, .url: "an address without spaces"
        case .code: "a code without spaces around it"
        case .date: "a date that there is, like 2024-05-31, 2024-05 or 2024"
        case .dateTime: "a date, or a moment with its time zone, like 2024-05-31T12:30:00+02:00"
        case .decimal: "a decimal number, like 12.50"
        case .id: "at most 64 letters, digits, hyphens and dots"
        case .instant: "a moment with its time zone, like 2024-05-31T12:30:00+02:00"
        case .integer: "a whole number between -2147483648 and 2147483647"
        case .markdown, .string, .xhtml: "a text without control characters"
        case .oid: "an OID, like urn:oid:1.2.3"
        case .positiveInt: "a whole number from 1 on"
        case .time: "a time of the day, like 12:30:00"
        case .unsignedInt: "a whole number from 0 on"
        case .uuid: "a UUID in small letters, like urn:uuid:c757873d-ec9a-4326-a141-556f43239520"
        }
    }

    func isWellFormed(_ text: String) -> Bool {
        switch self {
        case .base64Binary: Base64.isWellFormed(text.utf8, allowing: .whiteSpace)
        case .boolean: text == "true" || text == "false"
        case .canonical, .uri, .url: !text.isEmpty && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace }
        case .code: Self.isCode(text)
        case .date: FormDate(text) != nil
        case .dateTime: FormDateTime(text) != nil
        case .decimal: FormDecimal(text) != nil
        case .id: Self.isID(text)
        case .instant: text.utf8.contains(UInt8(ascii: "T")) && FormDateTime(text) != nil
        case .integer: Self.integer(text) != nil
        case .markdown, .string, .xhtml: text.unicodeScalars.allSatisfy(Self.isAllowed)
        case .oid: Self.isOID(text)
        case .positiveInt: Self.integer(text).map { $0 > 0 } ?? false
        case .time: FormTime(text) != nil
        case .unsignedInt: Self.integer(text).map { $0 >= 0 } ?? false
        case .uuid: Self.isUUID(text)
        }
    }

    // MARK: - How they are written

    /// `nil` if it is no whole number as FHIR writes it, or one with more than 32 bits.
    static func integer(_ text: String) -> Int32? {
        var digits = Substring(text)
        if digits.first == "-" { digits.removeFirst() }
        guard isDigits(digits), text == "0" || digits.first != "0" else { return nil }
        return Int32(text)
    }

    /// Whether the text is a number as JSON writes it. FHIR writes decimals in the same way.
    static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text)
        if rest.first == "-" { rest.removeFirst() }
        let whole = rest.prefix { $0.isASCIIDigit }
        guard !whole.isEmpty, whole == "0" || whole.first != "0" else { return false }
        rest = rest.dropFirst(whole.count)
        if rest.first == "." {
            let places = rest.dropFirst().prefix { $0.isASCIIDigit }
            guard !places.isEmpty else { return false }
            rest = rest.dropFirst(1 + places.count)
        }
        guard rest.first == "e" || rest.first == "E" else { return rest.isEmpty }
        rest.removeFirst()
        if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
        return isDigits(rest)
    }

    private static func isDigits(_ text: Substring) -> Bool { !text.isEmpty && text.allSatisfy { $0.isASCIIDigit } }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    /// Words with single spaces between them.
    private static func isCode(_ text: String) -> Bool {
        var wasSpace = true
        for scalar in text.unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            guard isAllowed(scalar), !(isSpace && wasSpace) else { return false }
            wasSpace = isSpace
        }
        return !wasSpace
    }

    static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    private static func isOID(_ text: String) -> Bool {
        guard text.hasPrefix("urn:oid:") else { return false }
        let arcs = text.dropFirst("urn:oid:".count).split(separator: ".", omittingEmptySubsequences: false)
        return arcs.count > 1 && ["0", "1", "2"].contains(arcs[0])
            && arcs.allSatisfy { isDigits($0) && ($0 == "0" || $0.first != "0") }
    }

    private static func isUUID(_ text: String) -> Bool {
        guard text.hasPrefix("urn:uuid:") else { return false }
        let parts = text.dropFirst("urn:uuid:".count).split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase } }
    }
}

extension Character { fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII } }
