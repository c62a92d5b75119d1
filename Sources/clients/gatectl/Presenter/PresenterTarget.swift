/// Something on the screen that can be pressed with a mouse.
enum PresenterTarget: Hashable, Sendable {
    /// A choice or a button: a press is like typing this text and Return.
    case answer(String)
    /// A press is like Return.
    case enter
    /// A field of a sign-in: what is typed afterwards goes there.
    case field(SignInFields.Field)
    /// The button of a hold, which is pressed and later released.
    case hold
    /// The button of a paywall that says: paid already.
    case restore
    /// "Not now", and everything beside a sheet.
    case dismiss
}

struct PresenterPlace: Hashable {
    let row: Int
    let columns: Range<Int>
    let target: PresenterTarget
}
