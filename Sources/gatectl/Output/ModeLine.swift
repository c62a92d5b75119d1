import GateModel

/// A mode for people: `rev 42  parent  14:59 left`; `rev 42  verifying  another question is shown first`.
struct ModeLine: Hashable {
    var revision: Revision
    var state: ModeState

    func text(now: BootTime, colours: Colours) -> String {
        var text = "rev \(revision)  \(colours.paint(state.mode.rawValue, for: state.mode))"
        if let deadline = state.deadline {
            text += "  \(DurationText.clock(now.duration(to: deadline))) left"
        } else if state.mode == .verifying {
            text += "  another question is shown first"
        }
        return text
    }
}
