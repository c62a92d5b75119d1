import Foundation
import GateModel
import Testing

@Suite("Combining marks in a row, which take long to compare")
struct CombiningMarksTests {
    /// Marks of different classes in turn, which have to be sorted.
    private func marks(_ count: Int) -> String {
        (0..<count).map { $0.isMultiple(of: 2) ? "\u{315}" : "\u{301}" }.joined()
    }

    private let most = CombiningMarks.maximumCount

    @Test("a text may have so many between two letters, and no more")
    func text() {
        #expect(!CombiningMarks.areTooMany(in: "a\(marks(most))b\(marks(most))"))
        #expect(CombiningMarks.areTooMany(in: "ab\(marks(most + 1))"))
        #expect(CombiningMarks.areTooMany(in: String(repeating: "\u{1D165}", count: most + 1)))
        for harmless in ["", String(repeating: "é", count: 5000), String(repeating: "क्षि", count: 5000)] {
            #expect(!CombiningMarks.areTooMany(in: harmless))
        }
    }

    @Test("two texts may be joined where both together have no longer row")
    func meeting() {
        func areTooMany(_ left: String, _ right: String) -> Bool {
            CombiningMarks.areTooMany(where: left, meets: right)
        }
        #expect(!areTooMany("a\(marks(most - 3))", "\(marks(3))b\(marks(most))"))
        #expect(areTooMany("a\(marks(most - 3))", "\(marks(4))b"))
        #expect(areTooMany(marks(most), marks(1)) && areTooMany(marks(1), marks(most)))
        #expect(!areTooMany(marks(most), "") && !areTooMany("", marks(most)) && !areTooMany(marks(most), "a"))
        #expect(!areTooMany(marks(most) + "a", marks(most)))
    }

    @Test("a character counts as a mark if its decomposition begins with one, whatever class it has itself")
    func everyCharacter() {
        for value in 0...UInt32(0x10FFFF) {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
            let decomposed = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first ?? scalar
            let isMark = decomposed.properties.canonicalCombiningClass != .notReordered
            guard isMark || scalar.properties.isDiacritic || scalar != decomposed else { continue }
            let text = String(repeating: Character(scalar), count: most + 1)
            #expect(CombiningMarks.areTooMany(in: text) == isMark, "U+\(String(value, radix: 16))")
        }
    }

    @Test("JSON may have so many, as they are and as escapes, and no more")
    func json() {
        func areTooMany(_ text: String) -> Bool { CombiningMarks.areTooMany(inJSON: Array(text.utf8)) }
        func escapes(_ count: Int) -> String { String(repeating: #"\u0301"#, count: count) }
        #expect(!areTooMany(#"{"a\#(marks(most))": "\#(escapes(most))"}"#))
        #expect(areTooMany(#"{"a\#(marks(most + 1))": 1}"#))
        #expect(areTooMany(#"["\#(escapes(most + 1))"]"#))
        #expect(areTooMany(#"["\#(escapes(most))\#(marks(1))"]"#))
        #expect(areTooMany("[\"\(String(repeating: #"\uD834\uDD65"#, count: most + 1))\"]"))
        // These are letters, backslashes and halves.
        #expect(!areTooMany("[\"\(String(repeating: #"\u0451"#, count: 1000))\"]"))
        #expect(!areTooMany("[\"\(String(repeating: #"\\u0301"#, count: 1000))\"]"))
        #expect(!areTooMany("[\"\(String(repeating: #"\uD834"#, count: 1000))"))
        #expect(!areTooMany(#"["\"#) && !areTooMany(#"["\u"#) && !areTooMany(#"["\u03"#))
    }
}
