import GateModel
import Testing

@testable import gatectl

@Suite("Editing a typed line")
struct LineEditorTests {
    private func typed(
        _ keys: String, into editor: LineEditor = LineEditor()
    ) -> (events: [LineEditor.Event], editor: LineEditor) {
        var editor = editor
        var decoder = KeyDecoder()
        let events = keys.utf8.compactMap { decoder.byteReceived($0) }.map { editor.keyReceived($0) }
        return (events.filter { $0 != .edited }, editor)
    }

    private func fromPipe(_ bytes: [UInt8]) -> (events: [LineEditor.Event], editor: LineEditor) {
        var editor = LineEditor()
        return (bytes.map { editor.byteReceived($0) }.filter { $0 != .edited }, editor)
    }

    private func line(_ text: String) -> LineEditor.Event { .finished(GateSecret(text.utf8)) }

    @Test("a line ends with Return, as CR or LF")
    func finishes() {
        #expect(typed("56\n").events == [line("56")])
        #expect(typed("56\r").events == [line("56")])
        #expect(typed("\n").events == [line("")])
    }

    @Test("Backspace deletes a character, and Ctrl-U the whole line")
    func corrects() {
        #expect(typed("57\u{7f}6\n").events == [line("56")])
        #expect(typed("57\u{8}6\n").events == [line("56")])
        #expect(typed("\u{7f}5\n").events == [line("5")])
        #expect(typed("123\u{15}56\n").events == [line("56")])
    }

    @Test("Ctrl-D ends the input on an empty line only, and Escape dismisses")
    func endOfInput() {
        #expect(typed("\u{4}").events == [.ended])
        #expect(typed("5\u{4}6\n").events == [line("56")])
        var editor = LineEditor()
        #expect(editor.keyReceived(.escape) == .dismissed)
    }

    @Test("arrow keys and other sequences leave nothing in the line")
    func sequences() {
        #expect(typed("5\u{1b}[D\u{1b}[1;5C\u{1b}OP6\n").events == [line("56")])
        #expect(typed("5\u{1b}x6\n").events == [line("56")])
    }

    @Test("characters other than printable ASCII are ignored on a terminal, except in a secret")
    func unprintable() {
        #expect(typed("5ä\u{1}\u{9}6\n").events == [line("56")])
        #expect(typed("ü\u{1}ä\n", into: LineEditor(alphabet: .any)).events == [line("üä")])
        #expect(typed("aü\u{7f}b\n", into: LineEditor(alphabet: .any)).events == [line("ab")])
    }

    @Test("a key that is an answer by itself needs no Return, unless other text was typed before it")
    func singleKeys() {
        let choices = LineEditor(singleKeys: Set("abc".utf8))
        #expect(typed("b", into: choices).events == [line("b")])
        #expect(typed("5b\n", into: choices).events == [line("5b")])
        #expect(typed("d", into: choices).events == [])
    }

    @Test("bytes from a pipe are taken unchanged")
    func pipe() {
        #expect(fromPipe(Array("5\u{7f}ä\n".utf8)).events == [line("5\u{7f}ä")])
        #expect(fromPipe(Array("56\r\n7\n".utf8)).events == [line("56"), line("7")])
        #expect(fromPipe(Array("\u{4}\n".utf8)).events == [line("\u{4}")])
        #expect(fromPipe([0xff, 0x0a]).events == [.finished(GateSecret([0xff]))])
    }

    @Test("a last line without a line end is taken, and after it the input has ended")
    func unfinishedLine() {
        var editor = fromPipe(Array("56".utf8)).editor
        #expect(editor.inputEnded() == line("56"))
        #expect(editor.inputEnded() == .ended)
    }

    @Test("an endless line takes no memory")
    func limit() {
        #expect(typed(String(repeating: "x", count: 10_000)).editor.text.utf8.count == LineEditor.maximumBytes)
    }
}

@Suite("Keys, from the bytes of a terminal")
struct KeyDecoderTests {
    private func keys(_ bytes: String) -> [Key] {
        var decoder = KeyDecoder()
        return bytes.utf8.compactMap { decoder.byteReceived($0) }
    }

    @Test("Escape is a key if nothing follows it")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.byteReceived(0x1b) == nil)
        #expect(decoder.isWaiting)
        #expect(decoder.waitedInVain() == .escape)
        #expect(!decoder.isWaiting)
        #expect(decoder.waitedInVain() == nil)
    }

    @Test("keys that scroll are recognised, and other sequences are skipped")
    func sequences() {
        #expect(keys("\u{1b}[A\u{1b}[B\u{1b}OA\u{1b}[5~\u{1b}[6~") == [.up, .down, .up, .pageUp, .pageDown])
        #expect(keys("\u{1b}[1;5Cx\u{1b}OPy") == [.byte(0x78), .byte(0x79)])
    }

    @Test("an incomplete sequence does not swallow later keys")
    func halfSequence() {
        var decoder = KeyDecoder()
        for byte in "\u{1b}[1".utf8 { #expect(decoder.byteReceived(byte) == nil) }
        #expect(decoder.waitedInVain() == nil)
        #expect(decoder.byteReceived(0x61) == .byte(0x61))
    }

    @Test("an endless sequence takes no memory")
    func endless() {
        #expect(keys("\u{1b}[" + String(repeating: "1", count: 100)).count > 50)
    }

    @Test("Ctrl-L, Ctrl-U, Ctrl-D and Tab have meanings of their own, and other control characters are ignored")
    func control() {
        #expect(keys("\u{c}\u{15}\u{4}\u{1}\u{9}\u{1b}[Z\r") == [.redraw, .clear, .end, .tab, .backTab, .enter])
    }
}
