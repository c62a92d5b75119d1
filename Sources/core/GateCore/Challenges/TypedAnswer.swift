import GateModel

/// The text that a person typed or chose, without spaces and tabs around it.
struct TypedAnswer: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        bytes = text.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    }

    init?(_ answer: ChallengeAnswer) {
        switch answer {
        case .text(let text): self.init(text)
        case .secret, .released, .swiped, .acknowledged: return nil
        }
    }

    /// The text with the letters A to Z in lower case.
    var word: String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return String(decoding: bytes.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    var wholeNumber: WholeNumber? {
        WholeNumber(bytes)
    }

    /// A number of decimal digits, which may be too large for an `Int`.
    enum WholeNumber: Hashable, Sendable {
        case number(Int)
        case tooLarge

        init?(_ digits: some Collection<UInt8>) {
            guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                return nil
            }
            self = Int(String(decoding: digits, as: UTF8.self)).map(WholeNumber.number) ?? .tooLarge
        }
    }
}
