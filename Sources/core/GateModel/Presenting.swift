/// Where a requester wants the person to be asked.
package enum Presenting: Hashable, Sendable, CaseIterable {
    /// The requester shows what is to be shown itself.
    case here
    /// A presenter of the device shows it. The request is refused if none can.
    case elsewhere
    /// A presenter of the device shows it, and the requester itself if none can.
    case elsewhereIfPossible
}
