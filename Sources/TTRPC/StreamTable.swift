/// Open streams by their ids: an array in order of ids. Most ids come in order and few are open, so that this is
/// several times quicker than hashing them; and a connection's limit bounds what must be moved when one does not come
/// in order.
struct StreamTable<Stream: Sendable>: Sendable {
    private var entries: [(streamID: UInt32, stream: Stream)] = []

    var count: Int { entries.count }

    /// In ascending order.
    var streamIDs: [UInt32] { entries.map(\.streamID) }

    subscript(streamID: UInt32) -> Stream? {
        let index = firstIndex(notBelow: streamID)
        guard index < entries.count, entries[index].streamID == streamID else { return nil }
        return entries[index].stream
    }

    /// Returns whether the id was free; where not, nothing changes.
    mutating func insert(_ stream: Stream, for streamID: UInt32) -> Bool {
        let index = firstIndex(notBelow: streamID)
        guard index == entries.count || entries[index].streamID != streamID else { return false }
        entries.insert((streamID, stream), at: index)
        return true
    }

    mutating func remove(_ streamID: UInt32) -> Stream? {
        let index = firstIndex(notBelow: streamID)
        guard index < entries.count, entries[index].streamID == streamID else { return nil }
        return entries.remove(at: index).stream
    }

    private func firstIndex(notBelow streamID: UInt32) -> Int {
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
