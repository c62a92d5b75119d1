/// One of the ways in which a person can begin with a form.
package enum FormBeginning: Hashable, Sendable {
    case new
    case draft(FormSummary)
    /// Begin a new draft with the answers of a kept response, as far as they fit.
    case response(ResponseSummary)
}

/// The ways in which a holder can begin with a form, in the order in which a person is offered them.
package struct FormBeginnings: Hashable, Sendable {
    /// The most responses that are offered. A person would not look through more; lists show all of them.
    package static let maximumResponseCount = 8

    /// A new draft first, then the open drafts, then the responses; each of these with the newest first.
    package let all: [FormBeginning]

    /// `drafts` and `responses` may be of any holder and any form. Withdrawn responses are not offered.
    package init(drafts: [FormSummary], responses: [ResponseSummary], with name: String, of holder: FormHolder) {
        let own = drafts.filter { $0.name == name && $0.holder.told == holder.told }
        let kept = responses.filter {
            $0.name == name && $0.holder.told == holder.told && $0.status != .enteredInError
        }
        all =
            [.new] + own.sorted { $0.revision > $1.revision }.map { .draft($0) }
            + kept.sorted { $0.id > $1.id }.prefix(Self.maximumResponseCount).map { .response($0) }
    }

    package var isChoice: Bool { all.count > 1 }

    /// Whether a presentation lets the person choose. It does not if the only alternative is the default draft, which
    /// it shows anyway. If that draft has a label, it does: the draft may be about somebody else.
    package var isChoiceOnScreen: Bool {
        guard all.count == 2, case .draft(let draft) = all[1] else { return isChoice }
        return draft.draftID != 0 || !draft.label.isEmpty
    }

    /// The index of the way for a person who makes no choice: the open draft that changed last, or else a new one.
    package var usual: Int { hasDraft ? 1 : 0 }

    private var hasDraft: Bool {
        guard all.count > 1, case .draft = all[1] else { return false }
        return true
    }
}
