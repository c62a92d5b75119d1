import Foundation
import GateClient
import GateForms
import GateModel
import GateProtocol
import HostileTexts
import Testing

@testable import gatectl

@Suite("Foreign texts on a terminal")
struct HostileTextTests {
    private func presenter(
        _ details: String, program: String, title: String, _ challenge: Challenge,
        style: Presentation.Style = .fullScreenCover
    ) -> PresenterScreen {
        var presentation = presentation(1, challenge, details: details, style: style)
        presentation.summary.asked.program = program
        presentation.summary.asked.titles = LocalizedText(title)
        var screen = PresenterScreen()
        screen.registered()
        screen.presentationCame(presentation, sharesClock: true, at: start)
        return screen
    }

    @Test(
        "a presenter's title, asker, question and input keep their places, however wide foreign texts are drawn",
        arguments: [(80, 24), (60, 14), (200, 60)], EmulatedTerminal.Drawing.allCases)
    func presenter(size: (columns: Int, rows: Int), drawing: EmulatedTerminal.Drawing) {
        for text in HostileTexts.all {
            for challenge in [Challenge.passcode, .confirm, sum] {
                var screen = presenter(text, program: "firefox", title: "Delete photos", challenge)
                let layout = PresenterPicture(
                    screen: screen, locale: TextLocale(isUTF8: false), colours: Colours(isOn: true), now: start
                ).layout(columns: size.columns, rows: size.rows)
                #expect(layout.isWhole && layout.rows.count == size.rows)
                var terminal = EmulatedTerminal(columns: size.columns, rows: size.rows, drawing: drawing)
                terminal.feed("\u{1b}[?7l" + FullScreen.drawing(layout.rows))
                let lines = terminal.lines
                #expect(lines.contains(" Delete photos"), "\(text)")
                #expect(lines.contains { $0.hasPrefix(" Asked by root (the program says it is \"firefox\")") })
                #expect(lines[size.rows - (size.rows < 16 ? 1 : 2)].hasSuffix("1:00 left"))
                for (row, line) in zip(layout.rows, lines) where row.isForeign {
                    #expect(line.hasPrefix(" | "), "\(line)")
                }
                let own = zip(layout.rows, lines).filter { !$0.0.isForeign }.map(\.1)
                #expect(own.count { $0.contains("Asked by") } == 1, "\(text)")
                screen.drawn(isWhole: true, at: start)
            }
        }
    }

