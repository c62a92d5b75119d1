import Foundation
import GateModel
import Testing

@testable import gatectl

private let utf8 = TextLocale(isUTF8: true)
private let ascii = TextLocale(isUTF8: false)

private func text(_ challenge: Challenge, _ locale: TextLocale = ascii) -> QuestionText {
    QuestionText(challenge, locale: locale)
}

private let choice = Challenge.arithmeticChoice(
    ArithmeticProblem(left: 42, operator: .dividedBy, right: 7), choices: [5, 6, 7])
private let entry = Challenge.arithmeticEntry(ArithmeticProblem(left: 35, operator: .plus, right: 55))
private let shapes = Challenge.shapes(
    ShapesProblem(
        left: [ShapesProblem.Shape(.triangle, .red), ShapesProblem.Shape(.circle, .blue)], operator: .minus,
        right: [ShapesProblem.Shape(.hexagon, .green)]),
    choices: [8, 9, 10])
private let quiz = Challenge.quiz([
    QuizText(language: "ru", question: "Что?", choices: ["да", "нет", "тут", "там"]),
    QuizText(language: "en", question: "What?", choices: ["a thing", "a\u{1b}[2J", "c", "d"]),
    QuizText(language: "de", question: "Was?", choices: ["dies", "das", "jenes", "nichts"]),
])

@Suite("Text of a question")
struct QuestionTextTests {
    @Test("a plain question is one line, with a second one for its choices")
    func plain() {
        #expect(text(choice).plain() == ["42 / 7 = ?", "a) 5   b) 6   c) 7"])
        #expect(text(choice, utf8).plain().first == "42 ÷ 7 = ?")
        #expect(text(entry).plain() == ["35 + 55 = ?"])
    }

    @Test("large, the operator is larger than the operands (F-06)")
    func large() {
        #expect(
            text(entry).large(columns: 80, colours: .none) == [
                "                     #",
                "  ####   #####       #       #####  #####              ###",
                "      #  #           #       #      #        #####    #   #",
                "   ###   ####     #######    ####   ####                ##",
                "      #      #       #           #      #    #####",
                "  ####   ####        #       ####   ####                #",
                "                     #",
                "",
            ])
    }

    @Test("every digit and operator has a glyph, and all its rows are equally wide")
    func glyphs() throws {
        let operators = ArithmeticProblem.Operator.allCases.map(\.rawValue)
        for character in Array("0123456789=?") + operators {
            let rows = try #require(Glyphs.rows(of: character))
            #expect(rows.count == Glyphs.rowCount)
            #expect(Set(rows.map(\.count)).count == 1)
        }
        let inkOfDigits = try "0123456789".map { try #require(Glyphs.rows(of: $0)) }.map { $0[0].contains("#") }
        #expect(!inkOfDigits.contains(true))
    }

    @Test("the longest problem there is fits 80 columns")
    func longest() {
        let longest = Challenge.arithmeticEntry(ArithmeticProblem(left: 100, operator: .times, right: 100))
        let lines = text(longest, utf8).large(columns: 80, colours: .none)
        #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 80 })
        #expect(lines.joined().contains("█"))
    }

    @Test("on a narrow terminal, or with characters that have no large form, a question is plain")
    func fallsBack() {
        #expect(text(choice).large(columns: 20, colours: .none) == text(choice).plain())
        for columns in [1, 16, 17, 18, 19, 20] {
            let lines = text(choice).large(columns: columns, colours: Colours(isOn: true)).dropFirst()
            #expect(lines.count == (columns < "a) 5   b) 6   c) 7".count ? 3 : 1), "\(columns)")
        }
        #expect(text(choice).plain(columns: 5) == ["42 / 7 = ?", "a) 5", "b) 6", "c) 7"])
        let negative = text(.arithmeticEntry(ArithmeticProblem(left: -1, operator: .plus, right: 5)))
        #expect(negative.large(columns: 80, colours: .none) == negative.plain())
    }

    @Test("in colour, the operator stands out")
    func colour() {
        #expect(text(entry).plain(colours: Colours(isOn: true)) == ["35 \u{1b}[1;33m+\u{1b}[0m 55 = ?"])
    }

    @Test("shapes are drawn where the locale has the signs, and always named")
    func shapesText() {
        #expect(
            text(shapes).plain() == [
                "How many corners? triangle, circle - hexagon = ?", "a) 8   b) 9   c) 10",
            ])
        #expect(text(shapes).large(columns: 80, colours: .none) == text(shapes).plain())
        let drawn = text(shapes, utf8).large(columns: 80, colours: .none)
        #expect(drawn.contains("How many corners do the shapes have? A circle has none."))
        #expect(drawn.contains("  ▲ ● − ⬢ = ?"))
        #expect(drawn.contains("  (triangle, circle − hexagon)"))
        let coloured = text(shapes, utf8).large(columns: 80, colours: Colours(isOn: true)).joined()
        #expect(coloured.contains("\u{1b}[31m▲\u{1b}[0m \u{1b}[34m●\u{1b}[0m"))
    }

    @Test("a quiz is in the reader's language, and its texts can't control the terminal")
    func quizText() {
        #expect(
            text(quiz, TextLocale(isUTF8: true, languages: ["de-CH"])).plain()
                == ["Was?", "a) dies", "b) das", "c) jenes", "d) nichts"])
        #expect(text(quiz, utf8).plain()[2] == "b) a<U+001B>[2J")
        #expect(text(.quiz([]), utf8).plain() == ["The question has no text."])
    }

    @Test("the other kinds say what to do")
    func others() {
        #expect(text(.birthdate(.buddhist)).plain() == ["When were you born, in the Buddhist calendar?"])
        #expect(text(.hold(.seconds(3))).plain() == ["Press and hold for 3 seconds, then release."])
        #expect(text(.swipe(SwipeGesture(.left, fingers: 1))).plain() == ["Swipe left with 1 finger."])
        #expect(text(.swipe(SwipeGesture(.up, fingers: 3))).plain() == ["Swipe up with 3 fingers."])
        #expect(text(.confirm).plain() == ["Allow this?"])
        #expect(text(.passcode).plain() == ["Enter the passcode"])
        #expect(text(.totp).plain() == ["Enter the code from the authenticator"])
    }
}

