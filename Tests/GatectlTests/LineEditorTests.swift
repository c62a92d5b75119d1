import Testing

@testable import gatectl

@Suite("The line that is being typed")
struct LineEditorTests {
    private func typed(_ keys: String, isTerminal: Bool = true) -> (events: [LineEditor.Event], editor: LineEditor) {
        var editor = LineEditor(isTerminal: isTerminal)
        let events = keys.utf8.map { editor.byteReceived($0) }.filter { $0 != .edited }
        return (events, editor)
    }

    @Test("it ends with Return, whichever way the terminal sends it")
    func finishes() {
        #expect(typed("56\n").events == [.finished("56")])
        #expect(typed("56\r").events == [.finished("56")])
        #expect(typed("\n").events == [.finished("")])
    }

    @Test("Backspace takes back, and Ctrl-U everything")
    func corrects() {
        #expect(typed("57\u{7f}6\n").events == [.finished("56")])
        #expect(typed("57\u{8}6\n").events == [.finished("56")])
        #expect(typed("\u{7f}5\n").events == [.finished("5")])
        #expect(typed("123\u{15}56\n").events == [.finished("56")])
    }

    @Test("Ctrl-D ends the input on an empty line only")
    func endOfInput() {
        #expect(typed("\u{4}").events == [.ended])
        #expect(typed("5\u{4}6\n").events == [.finished("56")])
    }

    @Test("arrow keys and their like leave nothing behind")
    func sequences() {
        #expect(typed("5\u{1b}[D\u{1b}[1;5C\u{1b}OP6\n").events == [.finished("56")])
        #expect(typed("5\u{1b}x6\n").events == [.finished("56")])
    }

    @Test("what is no printable ASCII is not taken from a terminal")
    func unprintable() {
        #expect(typed("5ä\u{1}\u{9}6\n").events == [.finished("56")])
    }

    @Test("from a pipe bytes are taken as they come")
    func pipe() {
        #expect(typed("5\u{7f}ä\n", isTerminal: false).events == [.finished("5\u{7f}ä")])
        #expect(typed("56\r\n7\n", isTerminal: false).events == [.finished("56"), .finished("7")])
        #expect(typed("\u{4}\n", isTerminal: false).events == [.finished("\u{4}")])
    }

    @Test("a last line without its end is a line, and after it there is nothing")
    func unfinishedLine() {
        var editor = typed("56", isTerminal: false).editor
        #expect(editor.inputEnded() == .finished("56"))
        #expect(editor.inputEnded() == .ended)
    }

    @Test("a line without end takes no memory")
    func limit() {
        let text = typed(String(repeating: "x", count: 10_000)).editor.text
        #expect(text.utf8.count == LineEditor.maximumBytes)
    }

    @Test("bytes that are no UTF-8 do no harm")
    func invalidText() {
        var editor = LineEditor(isTerminal: false)
        _ = editor.byteReceived(0xff)
        #expect(editor.byteReceived(0x0a) == .finished("\u{fffd}"))
    }
}
