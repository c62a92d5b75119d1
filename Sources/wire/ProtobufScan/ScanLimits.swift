/// How much one message may hold before it is unpacked.
///
/// libprotobuf-c unpacks as deep as the bytes say, and gives every element memory of its own: 4 MiB of empty
/// submessages become 194 MB. What is under these limits unpacks to a few hundred KiB at most.
public struct ScanLimits: Hashable, Sendable {
    /// The outermost message is at depth 1.
    public var maximumDepth: Int
    /// Fields and packed elements, at all depths together. A field that is unknown counts, too.
    public var maximumFields: Int

    public init(maximumDepth: Int, maximumFields: Int) {
        self.maximumDepth = maximumDepth
        self.maximumFields = maximumFields
    }

    /// Depth 16, and 4,096 fields.
    public static let standard = ScanLimits(maximumDepth: 16, maximumFields: 4096)
    /// As many fields as a list of 10,000 elements has, each with what belongs to it. Only for the answers of a daemon whose user was
    /// checked: unpacked they may take some 20 MiB.
    public static let longList = ScanLimits(maximumDepth: 16, maximumFields: 200_000)
}
