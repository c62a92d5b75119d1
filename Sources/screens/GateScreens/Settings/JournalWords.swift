import GateModel
import GateTexts

enum JournalWords {
    static func text(_ subject: JournalFilter.Subject) -> String {
        switch subject {
        case .all: localized("Everything")
        case .mode: localized("Parent mode")
        case .questions: localized("Questions and answers")
        case .grants: localized("Permissions")
        case .people: localized("People")
        case .purchases: localized("Purchases")
        case .forms: localized("Forms and news")
        case .administration: localized("Set-up")
        }
    }

    static func text(_ period: JournalFilter.Period) -> String {
        switch period {
        case .all: localized("At any time")
        case .today: localized("Today")
        case .week: localized("In the last 7 days")
        case .month: localized("In the last 30 days")
        }
    }

    static func text(_ kind: AuditEntry.Kind) -> String {
        switch kind.subject {
        case .mode, .questions, .grants: answering(kind)
        case .people, .purchases: people(kind)
        case .all, .forms, .administration: others(kind)
        }
    }

    private static func answering(_ kind: AuditEntry.Kind) -> String {
        switch kind {
        case .parentEntered: localized("Parent mode began")
        case .parentLeft: localized("Parent mode was left")
        case .locked: localized("The device was locked")
        case .extended: localized("Parent mode was extended")
        case .leaseExpired: localized("Parent mode ended by itself")
        case .overridden: localized("An administrator set the mode")
        case .challengeOpened: localized("A question was asked")
        case .answeredRight: localized("Answered right")
        case .answeredWrong: localized("Answered wrong")
        case .dismissed: localized("Closed without an answer")
        case .expired: localized("Nobody answered in time")
        case .cancelled: localized("The request was taken back")
        case .requesterLost: localized("The program that asked has ended")
        case .withdrawn: localized("A question was withdrawn")
        case .lockedOut: localized("Too many wrong or missing answers")
        case .lockoutCleared: localized("Wrong answers were cleared")
        case .claimed: localized("A screen took a question")
        case .shown: localized("A question was shown")
        case .presenterLost: localized("The screen with a question was closed")
        case .refused: localized("A grown-up said no")
        case .granted: localized("Something was allowed")
        case .redeemed: localized("A permission was used")
        case .revoked: localized("Permissions were ended")
        case .grantExpired: localized("A permission ended unused")
        case .used: localized("A program was used")
        case _: kind.rawValue
        }
    }

    private static func people(_ kind: AuditEntry.Kind) -> String {
        switch kind {
        case .signInOpened: localized("A sign-in was shown")
        case .signedIn: localized("Somebody signed in")
        case .signInFailed: localized("A sign-in failed")
        case .signedOut: localized("Somebody signed out")
        case .sessionExpired: localized("A sign-in ended by itself")
        case .registered: localized("A person was added")
        case .passwordChanged: localized("A password was changed")
        case .personSet: localized("The list of people was changed")
        case .accountRemoved: localized("A person was removed")
        case .accountConfirmed: localized("A person was confirmed")
        case .ageSettingsChanged: localized("Age ranges were changed")
        case .ageChosen: localized("It was chosen what an app is told of an age")
        case .paywallOpened: localized("A paywall was shown")
        case .paid: localized("Something was paid for")
        case .entitlementClaimed: localized("A provider reported a purchase")
        case .claimRevoked: localized("An administrator took a purchase back")
        case .entitlementChanged: localized("Purchases changed")
        case .providerChanged: localized("A store went offline or came back")
        case _: kind.rawValue
        }
    }

    private static func others(_ kind: AuditEntry.Kind) -> String {
        switch kind {
        case .formAsked: localized("A form was asked for")
        case .formOpened: localized("A form was opened")
        case .formSaved: localized("A form was saved")
        case .formCompleted: localized("A form was completed")
        case .formDiscarded: localized("A draft was discarded")
        case .responseWithdrawn: localized("A response was withdrawn")
        case .whatsNewOpened: localized("News about an app was shown")
        case .whatsNewSeen: localized("Somebody saw the news about an app")
        case .whatsNewReset: localized("News about an app counts as unseen again")
        case .started: localized("Gate started")
        case .storeDamaged: localized("Damaged data was set aside")
        case .recovered: localized("Gate was recovered after damage")
        case .reloaded: localized("The policy was read again")
        case .gateChanged: localized("A gate was changed")
        case .secretSet: localized("A passcode or an authenticator was set up")
        case .secretRemoved: localized("A passcode or an authenticator was removed")
        case .householdListed: localized("The household has a new list of devices")
        case .commandSent: localized("A command went to other devices")
        case .backedUp: localized("A backup was made")
        case .restored: localized("A backup was restored")
        case .unrecognized: localized("Something that this version does not know")
        case _: kind.rawValue
        }
    }
}
