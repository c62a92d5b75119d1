import GateModel
import GateScreens
import Testing

@testable import gatectl

private let soon = start.advanced(by: .milliseconds(999))
private let later = start.advanced(by: .seconds(1))

/// A terminal and the screen that is drawn on it.
private struct Pointed {
    var screen = PresenterScreen()
    var columns = 80
    var rows = 24

    init(_ presentation: Presentation, isUnlocked: Bool = true) {
        screen.registered()
        screen.presentationCame(presentation, sharesClock: true, at: start)
        draw(at: start)
        guard isUnlocked, screen.isLocked else { return }
        _ = screen.keyReceived(.enter, at: later)
        draw(at: start)
    }

    func layout(at now: BootTime) -> PresenterPicture.Layout {
        PresenterPicture(screen: screen, locale: TextLocale(isUTF8: true), colours: .none, now: now)
            .layout(columns: columns, rows: rows)
    }

    mutating func draw(at now: BootTime) {
        let layout = layout(at: now)
        screen.drawn(isWhole: layout.isWhole, places: layout.places, at: now)
    }

    /// Presses where this target is drawn.
    mutating func press(_ target: PresenterTarget, at now: BootTime = later) throws -> [PresenterScreen.Action] {
        let place = try #require(layout(at: now).place(of: target), "\(target) is nowhere")
        return press(column: place.column, row: place.row, at: now)
    }

    mutating func press(column: Int, row: Int, at now: BootTime = later) -> [PresenterScreen.Action] {
        let actions = screen.pressReceived(on: layout(at: now).target(column: column, row: row), at: now)
        draw(at: now)
        return actions
    }
}

@Suite("A mouse on a terminal that presents (S-17)")
struct PresenterMouseTests {
    @Test("a press on any of the three rows of a choice's box answers")
    func choice() throws {
        let boxes = Pointed(presentation(1, sum)).layout(at: start).places.filter { $0.target == .answer("b") }
        #expect(boxes.count == 3)
        for box in boxes {
            var pointed = Pointed(presentation(1, sum))
            #expect(pointed.press(column: box.columns.upperBound, row: box.row) == [])
            #expect(pointed.press(column: box.columns.lowerBound, row: box.row) == [.complete(.text("16"))])
            #expect(pointed.press(column: box.columns.lowerBound, row: box.row) == [], "it is under way")
        }
    }

    @Test("in the first second every press is ignored")
    func settling() throws {
        var pointed = Pointed(presentation(1, sum))
        #expect(try pointed.press(.answer("b"), at: soon) == [])
        #expect(try pointed.press(.dismiss, at: soon) == [])
        #expect(try pointed.press(.answer("b")) == [.complete(.text("16"))])
    }

    @Test("for a second after a layout change every press is ignored")
    func moved() throws {
        var pointed = Pointed(presentation(1, sum))
        pointed.columns = 120
        pointed.draw(at: later)
        #expect(try pointed.press(.answer("b"), at: later.advanced(by: .milliseconds(500))) == [])
        #expect(try pointed.press(.answer("b"), at: later.advanced(by: .seconds(1))) == [.complete(.text("16"))])
    }

    @Test("a press beside a sheet or on its button dismisses it, and one inside the sheet does nothing (F-07)")
    func beside() throws {
        let frame = try #require(Pointed(presentation(1, sum)).layout(at: start).frame)
        for (column, row) in [(0, 0), (0, 12), (79, 23), (frame.column - 1, frame.row)] {
            var pointed = Pointed(presentation(1, sum))
            #expect(pointed.press(column: column, row: row) == [.dismiss])
        }
        var pointed = Pointed(presentation(1, sum))
        #expect(pointed.press(column: frame.column, row: frame.row) == [])
        #expect(pointed.press(column: frame.column + 2, row: frame.row + 1) == [])
        #expect(try pointed.press(.dismiss) == [.dismiss])
    }

