import GateModel
import GateTexts

/// Whether Gate's own screen was started. This has to be asked, since `systemctl enable --now` also succeeds if systemd
/// skipped the unit because there is no monitor or no compositor.
enum OwnScreenStart: Hashable {
    case started
    case skipped
    case failed

    /// `conditions` is the unit's property ConditionResult, as `systemctl show` prints it; `nil` if that failed.
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
            isActive: SystemdUnit(Session.screenUnit).isActive,
            conditions: Program.output(of: ["systemctl", "show", "--property=ConditionResult", Session.screenUnit]))
    }

    /// - Throws: `UNAVAILABLE` if the unit does not run, and was not skipped either.
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
