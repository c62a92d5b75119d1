import GateModel

/// The form that is being filled in on a terminal that presents: what is asked, and the line that is typed.
struct PresenterForm: Hashable {
    /// The event that came of a key.
    enum Event: Hashable {
        case edited
        case finished(GateSecret)
        case dismissed
    }

    /// The present or the last prompt; `nil`: none yet.
    private(set) var prompt: FormPrompt?
    /// Whether it still is: no line was typed since.
    private(set) var isAsked = false
    /// It was completed here.
    var isCompleted = false
    private var editor = LineEditor(alphabet: .any, maximumBytes: LineEditor.maximumFormBytes)

    var typed: String { editor.text }

    mutating func asked(_ prompt: FormPrompt) {
        self.prompt = prompt
        isAsked = true
    }

    /// While nothing is asked no key does anything, but the one that closes it.
    mutating func keyReceived(_ key: Key) -> Event {
        if key == .escape { return .dismissed }
        guard isAsked else { return .edited }
        if key == .back { return finished(GateSecret("<".utf8)) }
        switch editor.keyReceived(key) {
        case .edited: return .edited
        case .finished(let line): return finished(line)
        case .ended, .dismissed: return .dismissed
        }
    }

    /// A choice was pressed: it is the answer, whatever was typed.
    mutating func pressed(_ text: String) -> Event {
        isAsked ? finished(GateSecret(text.utf8)) : .edited
    }

    private mutating func finished(_ line: GateSecret) -> Event {
        isAsked = false
        editor = LineEditor(alphabet: .any, maximumBytes: LineEditor.maximumFormBytes)
        return .finished(line)
    }
}
