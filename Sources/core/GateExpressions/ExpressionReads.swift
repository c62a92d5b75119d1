/// What an expression may read, found without evaluating it. If none of it changes, the result stays the same.
package struct ExpressionReads: Hashable, Sendable {
    /// The linkIds of the items that it reads, with everything in them; `nil` if it may read any item.
    package var linkIDs: Set<String>?
    /// Whether it uses the date or the time.
    package var readsClock: Bool
    /// Whether it uses `%resource` or `%rootResource`, so that it may read more than the item it belongs to.
    package var readsResource = false
    /// The names of the form's variables that it reads, without `%`.
    package var variables: Set<String>
    /// The items that it names by linkId, and where it looks for them.
    package var named: Set<NamedItem> = []

    package struct NamedItem: Hashable, Sendable {
        /// The element whose direct items are searched.
        package enum Owner: Hashable, Sendable {
            case response
            /// The item with this linkId, or an answer to it.
            case item(String)
            /// It is known only when the expression is evaluated.
            case unknown
        }

        package var linkID: String
        package var owner: Owner
    }

    package init(linkIDs: Set<String>? = [], readsClock: Bool = false, variables: Set<String> = []) {
        self.linkIDs = linkIDs
        self.readsClock = readsClock
        self.variables = variables
    }

    package mutating func formUnion(_ other: ExpressionReads) {
        linkIDs = linkIDs.flatMap { ours in other.linkIDs.map(ours.union) }
        readsClock = readsClock || other.readsClock
        readsResource = readsResource || other.readsResource
        variables.formUnion(other.variables)
        named.formUnion(other.named)
    }
}

extension FormExpression {
    /// - Parameter contextLinkID: the item that is `%context`; `nil`: the response.
    package func reads(contextLinkID: String? = nil) -> ExpressionReads {
        var finder = ReadsFinder(context: contextLinkID.map { .item($0) } ?? .response)
        finder.read(finder.place(of: syntax, this: finder.context))
        return finder.reads
    }

    package var patternCount: Int { syntax.patternCount }
}

/// Follows the paths of an expression through the form, and records which items they read.
private struct ReadsFinder {
    /// Where the elements of a collection are in the response.
    enum Place: Hashable {
        case response
        /// The items directly in that place, with any linkId.
        indirect case items(Place)
        /// The item with this linkId, or something in it.
        case item(String)
        case anywhere
    }

    typealias Places = Set<Place>

    let context: Places
    var reads = ExpressionReads()

    init(context: Place) {
        self.context = [context]
    }

    /// Records that the result depends on the values at these places.
    mutating func read(_ places: Places) {
        for place in places {
            switch place {
            case .item(let linkID): reads.linkIDs?.insert(linkID)
            case .items(.item(let linkID)): reads.linkIDs?.insert(linkID)
            case .response, .items, .anywhere: reads.linkIDs = nil
            }
        }
    }

    /// Records what `syntax` reads on the way. Returns where the elements of its result are.
    mutating func place(of syntax: Syntax, this: Places) -> Places {
        switch syntax.kind {
        case .literal: return []
        case .index:
            // An index depends on which elements there are.
            read(this)
            return []
        case .this: return this
        case .variable("context"): return context
        case .variable("resource"), .variable("rootResource"):
            reads.readsResource = true
            return [.response]
        case .variable(let name):
            if ExpressionVocabulary.constant(name) == nil { reads.variables.insert(name) }
            return []
        case .member(let input, let name):
            let places = input.map { place(of: $0, this: this) } ?? this
            return Set(places.map { member(name, of: $0, isFirst: input == nil) })
        case .element(let input, let number):
            read(place(of: number, this: this))
            let places = place(of: input, this: this)
            read(places)
            return places
        case .matches(let input, _):
            read(input.map { place(of: $0, this: this) } ?? this)
            return []
        case .sign(let operand, _):
            read(place(of: operand, this: this))
            return []
        case .binary(.union, let left, let right):
            return place(of: left, this: this).union(place(of: right, this: this))
        case .binary(let binary, let left, let right):
            if binary == .equal, let linkID = syntax.comparedLinkID {
                reads.named.insert(.init(linkID: linkID, owner: .unknown))
            }
            read(place(of: left, this: this))
            read(place(of: right, this: this))
            return []
        case .call(let input, let function, let arguments):
            return place(of: function, input, arguments, this: this)
        }
    }