@Suite("The reader's locale")
struct TextLocaleTests {
    private func locale(_ variables: [String: String]) -> TextLocale { TextLocale { variables[$0] } }

    @Test("LC_ALL overrides the particular variables, and those override LANG")
    func order() {
        #expect(
            locale(["LC_ALL": "de_CH.UTF-8", "LANG": "C"]) == TextLocale(isUTF8: true, languages: ["de-CH"]))
        #expect(
            locale(["LC_ALL": "", "LC_MESSAGES": "ru_RU", "LC_CTYPE": "en_GB.utf8", "LANG": "C"])
                == TextLocale(isUTF8: true, languages: ["ru-RU"]))
        #expect(locale(["LANG": "C.UTF-8"]) == TextLocale(isUTF8: true))
        #expect(locale(["LANG": "POSIX"]) == TextLocale(isUTF8: false))
        // The order is gettext's, so that a policy's titles are in the same language as Gate's own texts.
        #expect(
            locale(["LANG": "C.UTF-8", "LANGUAGE": "de:ru"]) == TextLocale(isUTF8: true, languages: ["de", "ru"]))
        #expect(locale(["LANG": "C", "LANGUAGE": "de"]) == TextLocale(isUTF8: false))
        #expect(locale([:]) == TextLocale(isUTF8: false))
    }

    @Test(
        "the nearest language is taken, else English, else the first",
        arguments: [
            (String?.some("de"), ["en", "de"], "de"), ("de-AT", ["en", "de"], "de"),
            ("zh-TW", ["en", "zh-Hans"], "zh-Hans"),
            ("fr", ["de", "en"], "en"), (nil, ["de", "en"], "en"), ("fr", ["ru", "de"], "ru"),
        ])
    func nearest(wanted: String?, languages: [String], taken: String) {
        let texts = languages.map { QuizText(language: $0, question: "?", choices: []) }
        #expect(TextLocale(isUTF8: true, languages: [wanted].compactMap(\.self)).text(of: texts)?.language == taken)
    }

    @Test("without UTF-8 a language that needs it is skipped")
    func printable() {
        let texts = [
            QuizText(language: "ru", question: "Что?", choices: []),
            QuizText(language: "de", question: "Was?", choices: []),
        ]
        #expect(TextLocale(isUTF8: false, languages: ["ru"]).text(of: texts)?.language == "de")
        #expect(TextLocale(isUTF8: false, languages: ["ru"]).text(of: [texts[0]])?.language == "ru")
    }
}

@Suite("How wide text is on a terminal")
struct TextWidthTests {
    @Test("East Asian characters take two columns; combining marks and colours take none")
    func columns() {
        #expect(TextWidth.columns(of: "abc") == 3)
        #expect(TextWidth.columns(of: "问题") == 4)
        #expect(TextWidth.columns(of: "e\u{301}") == 1)
        #expect(TextWidth.columns(of: Colours(isOn: true).bold("ab")) == 2)
    }

