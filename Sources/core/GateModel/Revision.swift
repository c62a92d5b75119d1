/// Numbers a change. All peers see all changes in this one order.
public struct Revision: Hashable, Sendable {
    /// Changes if the store is replaced. Revisions of different epochs can't be compared.
    public var epoch: UInt64
    /// Grows by one with each committed transition.
    public var number: UInt64

    public init(epoch: UInt64, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }
}

extension Revision: CustomStringConvertible {
    /// The number alone, since the epoch means nothing to people.
    public var description: String { "\(number)" }
}
