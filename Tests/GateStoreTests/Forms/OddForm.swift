import GateForms

/// Questionnaires with odd texts that somebody may write, but only on purpose.
struct OddForm {
    var random: SplitMix

    private static let texts: [String] = [
        "zo\u{EB}", "zoe\u{308}", "\u{308}x", "e" + String(repeating: "\u{308}\u{323}", count: 40), "\u{212A}", "K;`",
        "a\tb", "a\nb", "a\rb", "a\u{7F}b", "a\u{85}b", "a\u{1}b", "\u{0}", "\u{2028}x", " ", "  a ", "a  b",
        "a\u{A0}b",
        "x\"\\y'", "1|2", "2026 May", "#a", "http://example.org/a#b", "a/b", "[1]", "😀", "\u{FEFF}a", "\u{FFFE}",
        "null", "", "-- ?", String(repeating: "x", count: 300), String(repeating: "\u{958}", count: 85),
        "<=", "=<", "kW", "s",
    ]
    private static let types = [
        "boolean", "decimal", "integer", "date", "dateTime", "time", "string", "text", "url", "choice", "open-choice",
        "reference", "quantity", "display",
    ]
    private static let numbers = ["0", "-0", "1.50", "1E5", "-1e-30", "12345678901234567890.1", "1e99999"]

    private mutating func one<Element>(of all: [Element]) -> Element { all[random.number(below: all.count)] }

    /// Mostly a plain text.
    private mutating func text(_ plain: String, oneIn count: Int = 12) -> FHIRNode {
        FHIRNode(.string(random.number(below: count) == 0 ? one(of: Self.texts) : plain))
    }

    private func object(_ entries: [(String, FHIRNode)]) -> FHIRNode {
        FHIRNode(.object(entries.map { FHIRNode.Entry(key: $0.0, value: $0.1) }))
    }

    mutating func json(id: String) -> [UInt8] {
        var entries: [(String, FHIRNode)] = [
            ("resourceType", FHIRNode(.string("Questionnaire"))), ("id", FHIRNode(.string(id))),
            ("status", FHIRNode(.string("active"))),
        ]
        if random.number(below: 4) > 0 { entries.append(("url", text("https://example.org/q"))) }
        if random.number(below: 4) > 0 { entries.append(("version", text("1", oneIn: 3))) }
        entries.append(("title", text("Trial")))
        entries.append(("item", FHIRNode(.array((0...2).map { item("q\($0)", depth: 0) }))))
        return object(entries).json()
    }

    private mutating func item(_ linkID: String, depth: Int) -> FHIRNode {
        let isGroup = depth < 3 && random.number(below: 3) == 0
        let type = isGroup ? "group" : one(of: Self.types)
        var entries: [(String, FHIRNode)] = [
            ("linkId", text(linkID, oneIn: 5)), ("type", FHIRNode(.string(type))), ("text", text("Well?", oneIn: 4)),
        ]
        let repeats = type != "display" && random.number(below: 2) == 0
        if repeats { entries.append(("repeats", FHIRNode(.boolean(true)))) }
        if isGroup {
            entries.append(("item", FHIRNode(.array((0...1).map { item("\(linkID).\($0)", depth: depth + 1) }))))
            return object(entries)
        }
        if type.hasSuffix("choice") || type == "string" && random.number(below: 2) == 0 {
            let valueType = type == "string" ? "String" : one(of: ["Coding", "String", "Integer", "Reference"])
            let options = (0...2).map { index in
                object([
                    value(valueType, plain: "o\(index)"),
                    ("initialSelected", FHIRNode(.boolean(index == 0 || repeats && random.number(below: 2) == 0))),
                ])
            }
            entries.append(("answerOption", FHIRNode(.array(options))))
        } else if type != "display" {
            let valueType =
                switch type {
                case "dateTime": "DateTime"
                case "text": "String"
                case "url": "Uri"
                case _: type.prefix(1).uppercased() + type.dropFirst()
                }
            let count = repeats ? 2 : 1
            entries.append(
                ("initial", FHIRNode(.array((0..<count).map { object([value(valueType, plain: "v\($0)")]) }))))
        }
        return object(entries)
    }

    private mutating func value(_ type: String, plain: String) -> (String, FHIRNode) {
        let content: FHIRNode =
            switch type {
            case "Boolean": FHIRNode(.boolean(random.number(below: 2) == 0))
            case "Decimal": FHIRNode(.number(one(of: Self.numbers)))
            case "Integer": FHIRNode(.number(one(of: ["0", "-1", "2147483647", "2147483648", "01"])))
            case "Date": text(one(of: ["2016", "2016-02", "2016-02-29"]))
            case "DateTime": text(one(of: ["2016", "2016-02-29", "2016-02-29T23:59:60.125+02:00"]))
            case "Time": text(one(of: ["00:00:00", "23:59:59.5"]))
            case "Coding": some(["system", "version", "code", "display"], plain)
            case "Quantity": quantity()
            case "Uri": text("https://example.org/\(plain)", oneIn: 3)
            case "Reference": reference(plain)
            case _: text(plain, oneIn: 3)
            }
        return ("value\(type)", content)
    }

    /// Some of these elements.
    private mutating func some(_ keys: [String], _ plain: String) -> FHIRNode {
        object(keys.filter { _ in random.number(below: 3) > 0 }.map { ($0, text("\(plain)\($0)", oneIn: 8)) })
    }

    private mutating func reference(_ plain: String) -> FHIRNode {
        var entries: [(String, FHIRNode)] = []
        if random.number(below: 3) > 0 { entries.append(("reference", text("Patient/\(plain)", oneIn: 8))) }
        if random.number(below: 3) > 0 { entries.append(("type", text("Patient", oneIn: 8))) }
        if random.number(below: 3) > 0 { entries.append(("display", text("\(plain)display", oneIn: 8))) }
        return object(entries)
    }

    private mutating func quantity() -> FHIRNode {
        var entries: [(String, FHIRNode)] = []
        if random.number(below: 6) > 0 { entries.append(("value", FHIRNode(.number(one(of: Self.numbers))))) }
        if random.number(below: 3) == 0 { entries.append(("comparator", text("<=", oneIn: 3))) }
        for key in ["unit", "system", "code"] where random.number(below: 2) == 0 { entries.append((key, text("kW"))) }
        return object(entries)
    }
}
