package import GateModel
import GateTexts

/// Something that a person can do in gate-settings; each is what a verb of gatectl does.
package enum SettingsAct: Hashable, Sendable {
    /// Asks for parent mode.
    case enterParentMode
    /// Asks for more time in parent mode.
    case extend
    /// Locks.
    case lock
    /// Takes the open question back.
    case takeBack
    /// Ends a kept grant.
    case revokeGrant(uid: UInt32, gatedAction: String)
    /// Opens what a name and passwords are typed into.
    case open(SettingsDialog)
    /// Signs out.
    case logOut
    /// Removes an account.
    case removeAccount(String)
    /// Takes a claim back, of what is called so.
    case revokeClaim(Claim.ID, name: String)
    /// Asks for a form.
    case requestForm(String)
    /// Withdraws a response.
    case withdrawResponse(UInt64)
    /// Shows what a response says.
    case showResponse(UInt64)
    /// Forgets wrong answers; `nil`: everybody's, everywhere.
    case clearLockouts(uid: UInt32?, gate: Lockout.Gate?)
    /// Forgets the passcode or the authenticator.
    case removeSecret(SecretKind)
    /// Enrols an authenticator.
    case enrolAuthenticator
    /// Shows older entries of the journal, or newer ones.
    case turnJournal(by: Int)
    /// Reads the policy files again.
    case reloadPolicy
    /// Locks another device of the household.
    case lockDevice(HouseholdMember)
    /// Locks all other devices of the household.
    case lockAllDevices
    /// Has parent mode on another device last longer than until then; `nil`: its end is not known.
    case extendDevice(HouseholdMember, until: WallTime?)

    /// The question before something that cannot be taken back; `nil`: it is done at once.
    package var confirmation: Confirmation? {
        switch self {
        case .removeAccount(let name):
            Confirmation(
                localized("Remove {name}?", ["name": name.replacingHidden]),
                localized("The account goes, with its purchases. Anyone who is signed in with it is signed out."),
                localized("Remove"))
        case .revokeClaim(_, let name):
            Confirmation(
                localized("Take {name} back?", ["name": name.replacingHidden]),
                localized("What was given through it ends at once."), localized("Take back"))
        case .withdrawResponse:
            Confirmation(
                localized("Withdraw this response?"),
                localized("A completed one stays, marked as entered in error, and no longer counts."),
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
        case .enterParentMode, .extend, .lock, .takeBack, .revokeGrant, .open, .logOut, .requestForm, .showResponse,
            .clearLockouts, .enrolAuthenticator, .turnJournal, .reloadPolicy, .lockDevice, .lockAllDevices,
            .extendDevice:
            nil
        }
    }

    /// A question before an act.
    package struct Confirmation: Hashable, Sendable {
        /// The question.
        package let title: String
        /// The consequence of a yes.
        package let text: String
        /// The button that does it.
        package let button: String

        init(_ title: String, _ text: String, _ button: String) {
            self.title = title
            self.text = text
            self.button = button
        }
    }
}
