/// Who shows the presentation of a request.
package enum Presenting: Hashable, Sendable, CaseIterable {
    /// The requester shows it itself.
    case here
    /// A presenter of the device shows it. The request is refused if none can.
    case elsewhere
    /// A presenter of the device shows it, or the requester itself if none can, or if none takes what is no secret.
    case elsewhereIfPossible
}
