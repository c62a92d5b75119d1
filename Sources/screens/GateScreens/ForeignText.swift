import GateModel

extension String {
    /// A text that Gate did not write, in one line of plain, visible characters. It is shown in a label of its own, so
    /// it can't rearrange Gate's words.
    var foreignLine: String {
        replacingHidden.split { $0.isWhitespace }.joined(separator: " ")
    }
}
