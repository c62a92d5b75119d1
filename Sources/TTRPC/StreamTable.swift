/// Open streams by their ids: an array in order of ids. Most ids come in order and few are open, so that this is
/// several times quicker than hashing them; and a connection's limit bounds what must be moved when one does not come
/// in order. Inlinable, since a generic type of another module is many times slower.
public struct StreamTable<Stream: Sendable>: Sendable {
    @usableFromInline var entries: [(streamID: UInt32, stream: Stream)] = []

    @inlinable
    public init() {}

    var count: Int { entries.count }

    /// In ascending order.
    var streamIDs: [UInt32] { entries.map(\.streamID) }

    /// `nil`: it is not open.
    @inlinable
    public subscript(streamID: UInt32) -> Stream? {
        get {
            let index = firstIndex(notBelow: streamID)
            guard index < entries.count, entries[index].streamID == streamID else { return nil }
            return entries[index].stream
        }
        set {
            _ = remove(streamID)
            if let newValue { _ = insert(newValue, for: streamID) }
        }
    }

    /// Returns whether the id was free; where not, nothing changes.
    @inlinable
    mutating func insert(_ stream: Stream, for streamID: UInt32) -> Bool {
        let index = firstIndex(notBelow: streamID)
        guard index == entries.count || entries[index].streamID != streamID else { return false }
        entries.insert((streamID, stream), at: index)
        return true
    }

    @inlinable
    mutating func remove(_ streamID: UInt32) -> Stream? {
        let index = firstIndex(notBelow: streamID)
        guard index < entries.count, entries[index].streamID == streamID else { return nil }
        return entries.remove(at: index).stream
    }

    /// Removes this stream. Returns false, and does nothing, where the id is free, or another one's by now.
    @inlinable
    public mutating func remove(_ stream: Stream, for streamID: UInt32) -> Bool where Stream: Equatable {
        let index = firstIndex(notBelow: streamID)
        guard index < entries.count, entries[index].streamID == streamID, entries[index].stream == stream
        else { return false }
        entries.remove(at: index)
        return true
    }

    @inlinable
    func firstIndex(notBelow streamID: UInt32) -> Int {
        guard let last = entries.last, last.streamID >= streamID else { return entries.count }
        var low = 0
        var high = entries.count - 1
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].streamID < streamID { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
