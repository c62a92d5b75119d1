/// To whom a form and its answers belong: the user whom the kernel attests, if it is one person's own or nobody is
/// signed in; otherwise the account that is signed in.
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
    /// The owner who is billed, if that is not the user itself, because the uid is in somebody's range or has no
    /// account. `nil` for all other holders, and for a holder as other peers see it (`told`).
    package let otherOwner: Owner?

    private init(_ kind: Kind, billedTo otherOwner: Owner? = nil) {
        self.kind = kind
        self.otherOwner = otherOwner
    }

    /// A holder that is an account.
    public static func account(_ name: String) -> FormHolder { FormHolder(.account(name)) }

    /// A holder that is a user, by uid.
    public static func user(_ uid: UInt32) -> FormHolder { FormHolder(.user(uid)) }

    /// A user for whose use another owner is billed (`otherOwner`).
    package static func subordinate(_ uid: UInt32, of owner: Owner) -> FormHolder {
        FormHolder(.user(uid), billedTo: owner)
    }

    package init(userOf peer: Peer) {
        self = peer.owner == .user(peer.uid) ? .user(peer.uid) : .subordinate(peer.uid, of: peer.owner)
    }

    /// The holder as others may see it, without the owner who is billed.
    package var told: FormHolder { FormHolder(kind) }

    package var isSubordinate: Bool { otherOwner != nil }

    /// Whether a limit counts what this holder keeps and what `other` keeps together.
    package func sharesBill(with other: FormHolder) -> Bool {
        owner == nil ? self == other : owner == other.owner
    }

    /// The owner who is billed; `nil` for an account, which has limits of its own.
    private var owner: Owner? {
        switch kind {
        case .account: nil
        case .user(let uid): otherOwner ?? .user(uid)
        }
    }
}

/// The whole content of a form that is installed on the device, or that an app brought.
public struct FormDescription: Hashable, Sendable {
    /// The part of the form that Gate itself reads.
    public var questionnaire: Questionnaire
    /// The complete FHIR resource as JSON in UTF-8, for the program that shows the form.
    public var json: [UInt8]

    package init(questionnaire: Questionnaire, json: [UInt8]) {
        self.questionnaire = questionnaire
        self.json = json
    }
}

/// A draft: a form that is being filled in, without its answers. A holder may have several drafts of a form.
public struct FormSummary: Hashable, Sendable {
    /// The name of the form, like "consent".
    public var name: String
    /// Who fills it in.
    public var holder: FormHolder
    /// Grows with each change of the draft, to a number that no other draft ever had in the life of the store.
    public var revision: UInt64
    /// Tells drafts of a form apart: 0 is opened by default; others are counted for the life of a store.
    public var draftID: UInt64
    /// A text that tells the draft from others, like "Anna, Golf". It was given by somebody, or made from the answers.
    /// One line of at most 200 bytes; may be empty.
    public var label: String
    /// When the draft was opened; `nil` if the daemon is too old to have several drafts of a form.
    public var openedAt: WallTime?

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

/// A kept response to a form, without its answers.
public struct ResponseSummary: Hashable, Sendable, Identifiable {
    /// The number of the response. Responses are counted from 1 for the life of a store.
    public var id: UInt64
    /// The name of the form, like "consent".
    public var name: String
    /// The version of the form when it was answered; `nil` if it had none.
    public var version: String?
    /// Who answered.
    public var holder: FormHolder
    /// `inProgress` if it was saved on the way, `completed` if it counts, `enteredInError` if it was withdrawn.
    public var status: QuestionnaireResponse.Status
    /// When the response was saved.
    public var savedAt: WallTime
    /// The label of the draft when it was saved, like "Anna, Golf". May be empty.
    public var label: String

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

/// A part, without its answers: what was answered under one `definition`, for other forms that ask for the same.
public struct PartSummary: Hashable, Sendable, Identifiable {
    /// The number of the part. Parts are counted from 1 for the life of a store.
    public var id: UInt64
    /// Who answered.
    public var holder: FormHolder
    /// The `definition` of the item that was answered, which is a URI.
    public var definition: String
    /// A text that tells the part from others, like "Schmidt, Anna". It was given by somebody, or made from the
    /// answers. One line of at most 200 bytes.
    public var label: String
    /// Whether somebody saved or named the part. Parts that were kept automatically go when there is no room left.
    public var isNamed: Bool
    /// When the answers of the part were last saved.
    public var savedAt: WallTime

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

/// A form that a person should fill in, as a presentation shows it.
public struct FormInvitation: Hashable, Sendable {
    /// The name of the form, like "consent".
    public var name: String
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// Whose form it is.
    public var holder: FormHolder
    /// Whether only a grown-up may complete it.
    public var isForGrownUps: Bool

    public init(name: String, title: LocalizedText, holder: FormHolder, isForGrownUps: Bool) {
        self.name = name
        titles = title
        self.holder = holder
        self.isForGrownUps = isForGrownUps
    }
}
