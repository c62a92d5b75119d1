package import GateModel
import GateTexts

/// Something that a person can do in gate-settings. Each act is what a verb of gatectl does.
package enum SettingsAct: Hashable, Sendable {
    case enterParentMode
    /// Asks for more time in parent mode.
    case extend
    case lock
    /// Takes the open question back.
    case takeBack
    case revokeGrant(uid: UInt32, gatedAction: String)
    /// Says yes or no to an ask. A no also takes back a yes as long as it holds.
    case answerAsk(UInt64, AskAnswer)
    /// Takes an ask of this user's own back, or the yes to it.
    case withdrawAsk(UInt64)
    /// Asks a grown-up for more time for the gated action with this name.
    case askMoreTime(String)
    /// Asks the daemon what a change of a gate would do, and then the person whether to make it.
    case checkGate(ChosenGate)
    /// Makes the change. The daemon has said what it would do.
    case changeGate(ChosenGate, ChangedGate)
    /// Opens a dialog with fields for names, passwords and the like.
    case open(SettingsDialog)
    case logOut
    case removePerson(String)
    /// Revokes a claim on an entitlement or a product with this name.
    case revokeClaim(Claim.ID, name: String)
    case requestForm(String)
    case withdrawResponse(UInt64)
    case showResponse(UInt64)
    /// Forgets wrong answers. `nil`: of all users, at all gates.
    case clearLockouts(uid: UInt32?, gate: Lockout.Gate?)
    case removeSecret(SecretKind)
    case enrolAuthenticator
    /// Shows older entries of the journal if positive, newer ones if negative.
    case turnJournal(by: Int)
    case reloadPolicy
    case lockDevice(HouseholdMember)
    case lockAllDevices
    /// Opens the assistant that sets the device up.
    case setUp
    /// Turns age ranges on or off.
    case setAges(AgeSettings)
    /// Chooses whether an app gets this person's age range.
    case chooseAge(AgeChoice, app: String, person: String)
    /// Extends parent mode on another device beyond this end; `nil` if its end is not known.
    case extendDevice(HouseholdMember, until: WallTime?)

    /// The question before an act that can't be undone, or has consequences to be seen first; `nil`: just do it.
    package var confirmation: Confirmation? {
        switch self {
        case .removePerson(let name):
            Confirmation(
                localized("Remove {name}?", ["name": name.replacingHidden]),
                localized("The person is taken off the list, with their purchases, and is signed out."),
                localized("Remove"))
        case .revokeClaim(_, let name):
            Confirmation(
                localized("Take {name} back?", ["name": name.replacingHidden]),
                localized("What it unlocked ends at once."), localized("Take back"))
        case .withdrawResponse:
            Confirmation(
                localized("Withdraw this response?"),
                localized("A completed response is kept, but marked as entered in error, and no longer counts."),
                localized("Withdraw"))
        case .removeSecret(.passcode):
            Confirmation(
                localized("Remove the passcode?"),
                localized(
                    "If the policy asks for a passcode, Gate then asks for the authenticator; without one, only administrators enter parent mode."
                ), localized("Remove"))
        case .removeSecret(.totp):
            Confirmation(
                localized("Remove the authenticator?"),
                localized(
                    "If the policy asks for its code, Gate then asks for the passcode; without one, only administrators enter parent mode."
                ), localized("Remove"))
        case .changeGate(let change, let checked): change.confirmation(checked)
        case .setUp, .enterParentMode, .extend, .lock, .takeBack, .revokeGrant, .answerAsk, .withdrawAsk,
            .askMoreTime, .checkGate, .open, .logOut, .requestForm, .showResponse, .clearLockouts, .enrolAuthenticator,
            .turnJournal, .reloadPolicy, .lockDevice, .lockAllDevices, .extendDevice, .setAges, .chooseAge:
            nil
        }
    }

    package struct Confirmation: Hashable, Sendable {
        package let title: String
        /// What happens after a yes.
        package let text: String
        /// The label of the button that does it.
        package let button: String
        /// Whether something is lost by it.
        package let isDestructive: Bool

        init(_ title: String, _ text: String, _ button: String, isDestructive: Bool = true) {
            self.title = title
            self.text = text
            self.button = button
            self.isDestructive = isDestructive
        }
    }
}
