import GateModel

extension String {
    /// The words of others, as a screen shows them: one line of what can be seen, in plain characters. They stand in a label of their
    /// own, never beside Gate's words, so they move none of them.
    var foreignLine: String {
        replacingHidden.split { $0.isWhitespace }.joined(separator: " ")
    }
}
