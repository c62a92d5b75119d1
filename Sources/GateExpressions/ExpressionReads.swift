/// All that an expression reads, found without evaluating it: where none of this changes, its result is the same.
package struct ExpressionReads: Hashable, Sendable {
    /// The linkIds of the items that it reads, with all that is in them. `nil`: it may read any item.
    package var linkIDs: Set<String>?
    /// Whether it asks for the day or the time.
    package var readsClock: Bool
    /// Whether it begins at the response, and not at the item that it belongs to alone.
    package var readsResource = false
    /// The host's variables that it reads, without `%`.
    package var variables: Set<String>
    /// The items that it names, with what each is looked for in.
    package var named: Set<NamedItem> = []

    /// An item that an expression names by its linkId.
    package struct NamedItem: Hashable, Sendable {
        /// The place that it is looked for directly in.
        package enum Owner: Hashable, Sendable {
            case response
            /// The item with this linkId, or an answer to it.
            case item(String)
            /// That can't be said.
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

    /// All that both read.
    package mutating func formUnion(_ other: ExpressionReads) {
        linkIDs = linkIDs.flatMap { ours in other.linkIDs.map(ours.union) }
        readsClock = readsClock || other.readsClock
        readsResource = readsResource || other.readsResource
        variables.formUnion(other.variables)
        named.formUnion(other.named)
    }
}

extension FormExpression {
    /// All that it reads.
    ///
    /// - Parameter contextLinkID: the item that `%context` is. `nil`: it is the response.
    package func reads(contextLinkID: String? = nil) -> ExpressionReads {
        var finder = ReadsFinder(context: contextLinkID.map { .item($0) } ?? .response)
        finder.read(finder.place(of: syntax, this: finder.context))
        return finder.reads
    }

    /// The patterns in it.
    package var patternCount: Int { syntax.patternCount }
}

/// Follows the paths of an expression, and notes where each of them ends.
private struct ReadsFinder {
    /// Where the items of a collection are from.
    enum Place: Hashable {
        /// They are the response itself.
        case response
        /// They are `item` of that, of any linkId.
        indirect case items(Place)
        /// They are of the item with this linkId, or in it.
        case item(String)
        /// They are anywhere.
        case anywhere
    }

    typealias Places = Set<Place>

    let context: Places
    var reads = ExpressionReads()

    init(context: Place) {
        self.context = [context]
    }

    /// Notes that the values there count.
    mutating func read(_ places: Places) {
        for place in places {
            switch place {
            case .item(let linkID): reads.linkIDs?.insert(linkID)
            case .items(.item(let linkID)): reads.linkIDs?.insert(linkID)
            case .response, .items, .anywhere: reads.linkIDs = nil
            }
        }
    }

    /// Where the items of its result are from; what it reads on the way is noted.
    mutating func place(of syntax: Syntax, this: Places) -> Places {
        switch syntax.kind {
        case .literal: return []
        case .index:
            // It is counted among those that are there.
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
        // The name of the type, before a path.
        case .response where isFirst && name == "QuestionnaireResponse": .response
        case .response, .items: name == "item" ? .items(place) : place
        // What is in an item may be another one, which has a linkId of its own.
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
            // Once for each that is there.
            read(places)
            return place(of: arguments[0], this: places)
        case .iif:
            read(place(of: arguments[0], this: places))
            return arguments.dropFirst().reduce(into: []) { $0.formUnion(place(of: $1, this: places)) }
        case .first, .last:
            // Whichever is there.
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
    /// Whether `where(linkId = …)` says which item it is.
    fileprivate var isAnyItem: Bool {
        if case .items = self { true } else { false }
    }

    /// The place that items that are here are directly in.
    fileprivate var owner: ExpressionReads.NamedItem.Owner {
        switch self {
        case .items(.response): .response
        case .items(.item(let linkID)): .item(linkID)
        case .items, .response, .item, .anywhere: .unknown
        }
    }
}

extension Syntax {
    /// The linkIds of `linkId = 'a' or linkId = 'b'`. `nil`: it is something else.
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
