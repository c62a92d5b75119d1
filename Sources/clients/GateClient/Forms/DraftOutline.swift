import GateModel

/// A form as it is filled in now: which questions are asked, in which order, and the answers. It is made from the form
/// and a draft's response, which has every enabled item, answered or not. An item that the response lacks is disabled,
/// so nobody is asked for it.
struct DraftOutline: Hashable, Sendable {
    /// Each step's position in the form and its index, or -1 without an index.
    private struct Place: Hashable, Comparable {
        let numbers: [Int]

        static func < (left: Place, right: Place) -> Bool { left.numbers.lexicographicallyPrecedes(right.numbers) }
    }

    private struct Stop: Hashable {
        let place: Place
        let path: FormPath
    }

    private let items: FormItems
    private var stops: [Stop] = []
    /// The answers to every enabled question.
    private var values: [FormPath: [FormValue]] = [:]
    /// How many instances of a group there are, or answers to a question, by the item's path without its own index.
    private var counts: [FormPath: Int] = [:]

    init(_ response: QuestionnaireResponse, of items: FormItems) {
        self.items = items
        add(response.items, below: [])
        // The daemon sends items in the form's order, so this sorts nothing.
        stops.sort { $0.place < $1.place }
    }

    private mutating func add(_ responseItems: [QuestionnaireResponseItem], below steps: [FormPath.Step]) {
        for responseItem in responseItems {
            // An unknown item comes from a newer version of the form.
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

    // MARK: Moving through the questions

    /// As `FormSession.next`. The path may also be of a group, or of an item that is disabled by now.
    func next(after path: FormPath?) -> FormPath? {
        guard let path else { return stops.first?.path }
        guard let place = (try? canonical(path)).flatMap(place(of:)) else { return nil }
        let index = firstIndex { place < $0 }
        return index < stops.count ? stops[index].path : nil
    }

    func previous(before path: FormPath?) -> FormPath? {
        guard let path else { return stops.last?.path }
        guard let place = (try? canonical(path)).flatMap(place(of:)) else { return nil }
        let index = firstIndex { place <= $0 }
        return index > 0 ? stops[index - 1].path : nil
    }

    var questions: [FormPath] { stops.map(\.path) }

    /// The index of the first stop that `isBehind` is true for; it has to be true for all later stops.
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

    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` if the path fits several items.
    func values(at path: FormPath) throws(GateError) -> [FormValue] {
        values[try canonical(path)] ?? []
    }

    /// - Throws: the errors of `values`.
    func isEnabled(_ path: FormPath) throws(GateError) -> Bool {
        let path = try canonical(path)
        return values[path] != nil || count(at: path) > path.index ?? 0
    }

    /// - Throws: the errors of `values`.
    func count(of path: FormPath) throws(GateError) -> Int {
        count(at: try canonical(path))
    }

    /// How many there are of each repeating item around a path, from the outside in.
    /// - Throws: the errors of `values`.
    func counts(around path: FormPath) throws(GateError) -> [Int] {
        let steps = try canonical(path).steps
        return steps.indices.dropLast().map { count(at: FormPath([FormPath.Step](steps[...$0]))) }
    }

    private func count(at path: FormPath) -> Int {
        counts[FormPath(path.steps.dropLast() + [FormPath.Step(path.linkID)])] ?? 0
    }

    /// The path with every repeating item around its item, each with an index. A missing index becomes 0, unless there
    /// are several such groups.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` if the path fits several items.
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
    /// For example `"driver[1]/driver-name"`. Text that is not a path becomes a linkId, which no form has.
    public init(stringLiteral text: String) {
        self = FormPath(text: text) ?? FormPath(text)
    }
}
