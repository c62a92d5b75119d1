import GateModel

/// What items have to know of each other, by linkId. If two items have the same linkId, the first counts.
struct ItemDirectory {
    struct Entry {
        var place: FHIRNode.Place?
        /// The linkId of the item that it is directly in; `nil` if it is in none.
        var owner: String?
        /// `nil` if the item has no type that exists.
        var kind: QuestionnaireItem.Kind?
        /// The types that its answers may have, like "Coding".
        var valueTypes: [String]
    }

    private var entries: [String: Entry] = [:]
    private(set) var count = 0

    subscript(linkID: String) -> Entry? { entries[linkID] }

    var linkIDs: [String] { Array(entries.keys) }

    mutating func enter(_ node: FHIRNode, in owner: String?) {
        count += 1
        guard let linkID = node["linkId"]?.text, entries[linkID] == nil else { return }
        let kind = node["type"]?.text.flatMap(QuestionnaireItem.Kind.init)
        var types = kind?.valueTypes ?? []
        if kind == .choice || kind == .openChoice {
            for option in node["answerOption"]?.elements ?? [] {
                guard let type = option.choice("value")?.type, !types.contains(type) else { continue }
                types.append(type)
            }
        }
        entries[linkID] = Entry(place: node["linkId"]?.place, owner: owner, kind: kind, valueTypes: types)
    }
}

extension QuestionnaireItem.Kind {
    /// The types of its answers in FHIR, like "Coding" for `valueCoding`. Options may add others.
    var valueTypes: [String] {
        switch self {
        case .group, .display: []
        case .boolean: ["Boolean"]
        case .decimal: ["Decimal"]
        case .integer: ["Integer"]
        case .date: ["Date"]
        case .dateTime: ["DateTime"]
        case .time: ["Time"]
        case .string, .text: ["String"]
        case .url: ["Uri"]
        case .choice: ["Coding"]
        case .openChoice: ["Coding", "String"]
        case .attachment: ["Attachment"]
        case .reference: ["Reference"]
        case .quantity: ["Quantity"]
        }
    }

    /// The types that R4 allows in `answerOption`; empty if it allows no options.
    var optionTypes: [String] {
        switch self {
        case .integer, .date, .time, .string: valueTypes
        case .choice, .openChoice: ["Coding", "Integer", "Date", "Time", "String", "Reference"]
        case .group, .display, .boolean, .decimal, .dateTime, .text, .url, .attachment, .reference, .quantity: []
        }
    }

    /// Whether a text is typed, as the whole answer or instead of an option.
    var isText: Bool {
        switch self {
        case .string, .text, .url, .openChoice: true
        case .group, .display, .boolean, .decimal, .integer, .date, .dateTime, .time, .choice, .attachment, .reference,
            .quantity:
            false
        }
    }

    /// Whether answers can be less or more than a limit.
    var isOrdered: Bool {
        switch self {
        case .decimal, .integer, .date, .dateTime, .time, .quantity: true
        case .group, .display, .boolean, .string, .text, .url, .choice, .openChoice, .attachment, .reference: false
        }
    }
}
