extension String {
    /// Whether this can be the name of a device or a grown-up: one line, at most so many bytes of UTF-8, without the
    /// characters that separate names in a list.
    package func isDeviceName(atMost byteCount: Int) -> Bool {
        isNameLine(atMost: byteCount) && !unicodeScalars.contains(where: Self.dividers.contains)
    }

    /// Commas, semicolons and brackets in any script: they separate names, or enclose a list of them.
    private static let dividers: Set<Unicode.Scalar> = [
        ",", ";", "(", ")", "\u{060C}", "\u{3001}", "\u{FF0C}", "\u{FF1B}", "\u{FF08}", "\u{FF09}",
    ]

    /// Whether people could confuse this name with `other`: the same letters and digits, or ones that look the same.
    package func looksLike(_ other: String) -> Bool {
        self == other || isShaped(like: other) { $0 } || isShaped(like: other, Self.latin)
    }

    private func isShaped(like other: String, _ draw: (Unicode.Scalar) -> Unicode.Scalar) -> Bool {
        let shape = shape(draw)
        return !shape.isEmpty && shape == other.shape(draw)
    }

    /// The letters and digits in lower case, without spaces and punctuation.
    private func shape(_ draw: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        var shape = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .dashPunctuation, .connectorPunctuation, .otherPunctuation, .initialPunctuation,
                .finalPunctuation, .modifierSymbol:
                continue
            default: shape += draw(scalar).properties.lowercaseMapping
            }
        }
        return shape
    }

    private static func latin(_ scalar: Unicode.Scalar) -> Unicode.Scalar { lookalikes[scalar] ?? scalar }

    private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "l", "I": "l", "|": "l",
        // Cyrillic.
        "а": "a", "А": "a", "В": "b", "с": "c", "С": "c", "е": "e", "Е": "e", "Н": "h", "і": "i", "І": "l", "ј": "j",
        "К": "k", "М": "m", "о": "o", "О": "o", "р": "p", "Р": "p", "ѕ": "s", "Ѕ": "s", "Т": "t", "у": "y", "У": "y",
        "х": "x", "Х": "x",
        // Greek.
        "Α": "a", "Β": "b", "Ε": "e", "Ζ": "z", "Η": "h", "Ι": "l", "Κ": "k", "Μ": "m", "Ν": "n", "ν": "v", "Ο": "o",
        "ο": "o", "Ρ": "p", "ρ": "p", "Τ": "t", "Υ": "y", "Χ": "x",
    ]
}

extension HouseholdMember {
    private static let digitCount = 8

    /// The names of devices, made so that a person can tell them apart. The first digits of the id are added if a name
    /// could be read as several, or looks like that of another device of the household that is not revoked. `members`
    /// are all devices of the household.
    public static func distinctNames(of devices: [HouseholdMember], among members: [HouseholdMember]) -> [String] {
        devices.map { device in
            let isClear =
                device.name.isDeviceName(atMost: .max)
                && !members.contains { $0.id != device.id && !$0.isRevoked && $0.name.looksLike(device.name) }
            return isClear ? device.name : "\(device.name) [\(device.id.description.prefix(digitCount))]"
        }
    }
}