    @Test("a cover fills the screen, nothing beside it can be pressed, and it says that it can't be closed")
    func cover() throws {
        var pointed = Pointed(presentation(1, sum, isDismissible: false, style: .fullScreenCover))
        let layout = pointed.layout(at: start)
        #expect(layout.frame == nil && layout.place(of: .dismiss) == nil)
        #expect(layout.lines.contains { $0.contains("This closes only when it is answered.") })
        #expect(pointed.press(column: 0, row: 12) == [] && pointed.press(column: 79, row: 23) == [])
        #expect(try pointed.press(.answer("a")) == [.complete(.text("24"))])
        var lasting = Pointed(presentation(1, sum, isDismissible: false))
        #expect(lasting.press(column: 0, row: 12) == [])
        #expect(lasting.screen.note?.text == "This closes only when it is answered.")
        let dismissible = Pointed(presentation(1, sum, style: .fullScreenCover)).layout(at: start)
        #expect(dismissible.frame == nil && dismissible.place(of: .dismiss) != nil)
    }

    @Test("on a screen without room for a frame everything can still be pressed")
    func small() throws {
        var pointed = Pointed(presentation(1, sum), isUnlocked: true)
        pointed.columns = 60
        pointed.rows = 14
        pointed.draw(at: start)
        #expect(pointed.layout(at: start).frame == nil)
        #expect(try pointed.press(.answer("b")) == [.complete(.text("16"))])
    }

    @Test("a yes takes two presses in two places, a second apart")
    func permission() throws {
        var pointed = Pointed(presentation(1, .confirm), isUnlocked: false)
        let locked = pointed.layout(at: start)
        #expect(locked.place(of: .answer("y")) == nil && locked.lines.contains { $0.contains("y) Allow") })
        let read = try #require(locked.place(of: .enter))
        #expect(try pointed.press(.enter) == [] && !pointed.screen.isLocked)
        #expect(pointed.layout(at: later).target(column: read.column, row: read.row) != .answer("y"))
        #expect(try pointed.press(.answer("y"), at: later.advanced(by: .milliseconds(999))) == [])
        #expect(try pointed.press(.answer("y"), at: later.advanced(by: .seconds(1))) == [.complete(.text("yes"))])
    }

    @Test("a hold begins with the press and ends with the release, wherever that is")
    func hold() throws {
        var pointed = Pointed(presentation(1, .hold(.seconds(3))))
        #expect(pointed.screen.releaseReceived(at: later) == [])
        #expect(try pointed.press(.hold) == [.report(.pressed)])
        #expect(pointed.screen.releaseReceived(at: later.advanced(by: .seconds(3))) == [.complete(.released)])
    }

    @Test("OK submits the typed text, and a release of the mouse button does not")
    func typed() throws {
        var pointed = Pointed(presentation(1, .passcode))
        for byte in "2468".utf8 { _ = pointed.screen.keyReceived(.byte(byte), at: later) }
        #expect(pointed.screen.releaseReceived(at: later) == [])
        #expect(try pointed.press(.enter) == [.complete(.secret(GateSecret("2468".utf8)))])
    }

    @Test("the fields and the button of a sign-in can be pressed, but not while it is checked (F-66)")
    func signsIn() throws {
        var pointed = Pointed(signIn(1))
        #expect(try pointed.press(.field(.password)) == [] && pointed.screen.fields.field == .password)
        for byte in "secret".utf8 { _ = pointed.screen.keyReceived(.byte(byte), at: later) }
        #expect(try pointed.press(.enter) == [] && pointed.screen.note?.text == "The name is empty.")
        #expect(try pointed.press(.field(.name)) == [])
        for byte in "anna".utf8 { _ = pointed.screen.keyReceived(.byte(byte), at: later) }
        pointed.draw(at: start)
        #expect(try pointed.press(.enter) == [.logIn(name: "anna", password: GateSecret("secret".utf8))])
        #expect(pointed.layout(at: later).places.isEmpty)
    }

    @Test("a choice of a form can be pressed where it is drawn, also after scrolling")
    func form() throws {
        var pointed = Pointed(formToFillIn(1))
        pointed.screen.formAsked(
            1,
            FormPrompt(
                lines: ["[1/6] Fruit", "    a) Apple", "    b) Pear"], request: "your choice",
                choices: [1: "a", 2: "b"]))
        pointed.draw(at: start)
        #expect(try pointed.press(.answer("b")) == [.formLine(GateSecret("b".utf8))])
        #expect(pointed.layout(at: later).place(of: .answer("b")) == nil, "it is under way")
    }

