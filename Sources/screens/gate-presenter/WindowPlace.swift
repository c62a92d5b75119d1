import CGTK

enum WindowPlace {
    /// On a desktop. `hasKeys`: there is a keyboard, or there is no touch screen.
    case session(hasKeys: Bool)
    /// On Gate's own screen, with the word that tells it from an imitation; `nil` if none was chosen.
    case ownScreen(word: String?)

    /// The desktop as it is now, because keyboards can be plugged in and out.
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
