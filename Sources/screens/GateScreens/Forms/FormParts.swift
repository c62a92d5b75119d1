package import GateModel
import GateTexts

/// The button at an item for which the person has kept earlier answers.
package struct FormPartsOffer: Hashable, Sendable {
    /// If a group repeats and the path has no index, each part that is taken becomes another instance. With an index,
    /// one part is taken into that instance.
    package let path: FormPath
    /// The name of the item, with its number if it has one.
    package let label: String
    package let isSensitive: Bool
}

/// The page on which a person chooses earlier answers ("parts") for an item, by the `definition` of the item: one part,
/// or several if the item repeats and each becomes another instance or answer. They are taken when "Use" is pressed,
/// not before.
struct FormPartsPage: Hashable, Sendable {
    let path: FormPath
    let item: QuestionnaireItem
    /// The newest part first.
    private(set) var parts: [PartSummary]
    private var chosen: Set<UInt64> = []

    init(_ path: FormPath, _ item: QuestionnaireItem, _ parts: [PartSummary]) {
        (self.path, self.item, self.parts) = (path, item, parts)
    }

    private var takesSeveral: Bool { item.repeats && path.index == nil }
    /// Whether the first box stands for all parts.
    private var hasAll: Bool { takesSeveral && parts.count > 1 }

    /// The ids of the chosen parts, in the order of the list.
    var taken: [UInt64] { parts.map(\.id).filter(chosen.contains) }

    /// Replaces the list. Chosen parts that are still in it stay chosen.
    mutating func listed(_ parts: [PartSummary]) {
        self.parts = parts
        chosen.formIntersection(parts.map(\.id))
    }

    /// - Parameter index: counted over all boxes, including the one for all parts.
    mutating func chose(_ index: Int, isOn: Bool) {
        if hasAll, index == 0 {
            chosen = isOn ? Set(parts.map(\.id)) : []
            return
        }
        let place = hasAll ? index - 1 : index
        guard parts.indices.contains(place) else { return }
        if !takesSeveral { chosen = [] }
        if isOn { chosen.insert(parts[place].id) } else { chosen.remove(parts[place].id) }
    }

    /// - Parameter replaces: whether the answers that the item has will be removed.
    func rows(replaces: Bool) -> [FormRow] {
        let labels = parts.map(\.label.foreignLine)
        let places = Set(parts.indices.filter { chosen.contains(parts[$0].id) })
        let choice = FormChoice(
            labels: hasAll ? [FormWords.all] + labels : labels,
            chosen: hasAll ? Set(places.map { $0 + 1 }).union(places.count == parts.count ? [0] : []) : places,
            isMultiple: takesSeveral, other: nil, otherKind: .words)
        let field = FormField(
            path: path, label: FormWords.answeredBefore, isRequired: false,
            hint: replaces ? localized("It replaces your answers here.") : "", error: "",
            isSensitive: true, control: .choice(choice), answer: "", suggestion: nil)
        return [FormRow(key: "parts \(path)", content: .field(field))]
    }
}

/// The earlier answers that the form's holder has kept, by their `definition`, the newest first.
struct FormParts: Hashable, Sendable {
    private var all: [String: [PartSummary]] = [:]

    init() {}

    /// - Parameter parts: the oldest first.
    init(_ parts: [PartSummary]) {
        all = Dictionary(grouping: parts.reversed(), by: \.definition)
    }

    /// The parts that can be taken into this item. Empty if it can't be answered by a person.
    func parts(for item: QuestionnaireItem) -> [PartSummary] {
        item.definitionOfParts.flatMap { all[$0] } ?? []
    }
}
