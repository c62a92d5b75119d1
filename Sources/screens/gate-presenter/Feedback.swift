import CGTK
import GateModel
import GateWindows

/// The haptic feedback of a button, by feedbackd. If a device has none, success, warnings and errors are a beep.
@GLibLoop
enum Feedback {
    /// The bus is `nil` if the session has none.
    static func give(_ haptic: WhatsNew.Haptic, on bus: SessionBus?) {
        guard let event = event(of: haptic) else { return }
        guard let bus else { return sound(haptic) }
        let name = "org.sigxcpu.Feedback"
        bus.call(
            name, "/org/sigxcpu/Feedback", name, "TriggerFeedback",
            [.string("gate-presenter"), .string(event), .dictionary([:]), .int32(-1)]
        ) { answer in
            if answer == nil { sound(haptic) }
        }
    }

    /// The event in the sound naming specification, which feedbackd uses; `nil` for no feedback.
    private static func event(of haptic: WhatsNew.Haptic) -> String? {
        switch haptic {
        case .none: nil
        case .selection, .light, .medium, .heavy: "button-pressed"
        case .success: "complete"
        case .warning: "dialog-warning"
        case .error: "dialog-error"
        }
    }

    private static func sound(_ haptic: WhatsNew.Haptic) {
        switch haptic {
        case .none, .selection, .light, .medium, .heavy: break
        case .success, .warning, .error: gdk_display_get_default().map { gdk_display_beep($0) }
        }
    }
}
