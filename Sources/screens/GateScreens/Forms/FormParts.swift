package import GateModel
import GateTexts

/// The button at an item for which something was answered before (F-72, F-73).
package struct FormPartsOffer: Hashable, Sendable {
    /// The item; of a group that repeats without its number where each part becomes one more of it.
    package let path: FormPath
    /// The name of the item.
    package let label: String
    /// Whether it can be pressed now.
    package let isSensitive: Bool
}

/// The page on which a person takes what was answered before under the `definition` of an item: one part, or several where each becomes one
/// more of what repeats. Nothing is taken before "Use" is pressed.
struct FormPartsPage: Hashable, Sendable {
    let path: FormPath
    let item: QuestionnaireItem
    /// The newest first.
    private(set) var parts: [PartSummary]
    private var chosen: Set<UInt64> = []

    init(_ path: FormPath, _ item: QuestionnaireItem, _ parts: [PartSummary]) {
        (self.path, self.item, self.parts) = (path, item, parts)
    }

    private var takesSeveral: Bool { item.repeats && path.index == nil }
    /// Whether the first box stands for all of them.
    private var hasAll: Bool { takesSeveral && parts.count > 1 }

    /// The numbers of those that are chosen, in their order.
    var taken: [UInt64] { parts.map(\.id).filter(chosen.contains) }

    /// They are others now. Those that are chosen stay so.
    mutating func listed(_ parts: [PartSummary]) {
        self.parts = parts
        chosen.formIntersection(parts.map(\.id))
    }

    /// - Parameter index: among the boxes that stand there.
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

    /// - Parameter replaces: whether answers that are there go.
    func rows(replaces: Bool) -> [FormRow] {
        let labels = parts.map(\.label.foreignLine)
        let places = Set(parts.indices.filter { chosen.contains(parts[$0].id) })
        let choice = FormChoice(
            labels: hasAll ? [FormWords.all] + labels : labels,
            chosen: hasAll ? Set(places.map { $0 + 1 }).union(places.count == parts.count ? [0] : []) : places,
            isMultiple: takesSeveral, other: nil, otherKind: .words)
        let field = FormField(
            path: path, label: FormWords.answeredBefore, isRequired: false,
            hint: replaces ? localized("It takes the place of what is answered here.") : "", error: "",
            isSensitive: true, control: .choice(choice), answer: "", suggestion: nil)
        return [FormRow(key: "parts \(path)", content: .field(field))]
    }
}

/// The parts of a form's holder by their `definition`, the newest first.
struct FormParts: Hashable, Sendable {
    private var all: [String: [PartSummary]] = [:]

    init() {}

    /// - Parameter parts: the oldest first.
    init(_ parts: [PartSummary]) {
        all = Dictionary(grouping: parts.reversed(), by: \.definition)
    }

    /// Those that may be taken into this item; none where the form alone has its answer.
    func parts(for item: QuestionnaireItem) -> [PartSummary] {
        item.definitionOfParts.flatMap { all[$0] } ?? []
    }
}
