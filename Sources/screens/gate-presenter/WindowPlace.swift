import CGTK

/// Where the windows stand.
enum WindowPlace {
    /// On a desktop. `hasKeys`: there is a keyboard, or no touch screen either.
    case session(hasKeys: Bool)
    /// On a screen of its own, with the word that tells it from an imitation; `nil`: none was chosen.
    case ownScreen(word: String?)

    /// The desktop that this program runs on, as it is now: keyboards come and go.
    static var desktop: WindowPlace {
        guard let seat = gdk_display_get_default().flatMap({ gdk_display_get_default_seat($0) }) else {
            return .session(hasKeys: true)
        }
        let all = gdk_seat_get_capabilities(seat).rawValue
        let hasTouch = all & GDK_SEAT_CAPABILITY_TOUCH.rawValue != 0
        return .session(hasKeys: !hasTouch || all & GDK_SEAT_CAPABILITY_KEYBOARD.rawValue != 0)
    }

    var offersKeyboard: Bool {
        switch self {
        case .session(let hasKeys): !hasKeys
        case .ownScreen: true
        }
    }
}
