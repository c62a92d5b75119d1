import CGTK
import GateModel
import GateScreens
import GateWindows

/// The small window that says why something was refused to a program without a terminal, such as a link in a mail
/// program. `gatectl` starts it, in a process of its own that ends with the window and needs no daemon.
@GLibLoop
enum RefusalWindow {
    private static let name = "org.gate.Refusal"

    /// Shows a refusal until the person closes the window, or a newer refusal takes its place, so that a program that
    /// asks again and again can't fill the screen. `heading` says what did not happen, `details` is the address or
    /// command line in the asking program's words, and `sentence` says why, and what to do now.
    static func show(heading: String, details: String, sentence: String) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        // Without a bus, several such windows can stand there.
        let bus = SessionBus()
        bus?.takeOver(name) { end.finish() }
        let interface = Interface(PackageResources.refusal_ui)
        describe(interface, heading: heading.replacingHidden, details: details.replacingHidden, lines(sentence))
        let window = interface.widget("window")
        interface.widget("close").on("clicked") { end.finish() }
        window.onCloseRequest { end.finish() }
        window.onKey { key in
            guard key == UInt32(GDK_KEY_Escape) else { return false }
            end.finish()
            return true
        }
        // No button has the focus, so a key that was meant for another window presses nothing.
        gtk_window_set_focus(UnsafeMutablePointer(window.pointer), nil)
        gtk_window_present(UnsafeMutablePointer(window.pointer))
        for await _ in ends {}
    }

    private static func describe(_ interface: Interface, heading: String, details: String, _ sentence: String) {
        let window = interface.widget("window")
        gtk_window_set_title(UnsafeMutablePointer(window.pointer), heading)
        // A screen reader says both as soon as the window appears.
        window.setSpoken(name: heading, description: sentence)
        interface.widget("heading").setText(heading)
        interface.widget("details").setText(details)
        interface.widget("details").setSpoken(description: ScreenWords.programsWords)
        interface.widget("details-card").setVisible(!details.isEmpty)
        interface.widget("sentence").setText(sentence)
        interface.widget("close").setLabel(ScreenWords.close)
    }

    /// A sentence can have several lines, such as one for each mistake in a file.
    private static func lines(_ sentence: String) -> String {
        sentence.split(whereSeparator: \.isNewline).map { String($0).replacingHidden }.joined(separator: "\n")
    }
}
