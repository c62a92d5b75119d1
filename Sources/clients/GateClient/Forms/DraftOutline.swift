import GateModel

/// A form as it is filled in now: what is asked, in which order, and what was answered.
///
/// It is made of the form and of a draft's response, which has every item that is enabled, answered or not: what is not in
/// there is disabled, and nobody is asked for it.
struct DraftOutline: Hashable, Sendable {
    /// Where a path stands in the form: of each step the place of its item and the index, -1 for the item as a whole. They
    /// are ordered like words.
    private struct Place: Hashable, Comparable {
        let numbers: [Int]

        static func < (left: Place, right: Place) -> Bool { left.numbers.lexicographicallyPrecedes(right.numbers) }
    }

    private struct Stop: Hashable {
        let place: Place
        let path: FormPath
    }

    private let items: FormItems
    /// The questions that a person is asked, in order.
    private var stops: [Stop] = []
    /// The answers to every question that is enabled.
    private var values: [FormPath: [FormValue]] = [:]
    /// How often what repeats is there, by its path without an index of its own.
    private var counts: [FormPath: Int] = [:]

    init(_ response: QuestionnaireResponse, of items: FormItems) {
        self.items = items
        add(response.items, below: [])
        // The daemon keeps to the order; this costs nothing then.
        stops.sort { $0.place < $1.place }
    }

    private mutating func add(_ responseItems: [QuestionnaireResponseItem], below steps: [FormPath.Step]) {
        for responseItem in responseItems {
            // One that is unknown came with a newer version of the form.
            guard let entry = items[responseItem.linkID] else { continue }
            let path = FormPath(steps + [FormPath.Step(responseItem.linkID)])
            guard entry.item.kind.isQuestion else {
                let index = counts[path, default: 0]
                counts[path] = index + 1
                add(responseItem.items, below: inside(entry.item, index, of: steps))
                continue
            }
            values[path] = responseItem.answers.compactMap(\.value)
            counts[path] = responseItem.answers.count
            if !entry.isHidden, let place = place(of: path) { stops.append(Stop(place: place, path: path)) }
            for (index, answer) in responseItem.answers.enumerated() {
                add(answer.items, below: inside(entry.item, index, of: steps))
            }
        }
    }

    private func inside(_ item: QuestionnaireItem, _ index: Int, of steps: [FormPath.Step]) -> [FormPath.Step] {
        item.repeats ? steps + [FormPath.Step(item.linkID, index)] : steps
    }

    private func place(of path: FormPath) -> Place? {
        var numbers: [Int] = []
        for step in path.steps {
            guard let entry = items[step.linkID] else { return nil }
            numbers += [entry.position, step.index ?? -1]
        }
        return Place(numbers: numbers)
    }

    // MARK: Moving through the questions (F-44)

    /// The question behind a path, over what is hidden, disabled or no question; `nil`: there is none. The path may also be of
    /// a group, or of what is disabled by now.
    func next(after path: FormPath?) -> FormPath? {
        guard let path else { return stops.first?.path }
        guard let place = (try? canonical(path)).flatMap(place(of:)) else { return nil }
        let index = firstIndex { place < $0 }
        return index < stops.count ? stops[index].path : nil
    }

    /// The question before a path; as `next`. `nil` is behind the last one.
    func previous(before path: FormPath?) -> FormPath? {
        guard let path else { return stops.last?.path }
        guard let place = (try? canonical(path)).flatMap(place(of:)) else { return nil }
        let index = firstIndex { place <= $0 }
        return index > 0 ? stops[index - 1].path : nil
    }

    /// The questions that a person is asked, in order.
    var questions: [FormPath] { stops.map(\.path) }

    /// The index of the first stop for which this is true, as it is for all behind it.
    private func firstIndex(where isBehind: (Place) -> Bool) -> Int {
        var range = 0..<stops.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if isBehind(stops[middle].place) {
                range = range.lowerBound..<middle
            } else {
                range = middle + 1..<range.upperBound
            }
        }
        return range.lowerBound
    }

    // MARK: What was answered

    /// Empty: nothing, or it is disabled.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`), `INVALID_ARGUMENT` where it may be several.
    func values(at path: FormPath) throws(GateError) -> [FormValue] {
        values[try canonical(path)] ?? []
    }

    /// - Throws: as `values`.
    func isEnabled(_ path: FormPath) throws(GateError) -> Bool {
        let path = try canonical(path)
        return values[path] != nil || count(at: path) > path.index ?? 0
    }

    /// How often what repeats is there.
    ///
    /// - Throws: as `values`.
    func count(of path: FormPath) throws(GateError) -> Int {
        count(at: try canonical(path))
    }

    /// How often what repeats around a path is there, from the outside in.
    ///
    /// - Throws: as `values`.
    func counts(around path: FormPath) throws(GateError) -> [Int] {
        let steps = try canonical(path).steps
        return steps.indices.dropLast().map { count(at: FormPath([FormPath.Step](steps[...$0]))) }
    }

    private func count(at path: FormPath) -> Int {
        counts[FormPath(path.steps.dropLast() + [FormPath.Step(path.linkID)])] ?? 0
    }

    /// The path with every index that may be left out: where there is one alone, it is that.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`), `INVALID_ARGUMENT` where it may be several.
    func canonical(_ path: FormPath) throws(GateError) -> FormPath {
        var given = path.steps.dropLast()
        var steps: [FormPath.Step] = []
        for linkID in try items.entry(of: path.linkID).repeatingAncestors {
            if let step = given.first, step.linkID == linkID {
                given.removeFirst()
                if step.index != nil {
                    steps.append(step)
                    continue
                }
            }
            let count = counts[FormPath(steps + [FormPath.Step(linkID)])] ?? 0
            guard count <= 1 else {
                let choices = (0..<count).prefix(5).map { "\(linkID)[\($0)]" }.joined(separator: ", ")
                throw GateError(
                    .invalidArgument, .invalidRequest,
                    "\"\(path)\" is there \(count) times; say which is meant: \(choices)\(count > 5 ? ", …" : "").")
            }
            steps.append(FormPath.Step(linkID, 0))
        }
        guard given.isEmpty else {
            throw GateError(
                .notFound, .unknown, "The form has no item \"\(path)\": name what repeats, and nothing else.")
        }
        return FormPath(steps + [FormPath.Step(path.linkID, path.index)])
    }
}

extension FormPath: ExpressibleByStringLiteral {
    /// `"driver[1]/driver-name"`. What is no path is taken for a linkId, which no form has.
    public init(stringLiteral text: String) {
        self = FormPath(text: text) ?? FormPath(text)
    }
}