    @Test("the key or button for a purchase made already reports it, and the paywall stays (S-08)")
    func restore() throws {
        var pointed = Pointed(paywall(1))
        #expect(pointed.layout(at: start).lines.contains { $0.contains("[ r) Restore purchase ]") })
        #expect(try pointed.press(.restore, at: soon) == [])
        #expect(try pointed.press(.restore) == [.report(.restore)])
        #expect(pointed.screen.presentation?.id == 1 && pointed.screen.note?.text.hasPrefix("Looking for") == true)
        #expect(pointed.screen.keyReceived(.byte(UInt8(ascii: "r")), at: later) == [.report(.restore)])
        pointed.screen.answerRefused(1, GateError(.resourceExhausted, .limit, "Wait a moment."))
        #expect(pointed.screen.presentation?.id == 1 && pointed.screen.note?.isGood == false)
    }

    @Test("without a question nothing can be pressed")
    func idle() {
        var screen = PresenterScreen()
        screen.registered()
        #expect(screen.pressReceived(on: .dismiss, at: later) == [] && screen.pressReceived(on: nil, at: later) == [])
    }
}

@Suite("Decoding mouse reports of a terminal (S-17)")
struct MouseReportTests {
    private func keys(_ bytes: [UInt8]) -> [Key] {
        var decoder = KeyDecoder()
        return bytes.compactMap { decoder.byteReceived($0) }
    }

    private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

    @Test("the first button is a press and a release, the wheel scrolls, and other reports are ignored")
    func decodes() {
        #expect(keys("\u{1b}[<0;12;3M\u{1b}[<0;12;3m") == [.press(column: 11, row: 2), .release])
        #expect(keys("\u{1b}[<64;1;1M\u{1b}[<65;1;1M") == [.up, .down])
        #expect(keys("\u{1b}[<1;1;1M\u{1b}[<2;1;1M\u{1b}[<4;1;1M\u{1b}[<32;1;1M\u{1b}[<66;1;1M") == [])
        #expect(keys("\u{1b}[<0;9999;9999Ma") == [.press(column: 9998, row: 9998), .byte(0x61)])
    }

    @Test("an old terminal's report of three bytes is read, and none of its bytes is taken for a key")
    func short() {
        // Column 65 is the letter a.
        #expect(keys([0x1b, 0x5b, 0x4d, 32, 0x61, 0x21, 0x62]) == [.press(column: 64, row: 0), .byte(0x62)])
        #expect(keys([0x1b, 0x5b, 0x4d, 35, 0x61, 0x21]) == [.release])
        #expect(keys([0x1b, 0x5b, 0x4d, 32, 0xff, 0x21]) == [.press(column: 222, row: 0)])
        #expect(keys([0x1b, 0x5b, 0x4d, 1, 2, 3, 0x62]) == [.byte(0x62)])
    }

    @Test(
        "a malformed report is skipped as a whole",
        arguments: [
            "\u{1b}[<M", "\u{1b}[<;;M", "\u{1b}[<0;1M", "\u{1b}[<0;1;2;3M", "\u{1b}[<0;0;1M", "\u{1b}[<0;1;0M",
            "\u{1b}[<0;99999;1M", "\u{1b}[<00000;1;1M", "\u{1b}[<300;1;1M",
        ])
    func hostile(bytes: String) {
        #expect(keys(bytes + "x") == [.byte(0x78)])
    }

    @Test("an endless report takes no memory, and keys typed after it are read")
    func endless() {
        var decoder = KeyDecoder()
        for byte in ("\u{1b}[<" + String(repeating: "1", count: 17)).utf8 { #expect(decoder.byteReceived(byte) == nil) }
        #expect(!decoder.isWaiting)
        #expect(
            keys("\u{1b}[<0;1\u{1b}[A\u{1b}[<0;a") == [.up, .byte(0x61)],
            "the first one's rest is an arrow key's beginning")
    }

    @Test("a report in two parts is one report, and its digits answer nothing")
    func cut() {
        var decoder = KeyDecoder()
        for byte in "\u{1b}[<0;1".utf8 { _ = decoder.byteReceived(byte) }
        #expect(decoder.waitedInVain() == nil && decoder.isWaiting)
        #expect("2;3M".utf8.compactMap { decoder.byteReceived($0) } == [.press(column: 11, row: 2)])
        for byte in "\u{1b}[<0;1".utf8 { _ = decoder.byteReceived(byte) }
        for _ in 0..<20 { #expect(decoder.waitedInVain() == nil) }
        #expect(!decoder.isWaiting, "a second later nothing more comes")
        #expect(decoder.byteReceived(0x32) == .byte(0x32))
    }
}
