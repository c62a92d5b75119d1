/// A way to begin with a form where there is more than one (F-74).
package enum FormBeginning: Hashable, Sendable {
    /// With a new draft.
    case new
    /// Goes on with a draft that is open.
    case draft(FormSummary)
    /// With a new draft that has the answers of a kept response, as far as they fit.
    case response(ResponseSummary)
}

/// The ways to begin with a form, for its holder, in the order in which they are offered.
package struct FormBeginnings: Hashable, Sendable {
    /// More responses than that nobody looks through; all are in lists.
    package static let maximumResponseCount = 8

    /// A new draft, then those that are open, the newest first, then the responses, the newest first.
    package let all: [FormBeginning]

    /// The ways for this holder.
    ///
    /// - Parameters:
    ///   - drafts: of anybody, of any form.
    ///   - responses: of anybody, to any form. Those that were withdrawn are not offered.
    package init(drafts: [FormSummary], responses: [ResponseSummary], with name: String, of holder: FormHolder) {
        let own = drafts.filter { $0.name == name && $0.holder.told == holder.told }
        let kept = responses.filter {
            $0.name == name && $0.holder.told == holder.told && $0.status != .enteredInError
        }
        all =
            [.new] + own.sorted { $0.revision > $1.revision }.map { .draft($0) }
            + kept.sorted { $0.id > $1.id }.prefix(Self.maximumResponseCount).map { .response($0) }
    }

    /// Whether there is anything to choose.
    package var isChoice: Bool { all.count > 1 }

    /// Whether a presentation asks. One draft alone is the one that it shows, which the person goes on with; where that has a label, it
    /// may be another customer's.
    package var isChoiceOnScreen: Bool {
        guard all.count == 2, case .draft(let draft) = all[1] else { return isChoice }
        return draft.draftID != 0 || !draft.label.isEmpty
    }

    /// The one for a person who says nothing: goes on with the draft that was worked on last, else begins anew.
    package var usual: Int { hasDraft ? 1 : 0 }

    private var hasDraft: Bool {
        guard all.count > 1, case .draft = all[1] else { return false }
        return true
    }
}
