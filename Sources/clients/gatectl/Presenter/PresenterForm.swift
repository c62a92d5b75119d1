import GateModel

/// The form on a terminal that presents: the prompt, and the line that is being typed.
struct PresenterForm: Hashable {
    enum Event: Hashable {
        case edited
        case finished(GateSecret)
        case dismissed
    }

    /// The present prompt, or the last one; `nil` if there was none yet.
    private(set) var prompt: FormPrompt?
    /// Whether the prompt still waits for a line.
    private(set) var isAsked = false
    var isCompleted = false
    private var editor = LineEditor(alphabet: .any, maximumBytes: LineEditor.maximumFormBytes)

    var typed: String { editor.text }

    mutating func asked(_ prompt: FormPrompt) {
        self.prompt = prompt
        isAsked = true
    }

    /// If nothing is asked, every key but Escape is ignored.
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

    /// A choice was pressed with the mouse. It is the answer, whatever was typed.
    mutating func pressed(_ text: String) -> Event {
        isAsked ? finished(GateSecret(text.utf8)) : .edited
    }

    private mutating func finished(_ line: GateSecret) -> Event {
        isAsked = false
        editor = LineEditor(alphabet: .any, maximumBytes: LineEditor.maximumFormBytes)
        return .finished(line)
    }
}
