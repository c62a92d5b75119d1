import GateModel
import GateTexts

/// The outcome of the start of Gate's own screen. `systemctl enable --now` ends with 0 also where systemd has skipped the unit, for want of a
/// monitor or of the compositor.
enum OwnScreenStart: Hashable {
    case started
    /// A condition in the unit is not met.
    case skipped
    case failed

    /// - Parameters:
    ///   - isActive: whether systemd has it running.
    ///   - conditions: the unit's property ConditionResult, as `systemctl show` prints it; `nil`: it can't be asked.
    init(isActive: Bool, conditions: String?) {
        self =
            if isActive {
                .started
            } else if conditions?.split(separator: "\n").first == "ConditionResult=no" {
                .skipped
            } else {
                .failed
            }
    }

    static func ofThisDevice() -> OwnScreenStart {
        OwnScreenStart(
            isActive: Program.exitStatus(of: ["systemctl", "is-active", "--quiet", Session.screenUnit]) == 0,
            conditions: Program.output(of: ["systemctl", "show", "--property=ConditionResult", Session.screenUnit]))
    }

    /// The thing that was done, in a sentence.
    ///
    /// - Throws: `UNAVAILABLE` where it does not run, and was not skipped either.
    var sentence: String {
        get throws(GateError) {
            switch self {
            case .started:
                localized("{unit} is enabled, and starts with the device.", ["unit": Session.screenUnit])
            case .skipped:
                localized(
                    "{unit} is enabled, but systemd has not started it: something that it needs is not here. `systemctl status {unit}` says what.",
                    ["unit": Session.screenUnit])
            case .failed: throw Self.doesNotStart
            }
        }
    }

    static var doesNotStart: GateError {
        GateError(
            .unavailable, .unspecified,
            saying: localized(
                "{unit} does not start. Look at `systemctl status {unit}`.", ["unit": Session.screenUnit]))
    }
}
