/// The place of a change in the one order of changes (F-63, G-01).
public struct Revision: Hashable, Sendable {
    /// Changes when the store is replaced; revisions of different epochs can't be compared.
    public var epoch: UInt64
    /// Grows by one with each committed transition.
    public var number: UInt64

    /// Makes a revision of these values.
    public init(epoch: UInt64, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }
}

extension Revision: CustomStringConvertible {
    /// The number alone: the epoch matters to programs.
    public var description: String { "\(number)" }
}
