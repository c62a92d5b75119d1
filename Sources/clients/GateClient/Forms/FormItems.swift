import GateModel

/// The items of a form by their linkIds.
struct FormItems: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let item: QuestionnaireItem
        /// The position in the order in which people read the form, from 0.
        let position: Int
        /// The linkIds of the repeating items around it, from the outside in: the steps of its path except the last.
        let repeatingAncestors: [String]
        /// Whether people don't see the item, because it or an item around it is hidden.
        let isHidden: Bool
    }

    private var entries: [String: Entry] = [:]

    init(_ questionnaire: Questionnaire) {
        add(questionnaire.items, within: [], isHidden: false)
    }

    private mutating func add(_ items: [QuestionnaireItem], within ancestors: [String], isHidden: Bool) {
        for item in items {
            let isHidden = isHidden || item.isHidden
            entries[item.linkID] = Entry(
                item: item, position: entries.count, repeatingAncestors: ancestors, isHidden: isHidden)
            add(item.items, within: item.repeats ? ancestors + [item.linkID] : ancestors, isHidden: isHidden)
        }
    }

    /// `nil` if the form has no such item.
    subscript(linkID: String) -> Entry? { entries[linkID] }

    /// - Throws: `NOT_FOUND` (`unknown`).
    func entry(of linkID: String) throws(GateError) -> Entry {
        guard let entry = entries[linkID] else {
            throw GateError(.notFound, .unknown, "The form has no item \"\(linkID.prefix(255))\".")
        }
        return entry
    }
}
