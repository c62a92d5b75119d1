/// What Home Assistant wants a device to do. Such an order is not signed by a guardian.
package enum HomeAssistantOrder: Hashable, Sendable {
    /// Go to child mode at once.
    case lock
    /// Let parent mode last this long from when the order arrives; `nil`: as long as the device's policy says.
    case extend(Duration?)
    /// Answer the question with this number, which Home Assistant was told.
    case answer(UInt64, AskAnswer)

    /// A plain answer: a yes is for once.
    package static func answer(_ number: UInt64, isApproved: Bool) -> HomeAssistantOrder {
        .answer(number, isApproved ? .yes(.once) : .no)
    }

    /// The permission that the order needs; `nil` for a lock, which is always allowed because it allows nothing.
    package var permission: HomeAssistantPermission? {
        switch self {
        case .lock: nil
        case .extend: .extend
        case .answer: .answer
        }
    }
}
