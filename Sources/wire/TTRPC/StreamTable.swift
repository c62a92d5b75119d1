/// The open streams of a connection, as an array sorted by id. Few streams are open and most ids come in order, so this
/// is several times faster than a dictionary. An id out of order moves at most as many entries as the connection's
/// limit allows. It is inlinable because generic types are many times slower when used across modules.
public struct StreamTable<Stream: Sendable>: Sendable {
    @usableFromInline var entries: [(streamID: UInt32, stream: Stream)] = []

    @inlinable
    public init() {}

    var count: Int { entries.count }

    /// In ascending order.
    var streamIDs: [UInt32] { entries.map(\.streamID) }

    /// `nil` if the stream is not open.
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

    /// Returns false, and changes nothing, if the id is in use.
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

    /// Removes the stream only if the id still belongs to `stream`. Returns whether it did.
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
