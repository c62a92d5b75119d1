/// The holder of a form, and of what was answered (F-39): the account that was signed in; with nobody signed in, the user
/// that the kernel attests.
public struct FormHolder: Hashable, Sendable {
    /// An account or a user.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// The account with this name.
        case account(String)
        /// The user with this uid.
        case user(UInt32)
    }

    /// The account or the user.
    public let kind: Kind
    /// The owner who is billed, where that is somebody else: a user may be a uid of a range, or without an account. `nil`
    /// for all others, and for those who are told of it: who is billed is nobody's business.
    package let otherOwner: Owner?

    private init(_ kind: Kind, billedTo otherOwner: Owner? = nil) {
        self.kind = kind
        self.otherOwner = otherOwner
    }

    /// The account with this name.
    public static func account(_ name: String) -> FormHolder { FormHolder(.account(name)) }

    /// The user with this uid.
    public static func user(_ uid: UInt32) -> FormHolder { FormHolder(.user(uid)) }

    /// A user whose costs are somebody else's.
    package static func subordinate(_ uid: UInt32, of owner: Owner) -> FormHolder {
        FormHolder(.user(uid), billedTo: owner)
    }

    /// The user of this peer.
    package init(userOf peer: Peer) {
        self = peer.owner == .user(peer.uid) ? .user(peer.uid) : .subordinate(peer.uid, of: peer.owner)
    }

    /// As others are told of it.
    package var told: FormHolder { FormHolder(kind) }

    /// Whether its costs are somebody else's.
    package var isSubordinate: Bool { otherOwner != nil }

    /// Whether what both keep counts together.
    package func sharesBill(with other: FormHolder) -> Bool {
        owner == nil ? self == other : owner == other.owner
    }

    /// The owner who is billed; `nil`: the account by itself.
    private var owner: Owner? {
        switch kind {
        case .account: nil
        case .user(let uid): otherOwner ?? .user(uid)
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
    package init(questionnaire: Questionnaire, json: [UInt8]) {
        self.questionnaire = questionnaire
        self.json = json
    }
}

/// A form that is being filled in, without its answers. A holder may have several drafts of a form (F-84).
public struct FormSummary: Hashable, Sendable {
    /// The name of the questionnaire, like "consent".
    public var name: String
    /// The account or user who fills it in.
    public var holder: FormHolder
    /// Names the draft as it is now: a higher one with each change, and never the same twice in the life of a store, whatever
    /// the draft.
    public var revision: UInt64
    /// Which of several drafts: 0 is the one that is opened when nothing is said. The others count up for the life of a store.
    public var draftID: UInt64
    /// The text that tells it from others, like "Anna, Golf": somebody gave it, or its answers make it (F-74). May be empty.
    /// One line of at most 200 bytes.
    public var label: String
    /// When it was opened; `nil` from a daemon that has only one draft of each form.
    public var openedAt: WallTime?

    /// Makes a summary of these values.
    package init(
        name: String, holder: FormHolder, revision: UInt64, draftID: UInt64 = 0, label: String = "",
        openedAt: WallTime? = nil
    ) {
        self.name = name
        self.holder = holder
        self.revision = revision
        self.draftID = draftID
        self.label = label
        self.openedAt = openedAt
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
    /// The label that its draft had when it was kept, like "Anna, Golf". May be empty.
    public var label: String

    /// Makes a summary of these values.
    package init(
        id: UInt64, name: String, version: String?, holder: FormHolder, status: QuestionnaireResponse.Status,
        savedAt: WallTime, label: String = ""
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.holder = holder
        self.status = status
        self.savedAt = savedAt
        self.label = label
    }
}

/// A part, without its answers: what was answered under one `definition`, kept for other forms that ask for the same (F-72).
public struct PartSummary: Hashable, Sendable, Identifiable {
    /// Counts up from 1 for the life of a store.
    public var id: UInt64
    /// The account or user who has answered.
    public var holder: FormHolder
    /// The `definition` of the item that was answered: a URI.
    public var definition: String
    /// The text that tells it from others, like "Schmidt, Anna": somebody gave it, or its answers make it. One line of at most
    /// 200 bytes.
    public var label: String
    /// Whether somebody has saved or named it. What was kept by itself goes by itself when there is no room left.
    public var isNamed: Bool
    /// When it was kept, or changed last.
    public var savedAt: WallTime

    /// Makes a summary of these values.
    package init(
        id: UInt64, holder: FormHolder, definition: String, label: String, isNamed: Bool, savedAt: WallTime
    ) {
        self.id = id
        self.holder = holder
        self.definition = definition
        self.label = label
        self.isNamed = isNamed
        self.savedAt = savedAt
    }
}

/// A form that somebody is to fill in, as a presenter is told of it.
public struct FormInvitation: Hashable, Sendable {
    /// The name of the questionnaire.
    public var name: String
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// Whom it is for.
    public var holder: FormHolder
    /// Only a grown-up completes it.
    public var isForGrownUps: Bool

    /// Makes an invitation of these values.
    public init(name: String, title: LocalizedText, holder: FormHolder, isForGrownUps: Bool) {
        self.name = name
        titles = title
        self.holder = holder
        self.isForGrownUps = isForGrownUps
    }
}
