/// Something on the screen of a terminal that can be pressed with a mouse (S-17).
enum PresenterTarget: Hashable, Sendable {
    /// A choice or a button: as though this were typed, with Return.
    case answer(String)
    /// The same as Return.
    case enter
    /// A field of a sign-in: what is typed goes there.
    case field(SignInFields.Field)
    /// It is pressed and later released.
    case hold
    /// On a paywall: it was paid for already.
    case restore
    /// "Not now", and whatever is beside a sheet.
    case dismiss
}

/// Where something can be pressed.
struct PresenterPlace: Hashable {
    let row: Int
    let columns: Range<Int>
    let target: PresenterTarget
}
