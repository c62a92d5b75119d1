import GateModel
import GateTexts

/// A mode as a line for people: `rev 42  parent  14:59 left`, or `rev 42  verifying  another question is shown first`.
struct ModeLine: Hashable {
    var revision: Revision
    var state: ModeState

    static func word(for mode: Mode) -> String {
        switch mode {
        case .child: localized("child")
        case .verifying: localized("verifying")
        case .parent: localized("parent")
        }
    }

    func text(now: BootTime, colours: Colours) -> String {
        var text = RevisionText.row(revision, colours.paint(Self.word(for: state.mode), for: state.mode))
        if let deadline = state.deadline {
            text += DurationWords.leftBehind(now.duration(to: deadline))
        } else if state.mode == .verifying {
            text += "  " + localized("another question is shown first")
        }
        return text
    }
}
