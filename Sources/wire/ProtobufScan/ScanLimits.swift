/// The most that a message may hold to be unpacked. libprotobuf-c unpacks to any depth and allocates each element: 4
/// MiB of empty submessages become 194 MB. Within `standard`, a message unpacks to at most a few hundred KiB besides
/// its strings and bytes.
public struct ScanLimits: Hashable, Sendable {
    /// The most messages inside one another; the outermost message is at depth 1.
    public var maximumDepth: Int
    /// The most fields and packed elements, at all depths together. Unknown fields count, too.
    public var maximumFields: Int
    /// The most combining marks in a row in a string. Swift sorts them at each comparison or hash, in a time that grows
    /// with the square of their number: 60 KB of marks take most of a second. No language writes more than a few.
    public static let maximumMarks = 128

    public init(maximumDepth: Int, maximumFields: Int) {
        self.maximumDepth = maximumDepth
        self.maximumFields = maximumFields
    }

    /// For all that peers send to the daemon, and for most answers.
    public static let standard = ScanLimits(maximumDepth: 16, maximumFields: 4096)
    /// Enough fields for a list of 10,000 elements with all their parts. They may take some 20 MiB when they are
    /// unpacked, so these limits are only for answers of a daemon whose user was checked.
    public static let longList = ScanLimits(maximumDepth: 16, maximumFields: 200_000)
}
