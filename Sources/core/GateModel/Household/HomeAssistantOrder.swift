/// Something that Home Assistant wants of a device. No guardian has signed it.
package enum HomeAssistantOrder: Hashable, Sendable {
    /// Child mode, at once.
    case lock
    /// Parent mode runs for so long from then on; `nil`: as the device is configured.
    case extend(Duration?)
    /// A yes or no to the question with this number, as Home Assistant was told of it.
    case answer(UInt64, isApproved: Bool)

    /// The permission that it takes; `nil`: it is always allowed, because it opens nothing.
    package var permission: HomeAssistantPermission? {
        switch self {
        case .lock: nil
        case .extend: .extend
        case .answer: .answer
        }
    }
}
