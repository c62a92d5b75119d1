/// Who shows the presentation of a request.
package enum Presenting: Hashable, Sendable, CaseIterable {
    /// The requester shows it itself.
    case here
    /// A presenter of the device shows it. The request is refused if none can.
    case elsewhere
    /// A presenter of the device shows it if one can. If none can any more, the requester shows it, if it is allowed
    /// to. A question that is not for grown-ups also goes to the requester if no presenter claims it for a while.
    case elsewhereIfPossible
}
