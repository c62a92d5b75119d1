import GateModel
import Glibc

/// The colours of gatectl's output. Wherever colours are on, the mode has one, so that people notice parent mode. The
/// colours differ in brightness, too, and the mode's name is always there.
struct Colours: Hashable, Sendable {
    let isOn: Bool

    static let none = Colours(isOn: false)

    /// On for a terminal, unless NO_COLOR is set or the terminal is dumb.
    static func ofTerminal(_ descriptor: CInt) -> Colours {
        Colours(isOn: isatty(descriptor) == 1 && !hasValue("NO_COLOR") && !isDumb)
    }

    /// Whether the terminal can only print one line after another.
    static var isDumb: Bool {
        guard let value = getenv("TERM") else { return true }
        return strcmp(value, "dumb") == 0
    }

    func paint(_ text: String, for mode: Mode) -> String {
        switch mode {
        case .child: paint(text, "34")
        case .verifying: paint(text, "33")
        case .parent: paint(text, "1;35")
        }
    }

    /// For the operator of a question, which has to stand out.
    func emphasise(_ text: String) -> String {
        paint(text, "1;33")
    }

    func bold(_ text: String) -> String {
        paint(text, "1")
    }

    /// For text that is there only for reference.
    func dim(_ text: String) -> String {
        paint(text, "2")
    }

    /// A result, good or bad. Its words say that without colour.
    func verdict(_ text: String, isGood: Bool) -> String {
        paint(text, isGood ? "32" : "31")
    }

    func paint(_ text: String, for colour: ShapesProblem.Shape.Colour) -> String {
        switch colour {
        case .red: paint(text, "31")
        case .yellow: paint(text, "33")
        case .green: paint(text, "32")
        case .blue: paint(text, "34")
        }
    }

    private func paint(_ text: String, _ code: String) -> String {
        isOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }

    private static func hasValue(_ name: String) -> Bool {
        getenv(name).map { $0.pointee != 0 } ?? false
    }
}
