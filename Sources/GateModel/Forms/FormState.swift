/// The holder of a form, and of what was answered (F-39): the account that was signed in; with nobody signed in, the user
/// that the kernel attests.
@nonexhaustive
public enum FormHolder: Hashable, Sendable {
    /// The account with this name.
    case account(String)
    /// The user with this uid.
    case user(UInt32)
    /// A user whose costs are somebody else's: a uid of a range, or without an account.
    case subordinate(UInt32, of: Owner)

    /// The user of this peer.
    public init(userOf peer: Peer) {
        self = peer.owner == .user(peer.uid) ? .user(peer.uid) : .subordinate(peer.uid, of: peer.owner)
    }

    /// As others are told of it: who is billed is nobody's business.
    public var told: FormHolder {
        switch self {
        case .account, .user: self
        case .subordinate(let uid, _): .user(uid)
        }
    }

    /// Whether its costs are somebody else's.
    public var isSubordinate: Bool {
        switch self {
        case .subordinate: true
        case .account, .user: false
        }
    }

    /// Whether what both keep counts together.
    public func sharesBill(with other: FormHolder) -> Bool {
        owner == nil ? self == other : owner == other.owner
    }

    /// The owner who is billed; `nil`: the account by itself.
    private var owner: Owner? {
        switch self {
        case .account: nil
        case .user(let uid): .user(uid)
        case .subordinate(_, let owner): owner
        }
    }
}

/// A form as the device has it.
public struct FormDescription: Hashable, Sendable {
    /// The form, as far as Gate reads it.
    public var questionnaire: Questionnaire
    /// The resource as FHIR JSON in UTF-8, complete, as it goes to the program that shows it.
    public var json: [UInt8]

    /// Makes a description of these values.
    public init(questionnaire: Questionnaire, json: [UInt8]) {
        self.questionnaire = questionnaire
        self.json = json
    }
}

/// A form that is being filled in, without its answers. A holder has at most one draft of each form.
public struct FormSummary: Hashable, Sendable {
    /// The name of the questionnaire, like "consent".
    public var name: String
    /// The account or user who fills it in.
    public var holder: FormHolder
    /// Names the draft as it is now: a higher one with each change, and never the same twice in the life of a store, whatever
    /// the draft.
    public var revision: UInt64

    /// Makes a summary of these values.
    public init(name: String, holder: FormHolder, revision: UInt64) {
        self.name = name
        self.holder = holder
        self.revision = revision
    }
}

/// The record of a kept response, without its answers.
public struct ResponseSummary: Hashable, Sendable, Identifiable {
    /// Counts up from 1 for the life of a store.
    public var id: UInt64
    /// The name of the questionnaire.
    public var name: String
    /// The version of the questionnaire when it was answered.
    public var version: String?
    /// The account or user who has answered.
    public var holder: FormHolder
    /// `inProgress`: saved on the way; `completed`: it stands; `enteredInError`: it was withdrawn.
    public var status: QuestionnaireResponse.Status
    /// When it was kept.
    public var savedAt: WallTime

    /// Makes a summary of these values.
    public init(
        id: UInt64, name: String, version: String?, holder: FormHolder, status: QuestionnaireResponse.Status,
        savedAt: WallTime
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.holder = holder
        self.status = status
        self.savedAt = savedAt
    }
}

/// A form that somebody is to fill in, as a presenter is told of it.
public struct FormInvitation: Hashable, Sendable {
    /// The name of the questionnaire.
    public var name: String
    /// The title that people read.
    public var title: String
    /// Whom it is for.
    public var holder: FormHolder
    /// Only a grown-up completes it.
    public var isForGrownUps: Bool

    /// Makes an invitation of these values.
    public init(name: String, title: String, holder: FormHolder, isForGrownUps: Bool) {
        self.name = name
        self.title = title
        self.holder = holder
        self.isForGrownUps = isForGrownUps
    }
}
