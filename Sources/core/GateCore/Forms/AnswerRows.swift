import GateModel

/// The rows of a draft: exactly its durable part. Also knows their size, and which changed while they were watched.
///
/// Rows of items outside repeating ones are stored by position, so most of a form is looked up without hashing.
struct AnswerRows: Hashable, Sendable {
    private var single: SingleRows
    private var repeated: [ItemOccurrence: FormRow] = [:]
    private(set) var byteCount = 0
    /// The size of all repeated instances beyond the first ones.
    private var repeatedSize = FilledSize()
    private let outline: CompiledOutline
    /// The number of steps to match all answers with the patterns of their questions.
    private(set) var matchingStepCount = 0
    private var attachmentCounts: [AttachmentDigest: Int] = [:]
    /// The earlier rows at places that were changed; `nil`: not watched.
    private var before: [ItemOccurrence: FormRow?]?

    init(of outline: CompiledOutline) {
        self.outline = outline
        single = SingleRows(itemCount: outline.items.count)
    }

    /// The size of all items, answered or not. Items outside repeating ones count only with the form's own bytes.
    var size: FilledSize { FilledSize(byteCount: outline.ownByteCount) + repeatedSize }

    subscript(place: ItemOccurrence) -> FormRow? {
        get { place.indices.isEmpty ? single[place.item] : repeated[place] }
        set {
            let old = self[place]
            if before != nil, before?[place] == nil { before?.updateValue(old, forKey: place) }
            if let old { count(old, of: place.item, -1) }
            if let newValue { count(newValue, of: place.item, 1) }
            if place.indices.isEmpty {
                single[place.item] = newValue
            } else {
                repeated[place] = newValue
            }
        }
    }

    func answers(of question: ItemOccurrence) -> [FormValue] {
        self[question]?.values ?? []
    }

    /// The number of instances, at least 1.
    func instances(of group: ItemOccurrence) -> Int {
        guard case .instances(let count) = self[group] else { return 1 }
        return max(count, 1)
    }

    mutating func setAnswers(_ values: [FormValue], of question: ItemOccurrence) {
        self[question] = values.isEmpty ? nil : .answers(values)
    }

    mutating func setEntered(_ values: [FormValue], of question: ItemOccurrence) {
        self[question] = values.isEmpty ? nil : .entered(values)
    }

    mutating func setInstances(_ count: Int, of group: ItemOccurrence) {
        self[group] = count > 1 ? .instances(count) : nil
    }

    var attachments: Set<AttachmentDigest> { Set(attachmentCounts.keys) }

    var all: [(place: ItemOccurrence, row: FormRow)] {
        single.all
            + repeated.map { ($0.key, $0.value) }
    }

    // MARK: - Watching

    /// The places that were changed since the watching began.
    var touched: [ItemOccurrence] { (before ?? [:]).compactMap { place, old in self[place] == old ? nil : place } }

    mutating func beginWatching() {
        before = [:]
    }

    /// - Returns: every row that differs from the one at the beginning of the watching; `nil`: it was removed.
    mutating func endWatching() -> [(place: ItemOccurrence, row: FormRow?)] {
        let touched = before ?? [:]
        before = nil
        return touched.compactMap { place, old in self[place] == old ? nil : (place, self[place]) }
    }

    /// - Returns: the rows of `other` that differ from these; `nil`: it has none there.
    func changes(to other: AnswerRows) -> [(place: ItemOccurrence, row: FormRow?)] {
        let gone = all.filter { other[$0.place] == nil }.map { ($0.place, FormRow?.none) }
        return gone + other.all.filter { self[$0.place] != $0.row }.map { ($0.place, .some($0.row)) }
    }

    // MARK: - Counting

    private mutating func count(_ row: FormRow, of item: Int, _ sign: Int) {
        byteCount += sign * row.byteCount
        if outline.items[item].isContainer, row.times > 1 {
            repeatedSize = repeatedSize + outline.items[item].size * (sign * (row.times - 1))
        }
        guard let values = row.values else { return }
        matchingStepCount += sign * outline.items[item].matchingStepCount(for: values)
        for case .attachment(let attachment) in values {
            let count = attachmentCounts[attachment.digest, default: 0] + sign
            attachmentCounts[attachment.digest] = count == 0 ? nil : count
        }
    }

    static func == (left: AnswerRows, right: AnswerRows) -> Bool {
        left.single == right.single && left.repeated == right.repeated
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(single)
        hasher.combine(repeated)
    }
}

extension FormRow {
    /// The approximate bytes in memory and in a response. Each value counts at least 96, to limit many small ones, too.
    var byteCount: Int {
        let rowByteCount = 96
        switch self {
        case .answers(let values), .entered(let values):
            return values.reduce(rowByteCount) { $0 + max(96, $1.byteCount) }
        case .instances(let count): return rowByteCount + 16 * max(count, 1)
        }
    }

    /// How many instances the items below have because of this row.
    fileprivate var times: Int {
        switch self {
        case .answers(let values), .entered(let values): values.count
        case .instances(let count): count
        }
    }
}

extension FormValue {
    /// The bytes of its texts, or for other types about the bytes that they take.
    var byteCount: Int {
        func sum(_ texts: String?...) -> Int { texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
        switch self {
        case .boolean: return 1
        case .integer: return 4
        case .decimal(let number): return sum(number.text)
        case .date(let date): return sum(date.text)
        case .dateTime(let moment): return sum(moment.text)
        case .time(let time): return sum(time.text)
        case .string(let text), .uri(let text): return sum(text)
        case .coding(let coding): return sum(coding.system, coding.version, coding.code, coding.display)
        case .quantity(let quantity):
            return sum(quantity.comparator, quantity.value?.text, quantity.unit, quantity.system, quantity.code)
        case .reference(let reference): return sum(reference.reference, reference.type, reference.display)
        case .attachment(let attachment):
            return sum(attachment.mediaType, attachment.title, attachment.creation) + AttachmentDigest.byteCount
        }
    }
}
