import GateModel
import GateProtocol

/// A place in a sorted list, just after the element with this key. A page token contains it.
struct PageKey: Hashable, Comparable {
    /// The first sort key: a user, an owner, or the index of a provider. `nil` for lists that are sorted by name alone.
    var group: UInt32?
    var name: String

    static func < (left: PageKey, right: PageKey) -> Bool {
        (left.group ?? 0, left.name) < (right.group ?? 0, right.name)
    }

    /// For example "after 1001 link.open" or "after link.open".
    var token: String {
        "after \(group.map { "\($0) " } ?? "")\(name)"
    }

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

/// A part of a list, and where the next part begins.
struct Page<Element> {
    var elements: [Element]
    /// Empty for the last page.
    var nextToken: String

    /// The keys of `elements` are sorted and all different. `size` is what the client asked for; if it is 0 or above
    /// the limit, the limit counts. `token` is from the page before; empty for the first page. `room` is the largest
    /// sum of weights in a page, which always has at least one element.
    /// - Throws: `INVALID_ARGUMENT` if the token did not come from Gate.
    init(
        of elements: [Element], size: Int, after token: String, limit: Int, hasGroups: Bool,
        room: Int = .max, weight: (Element) -> Int = { _ in 0 }, key: (Element) -> PageKey
    ) throws(GateError) {
        var rest = elements[...]
        if !token.isEmpty {
            guard let last = PageKey(token: token, hasGroup: hasGroups) else {
                throw .invalid(
                    "page_token",
                    "'page_token' is not one that gated gave. Take it from the answer before, or leave it empty.")
            }
            rest = rest.drop { key($0) <= last }
        }
        var page = rest.prefix(size > 0 ? min(size, limit) : limit)
        var taken = page.first.map(weight) ?? 0
        let full = page.indices.dropFirst().first { index in
            taken += weight(page[index])
            return taken > room
        }
        if let full { page = page[..<full] }
        self.elements = Array(page)
        nextToken = page.count < rest.count ? page.last.map { key($0).token } ?? "" : ""
    }

    /// The page that a client asks for, within the daemon's limits of a page.
    init(
        of elements: [Element], for request: some PagedRequest, _ limits: DaemonLimits, hasGroups: Bool = false,
        weight: (Element) -> Int = { _ in 0 }, key: (Element) -> PageKey
    ) throws(GateError) {
        try self.init(
            of: elements, size: request.pageSize, after: request.pageToken, limit: limits.pageSize,
            hasGroups: hasGroups, room: limits.pageFields, weight: weight, key: key)
    }
}