    @Test("a line that is too long is continued on the next, and nothing is lost")
    func wraps() {
        #expect(TextWidth.wrapped("abcdefg", columns: 3) == ["abc", "def", "g"])
        #expect(TextWidth.wrapped("问题问", columns: 3) == ["问", "题", "问"])
        #expect(TextWidth.wrapped("", columns: 3) == [""])
        #expect(TextWidth.wrapped("题", columns: 1) == ["题"])
        #expect(
            TextWidth.wrapped(Colours(isOn: true).bold("abcd"), columns: 2)
                == ["\u{1b}[1mab\u{1b}[0m", "\u{1b}[1mcd\u{1b}[0m"], "each line stands for itself")
    }

    @Test("in a text with foreign words continued lines are marked, and fit however wide a terminal draws them")
    func marked() {
        #expect(TextWidth.marked("abcdefg", columns: 5) == ["abcde", "| fg"])
        #expect(TextWidth.quoted("abcdefg", columns: 5) == ["| abc", "| def", "| g"])
        #expect(TextWidth.quoted("⬛⬛", columns: 5) == ["| ⬛", "| ⬛"])
        #expect(TextWidth.mostColumns(of: "⬛🚀") == 4 && TextWidth.mostColumns(of: "👩\u{200d}🚀") == 5)
        #expect(TextWidth.columns(of: "\u{2b1b}") == 2 && TextWidth.columns(of: "\u{1f680}") == 2)
        let isolated = VisibleText.line("שלום")
        #expect(
            TextWidth.quoted(isolated, columns: 6)
                == ["| \u{2068}של\u{2069}", "| \u{2068}ום\u{2069}"], "an isolate ends with its line")
    }

    @Test("Gate's own sentences break between words, and inside a word only if it is longer than a line (K-18)")
    func betweenWords() {
        #expect(TextWidth.wrapped("May they open it now?", columns: 9) == ["May they", "open it", "now?"])
        #expect(TextWidth.wrapped("a supercalifragilistic b", columns: 9) == ["a", "supercali", "fragilist", "ic b"])
        #expect(TextWidth.wrapped("ab cd ", columns: 5) == ["ab cd"], "a space at the end needs no line")
        #expect(TextWidth.wrapped("  ab cd", columns: 5) == ["  ab", "cd"], "what is indented stays so")
        #expect(TextWidth.marked("May they open it?", columns: 9) == ["May they", "| open", "| it?"])
        let bold = "a \(Colours(isOn: true).bold("bcd ef")) gh"
        #expect(
            TextWidth.wrapped(bold, columns: 6)
                == ["a \u{1b}[1mbcd\u{1b}[0m", "\u{1b}[1mef\u{1b}[0m gh"], "each line stands for itself")
        #expect(
            TextWidth.wrapped("a \(Colours(isOn: true).bold("bc")) de", columns: 5) == ["a \u{1b}[1mbc\u{1b}[0m", "de"])
        #expect(TextWidth.wrapped("有人问，请看。", columns: 8) == ["有人问，", "请看。"])
        #expect(
            TextWidth.wrapped("有人要问，请看。", columns: 8) == ["有人要", "问，请", "看。"], "no line begins with such a mark")
    }

    @Test("in no language does a sentence of Gate's break inside a word at sixty columns (K-18)")
    func catalogues() throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for language in ["de", "ru", "zh_CN"] {
            let catalogue = try String(
                contentsOf: root.appending(path: "Sources/clients/po/\(language).po"), encoding: .utf8)
            let texts = catalogue.matches(of: /(?m)^(?:msgid|msgstr)(?:\[\d\])? "(.+)"$/).map { String($0.1) }
            #expect(texts.count > 2000)
            for text in texts {
                let words = Set(Output.lines(of: text, columns: 60).flatMap { $0.split(separator: " ") })
                for word in text.split(separator: " ") where TextWidth.mostColumns(of: String(word)) <= 58 {
                    let isNarrow = word.allSatisfy { TextWidth.columns(of: String($0)) < 2 }
                    #expect(!isNarrow || words.contains(word), "\(word) is broken in \(text)")
                }
            }
        }
    }

    @Test("of a long typed text the end is shown")
    func suffix() {
        #expect(TextWidth.suffix("abcdef", columns: 3) == "def")
        #expect(TextWidth.suffix("abc", columns: 0) == "")
    }
}
