import GateModel

/// A place in a sorted list, as a token says it: after this element.
struct PageKey: Hashable, Comparable {
    /// The first key of the list: the user, or the place of the provider. `nil` in lists by name alone.
    var group: UInt32?
    var name: String

    static func < (left: PageKey, right: PageKey) -> Bool {
        (left.group ?? 0, left.name) < (right.group ?? 0, right.name)
    }

    /// "after 1001 link.open", or "after link.open".
    var token: String {
        "after \(group.map { "\($0) " } ?? "")\(name)"
    }

    /// - Parameter hasGroup: whether the list is by something else than names first.
    init?(token: String, hasGroup: Bool) {
        let parts = token.split(separator: " ", maxSplits: hasGroup ? 2 : 1, omittingEmptySubsequences: false)
        guard parts.count == (hasGroup ? 3 : 2), parts[0] == "after", let name = parts.last else { return nil }
        if hasGroup {
            guard let group = UInt32(parts[1]) else { return nil }
            self.group = group
        }
        self.name = String(name)
    }

    init(group: UInt32? = nil, name: String) {
        self.group = group
        self.name = name
    }
}

/// A part of a list, and where the next one begins.
struct Page<Element> {
    var elements: [Element]
    /// Empty: that was all.
    var nextToken: String

    /// - Parameters:
    ///   - elements: sorted by their keys, which are all different.
    ///   - size: as asked for; 0, and whatever is more than the limit: the limit.
    ///   - token: as an earlier page gave it; empty: from the beginning.
    /// - Throws: `INVALID_ARGUMENT` where the token is none of ours.
    init(
        of elements: [Element], size: Int, after token: String, limit: Int, hasGroups: Bool, key: (Element) -> PageKey
    ) throws(GateError) {
        var rest = elements[...]
        if !token.isEmpty {
            guard let last = PageKey(token: token, hasGroup: hasGroups) else {
                throw GateError(
                    .invalidArgument, .invalidRequest,
                    "'page_token' is not one that gated gave. Take it from the answer before, or leave it empty.")
            }
            rest = rest.drop { key($0) <= last }
        }
        let page = rest.prefix(size > 0 ? min(size, limit) : limit)
        self.elements = Array(page)
        nextToken = page.count < rest.count ? page.last.map { key($0).token } ?? "" : ""
    }
}