    private func member(_ name: String, of place: Place, isFirst: Bool) -> Place {
        switch place {
        // A path may begin with the type's name.
        case .response where isFirst && name == "QuestionnaireResponse": .response
        case .response, .items: name == "item" ? .items(place) : place
        // The items in an item have linkIds of their own.
        case .item: name == "item" ? .items(place) : place
        case .anywhere: .anywhere
        }
    }

    private mutating func place(
        of function: FunctionName, _ input: Syntax?, _ arguments: [Syntax], this: Places
    ) -> Places {
        switch function {
        case .now, .today, .timeOfDay:
            reads.readsClock = true
            return []
        case .all, .children, .contains, .count, .descendants, .duration, .empty, .exists, .first, .iif, .last, .length,
            .matches, .matchesFull, .not, .round, .select, .sum, .toString, .where:
            break
        }
        let places = input.map { place(of: $0, this: this) } ?? this
        switch function {
        case .where:
            if let linkIDs = arguments[0].comparedLinkIDs, places.allSatisfy(\.isAnyItem) {
                for place in places { reads.named.formUnion(linkIDs.map { .init(linkID: $0, owner: place.owner) }) }
                return Set(linkIDs.map { .item($0) })
            }
            read(place(of: arguments[0], this: places))
            return places
        case .select:
            // It is evaluated for each element, so it depends on which there are.
            read(places)
            return place(of: arguments[0], this: places)
        case .iif:
            read(place(of: arguments[0], this: places))
            return arguments.dropFirst().reduce(into: []) { $0.formUnion(place(of: $1, this: places)) }
        case .first, .last:
            // The result depends on which elements there are.
            read(places)
            return places
        case .descendants: return Set(places.map { $0 == .response ? .items(.anywhere) : $0 })
        case .children: return Set(places.map { $0 == .response ? .anywhere : $0 })
        case .all, .exists:
            for argument in arguments { read(place(of: argument, this: places)) }
            read(places)
            return []
        case .contains, .count, .duration, .empty, .length, .matches, .matchesFull, .not, .now, .round, .sum,
            .timeOfDay,
            .today, .toString:
            for argument in arguments { read(place(of: argument, this: this)) }
            read(places)
            return []
        }
    }
}

extension ReadsFinder.Place {
    /// Whether these are items with any linkId, of which `where(linkId = …)` selects some.
    fileprivate var isAnyItem: Bool {
        if case .items = self { true } else { false }
    }

    fileprivate var owner: ExpressionReads.NamedItem.Owner {
        switch self {
        case .items(.response): .response
        case .items(.item(let linkID)): .item(linkID)
        case .items, .response, .item, .anywhere: .unknown
        }
    }
}

extension Syntax {
    /// The linkIds of `linkId = 'a' or linkId = 'b'`; `nil` if the expression has another form.
    var comparedLinkIDs: [String]? {
        if let linkID = comparedLinkID { return [linkID] }
        guard case .binary(.or, let left, let right) = kind, let ours = left.comparedLinkIDs,
            let theirs = right.comparedLinkIDs
        else { return nil }
        return ours + theirs
    }

    fileprivate var patternCount: Int {
        switch kind {
        case .literal, .this, .index, .variable: 0
        case .member(let input, _): input?.patternCount ?? 0
        case .element(let input, let number): input.patternCount + number.patternCount
        case .call(let input, _, let arguments):
            arguments.reduce(input?.patternCount ?? 0) { $0 + $1.patternCount }
        case .matches(let input, let pattern): (input?.patternCount ?? 0) + (pattern == nil ? 0 : 1)
        case .sign(let operand, _): operand.patternCount
        case .binary(_, let left, let right): left.patternCount + right.patternCount
        }
    }
}
