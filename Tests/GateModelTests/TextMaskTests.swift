import GateModel
import Testing

@Suite("Masks of forms")
struct TextMaskTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var source: String
        /// The typed texts, and what each is completed to.
        var completed: [String: String]
        /// The texts that stay as they are and don't fit.
        var unfit: [String]
        var testDescription: String { source }

        init(_ source: String, _ completed: [String: String], unfit: [String]) {
            self.source = source
            self.completed = completed
            self.unfit = unfit
        }
    }

    static let cases = [
        Case(
            "AA 999 AA",
            [
                "ab123cd": "AB 123 CD", "AB 123 CD": "AB 123 CD", " ab-123-cd ": "AB 123 CD",
                "Ab  12 3.cd": "AB 123 CD",
                "äö１２３ßя": "ÄÖ 123 ßЯ",
            ], unfit: ["", "ab123c", "ab123cde", "1b123cd", "ab12ccd", "ab€123cd", "ab 123 cd🙂"]),
        Case(
            "+4\\9 (999) 99-99",
            ["1234567": "+49 (123) 45-67", "491234567": "+49 (123) 45-67", "+49 123 4567": "+49 (123) 45-67"],
            unfit: ["123456", "12345678", "481234567", "+1234567a"]),
        Case("a9*", ["x1y": "x1y", "X 1 2": "X12"], unfit: ["112", "x1-", "x1"]),
        Case("\\A\\a\\*\\\\9", ["7": "Aa*\\7", "aa7": "Aa*\\7", "AA*\\7": "Aa*\\7"], unfit: ["a7", "ab7", "Aa*7\n8"]),
        Case("№ 9", ["5": "№ 5", "№5": "№ 5"], unfit: ["#a"]),
        Case("IB\\AN 9", ["1": "IBAN 1", "iban1": "IBAN 1"], unfit: ["ban1"]),
    ]

    @Test("a typed text that fits the mask is completed, and any other stays as it is (F-77)", arguments: cases)
    func completes(one: Case) throws {
        let mask = try TextMask(one.source)
        for (typed, whole) in one.completed {
            #expect(mask.completed(typed) == whole, "\(typed)")
            #expect(mask.matches(whole), "\(whole)")
            #expect(typed == whole || !mask.matches(typed), "\(typed)")
        }
        for typed in one.unfit {
            #expect(mask.completed(typed) == typed)
            #expect(!mask.matches(typed), "\(typed)")
        }
    }

    @Test("a mask's picture is what people see, and each fitting text has its length")
    func picture() throws {
        let mask = try TextMask("+4\\9 *a A9")
        #expect(mask.picture == "+49 *a A9")
        #expect(mask.length == mask.picture.unicodeScalars.count)
        #expect(mask.source == "+4\\9 *a A9")
    }

    @Test(
        "an impossible mask is refused with what to do",
        arguments: [
            ("", "no place to type"), ("-/ ", "no place to type"), ("\\9", "no place to type"),
            ("9\\", "'\\' stands before"), ("\\x9", "'\\' stands before"), ("9\n", "characters that people see"),
            ("9\u{202E}", "characters that people see"), (String(repeating: "9", count: 101), "at most 100 characters"),
        ])
    func refused(source: String, told: String) {
        do throws(TextMask.Mistake) {
            _ = try TextMask(source)
            Issue.record("It was taken.")
        } catch {
            #expect(error.message.contains(told), "\(error.message)")
        }
    }

    @Test("an upper-case letter that the mask has made stays the same when completed again")
    func capitals() throws {
        let mask = try TextMask("A")
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let typed = String(scalar)
            let whole = mask.completed(typed)
            guard whole != typed else { continue }
            #expect(mask.matches(whole) && mask.completed(whole) == whole, "\(value)")
        }
    }

    @Test("a completed text fits the mask or is unchanged, and completing it again changes nothing")
    func promises() throws {
        var random = SeededRandom(seed: 77)
        let signs = ["9", "A", "a", "*", "\\9", "\\a", "4", "b", "B", "-", " ", "+", "ß", "é", "٣"]
        let typed = ["1", "9", "a", "B", "ß", "ŉ", "é", "e\u{301}", "٣", " ", "-", "+", "€", "\\", "\n", "🙂"]
        var fitting = 0
        for _ in 0..<20_000 {
            let source = (0..<Int.random(in: 1...6, using: &random)).map { _ in signs.randomElement(using: &random)! }
            guard let mask = try? TextMask(source.joined()) else { continue }
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in typed.randomElement(using: &random)! }
                .joined()
            let whole = mask.completed(text)
            #expect(mask.completed(whole) == whole, "\(mask.source) \(text)")
            #expect(mask.matches(whole) || whole == text, "\(mask.source) \(text)")
            fitting += mask.matches(whole) ? 1 : 0
        }
        #expect(fitting > 500)
    }

    @Test("a long text is checked in linear time")
    func long() throws {
        let mask = try TextMask(String(repeating: "9-", count: 50))
        let text = String(repeating: "-", count: 1 << 20)
        let duration = ContinuousClock().measure {
            #expect(mask.completed(text) == text)
            #expect(!mask.matches(text))
        }
        #expect(duration < .seconds(10))
    }
}