    @Test(
        "a sheet keeps its frame and the places of Gate's words, however wide foreign texts are drawn",
        arguments: [(80, 24), (200, 60)], EmulatedTerminal.Drawing.allCases)
    func sheet(size: (columns: Int, rows: Int), drawing: EmulatedTerminal.Drawing) throws {
        for challenge in [Challenge.passcode, .confirm, sum] {
            for text in HostileTexts.all {
                let screen = presenter(text, program: "firefox", title: "Delete photos", challenge, style: .sheet)
                let layout = PresenterPicture(
                    screen: screen, locale: TextLocale(isUTF8: false), colours: Colours(isOn: true), now: start
                ).layout(columns: size.columns, rows: size.rows)
                #expect(layout.isWhole && layout.rows.count == size.rows)
                let frame = try #require(layout.frame)
                var terminal = EmulatedTerminal(columns: size.columns, rows: size.rows, drawing: drawing)
                terminal.feed("\u{1b}[?7l" + FullScreen.drawing(layout.rows))
                let (first, last) = (frame.column, frame.column + frame.width - 1)
                for (index, (row, line)) in zip(layout.rows, terminal.cells).enumerated() {
                    if index > 0, frame.isOutside(column: first, row: index) {
                        #expect(line.allSatisfy { $0 == ":" }, "\(text)")
                    } else if index > frame.row, index < frame.row + frame.height - 1 {
                        #expect(line[first] == "|" && line[last] == "|" && line[..<first].allSatisfy { $0 == ":" })
                        #expect(line[(last + 1)...].allSatisfy { $0 == ":" })
                        if row.isForeign { #expect(line[(first + 1)...].joined().hasPrefix(" | "), "\(text)") }
                    }
                }
                let own = zip(layout.rows, terminal.lines).filter { !$0.0.isForeign }.map(\.1)
                #expect(own.count { $0.contains("Asked by") } == 1, "\(text)")
            }
        }
    }

    @Test(
        "neither a program's name nor a title can continue as Gate's own text",
        arguments: EmulatedTerminal.Drawing.allCases)
    func names(drawing: EmulatedTerminal.Drawing) {
        for text in HostileTexts.all where text.utf8.count < 400 {
            let screen = presenter("x", program: text, title: text, .confirm)
            let layout = PresenterPicture(
                screen: screen, locale: TextLocale(isUTF8: false), colours: .none, now: start
            ).layout(columns: 80, rows: 40)
            var terminal = EmulatedTerminal(columns: 80, rows: 40, drawing: drawing)
            terminal.feed("\u{1b}[?7l" + FullScreen.drawing(layout.rows))
            let askers = terminal.lines.filter { $0.hasPrefix(" Asked by root") }
            #expect(askers.count == 1, "\(text)")
        }
        #expect(VisibleText.quoted("a\"). b”„«") == "\"a<U+0022>). b<U+201D><U+201E><U+00AB>\"")
        for mark in "\u{2ba}\u{2dd}\u{2ee}\u{2f6}\u{2033}\u{2036}\u{275e}\u{3003}\u{a78c}\u{ff02}\u{ff9e}\u{ff9f}`´"
            .unicodeScalars
        {
            #expect(VisibleText.quoted("a\(mark). b") == "\"a\(VisibleText.escape(mark)). b\"")
        }
        #expect(VisibleText.quoted("Größe 木 שלום <x> 🚀") == "\"\u{2068}Größe 木 שלום <x> 🚀\u{2069}\"")
    }

    /// The lines of every verb for people that contain foreign texts.
    private static func lines(_ text: String) -> [String] {
        let hostile = LocalizedText(text)
        var entry = AuditEntry(
            number: 12, time: WallTime(unixMilliseconds: 0), kind: .granted,
            actor: AuditEntry.Actor(uid: 1000, pid: 4242), mode: .child, detail: text)
        entry.detail = "photos.delete: \(text)"
        var presentations = PresentationLines()
        let revision = Revision(epoch: 1, number: 12)
        let summary = PresentationSummary(
            id: 1, purpose: .authorize, kind: .challenge(.confirm), deadline: .never, style: .sheet,
            isDismissible: true,
            stage: .shown,
            asked: PresentationContext(
                uid: 1, pid: 2, program: text, gatedAction: "a", title: hostile,
                details: text))
        let session = SignInState.Session(name: text, isChild: true, deadline: start)
        let signIn = SignInState(session: session, isAuthenticating: false, needsAuthentication: false)
        let account = PersonText.columns(
            ListedPerson(
                GatePerson(name: text, kind: .grownUp, user: GatePerson.UnixUser(name: text, uid: 1))),
            today: CivilDate(WallTime(unixMilliseconds: 0)))
        let response = ResponseListing(
            QuestionnaireResponse(
                status: .completed,
                items: [
                    QuestionnaireResponseItem(
                        linkID: text, text: text, answers: [QuestionnaireResponseAnswer(.string(text))])
                ]))
        let notice = WhatsNewNotice(
            app: text,
            entry: WhatsNew(
                version: AppVersion(1, 2, 0), title: hostile,
                features: [WhatsNew.Feature(image: "", colour: "", title: hostile, subtitle: hostile)],
                primary: WhatsNew.PrimaryAction(title: "Continue")))
        return [AuditLine(entry: entry).text(colours: .none)]
            + presentations.lines(for: [summary], revision: revision, now: start)
            + ["rev 12  " + SignInText(state: signIn).line(now: start)] + TextTable(rows: [account]).lines
            + [FormLines.line(FormSummary(name: text, holder: .account(text), revision: 5))]
            + response.lines + WhatsNewText(notice).lines(colours: .none)
            + AskedText(summary).lines(colours: .none)
            + ["gatectl: " + VisibleText.line("There is no form '\(text)'.")]
    }

    @Test(
        "no line of a listing wraps by itself, and continued lines are marked",
        arguments: EmulatedTerminal.Drawing.allCases)
    func listings(drawing: EmulatedTerminal.Drawing) {
        for text in HostileTexts.all where !text.isEmpty {
            for line in Self.lines(text) {
                let rows = Output.lines(of: line, columns: 80)
                var terminal = EmulatedTerminal(columns: 80, rows: rows.count + 1, drawing: drawing)
                terminal.feed(rows.map { "\($0)\r\n" }.joined())
                #expect(terminal.lines.last == "", "\(line)")
                #expect(terminal.lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("| ") }, "\(line)")
            }
        }
    }

    @Test("foreign texts make no second column, and contain no invisible characters")
    func columns() {
        for text in HostileTexts.all {
            let line = VisibleText.line(text)
            #expect(!line.contains("  ") && !line.hasPrefix(" ") && !line.hasSuffix(" "), "\(text)")
            let hidden = line.shownScalars.filter { !$0.isShown }.map(\.scalar)
            #expect(hidden.isEmpty || hidden == [VisibleText.isolate, VisibleText.isolateEnd], "\(text)")
            #expect(VisibleText.own(line) == line, "\(text)")
        }
        #expect(VisibleText.line("a" + String(repeating: " ", count: 37) + "b") == "a<37 spaces>b")
        #expect(VisibleText.line("e" + String(repeating: "\u{301}", count: 1500)).hasSuffix("<1496 marks>"))
        #expect(VisibleText.line("a\u{3164}\u{3164}") == "a<2 x U+3164>")
    }

    @Test("a terminal without UTF-8 gets ASCII only, while files and programs get the text itself")
    func eightBits() {
        #expect(TerminalText.fitted("a\u{265b}2Jb\u{2068}é\u{2069}", isUTF8: false) == "a<U+265B>2Jb<U+00E9>")
        #expect(TerminalText.fitted("a\u{265b}", isUTF8: true) == "a\u{265b}")
        #expect(TerminalText.bytes("\u{265b}", for: -1, isUTF8: false) == Array("\u{265b}".utf8))
    }

    @Test("text from right to left and joined characters are shown unchanged, and move nothing beside them")
    func ordinary() {
        #expect(VisibleText.line("می\u{200c}خواهم.pdf") == "\u{2068}می\u{200c}خواهم.pdf\u{2069}")
        #expect(VisibleText.line("👨\u{200d}👩\u{200d}👧.png") == "👨\u{200d}👩\u{200d}👧.png")
        #expect(VisibleText.line("Größe 木") == "Größe 木")
    }

    @Test("Gate's own colours end with their line, and other control characters are made visible")
    func ownLines() {
        let bold = Colours(isOn: true).bold("Gate")
        #expect(
            VisibleText.own("\(bold)  x\u{1b}[2J\u{7}y\u{2068}z") == "\(bold)  x<U+001B>[2J<U+0007>y\u{2068}z\u{2069}")
        #expect(Output.lines(of: "a\nb\rc", columns: nil) == ["a", "b<U+000D>c"])
    }

    @Test("JSON keeps its values, without control or invisible characters")
    func json() throws {
        for text in HostileTexts.all {
            let printable = JSONText.printable("{\n\t\"a\": \(JSONString.quoted(text))\r\n}")
            #expect(printable.isSingleLine, "\(text)")
            let object = try JSONSerialization.jsonObject(with: Data(printable.utf8)) as? [String: String]
            #expect(object.map { Array(($0["a"] ?? "-").unicodeScalars) } == Array(text.unicodeScalars), "\(text)")
        }
        #expect(JSONText.printable("\"\u{9b}\u{202e}\u{e0041}\"") == #""\u009b\u202e\udb40\udc41""#)
    }

    @Test("a program gets long details shortened, with a note")
    func dialogs() {
        let long = String(repeating: "a", count: 1000) + "end"
        let fields = PresentationFields(
            presentation: presentation(1, .confirm, details: long), locale: TextLocale(isUTF8: true), note: "",
            left: nil)
        let details = fields.environment.first { $0.hasPrefix("GATE_DETAILS=") } ?? ""
        #expect(details.contains("<403 characters left out>") && details.hasSuffix("end"))
    }
}
