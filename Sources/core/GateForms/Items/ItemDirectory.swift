import GateModel

/// The facts that one item has to know of another: the first with each linkId.
struct ItemDirectory {
    struct Entry {
        var place: FHIRNode.Place?
        /// The linkId of the item that it is directly in; `nil`: none.
        var owner: String?
        /// `nil`: none that there is.
        var kind: QuestionnaireItem.Kind?
        /// The types that its answers may have: "Coding".
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
    /// The types of its answers in FHIR, without the options that say otherwise: "Coding" for `valueCoding`.
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

    /// The types that R4 offers as its `answerOption`; empty: none.
    var optionTypes: [String] {
        switch self {
        case .integer, .date, .time, .string: valueTypes
        case .choice, .openChoice: ["Coding", "Integer", "Date", "Time", "String", "Reference"]
        case .group, .display, .boolean, .decimal, .dateTime, .text, .url, .attachment, .reference, .quantity: []
        }
    }

    /// Whether a text is typed in, wholly or as one of the choices.
    var isText: Bool {
        switch self {
        case .string, .text, .url, .openChoice: true
        case .group, .display, .boolean, .decimal, .integer, .date, .dateTime, .time, .choice, .attachment, .reference,
            .quantity:
            false
        }
    }

    /// Whether one answer can be less than another in a way that limits mean.
    var isOrdered: Bool {
        switch self {
        case .decimal, .integer, .date, .dateTime, .time, .quantity: true
        case .group, .display, .boolean, .string, .text, .url, .choice, .openChoice, .attachment, .reference: false
        }
    }
}
