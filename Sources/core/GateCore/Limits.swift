import GateModel

/// The limits of the core, all in one place. Past a limit the peer hears `RESOURCE_EXHAUSTED`, and
/// nobody else notices.
enum Limits {
    /// Presentations that wait for presenters, the one on the screen among them.
    static let queuedPresentations = 16
    /// The places that only administrators' requests take: anyone who asks for much does not keep them out.
    static let queuedForAdministrators = 4
    /// Texts in several languages that a list of presentations has, beside all else that a watcher is told in one message.
    static let textsOfPresentations = 64
    /// Texts that a store has signed, and that other devices of the household get from this one.
    static let sharedReceipts = 64
    /// Their bytes: all of them are in one message.
    static let sharedReceiptsByteCount = 1 << 20
    /// Requests that one user may have open at a time. Administrators may have more.
    static let openRequests = 4
    /// Presentations for gated actions that one connection may show itself at a time.
    static let ownPresentations = 1
    /// Grants that one connection may have unused, those that it is waiting for among them.
    static let unusedGrants = 64
    /// Grants that one user may have unused, over all its connections, those that it is waiting for among them.
    static let unusedGrantsOfUser = 256
    /// UTF-8 bytes of the details of an authorization.
    static let detailsByteCount = AuthorizationRequest.maximumDetailsByteCount
    /// UTF-8 bytes of the reason of an override.
    static let reasonByteCount = 200
    /// UTF-8 bytes of the details that an entry of the journal about a grant shows.
    static let journalledDetailsByteCount = 200
    /// How often somebody who is no administrator ends what others have entered: parent mode, a session.
    static let interruptions = 3
    /// After so long one more time.
    static let interruptionTime = Duration.seconds(60 * 60)
    /// The number of owners of whom it is known at a time how often they did.
    static let interruptingOwners = 256
    /// The number of copies of forms that other owners' screens save of one request.
    static let copiesOfRequest = 4
    /// The number of presenters of an owner: screens that one user can look at. What is asked is held against each of them.
    static let presentersOfOwner = 16
    /// How long a question waits for a free presenter that does not take it, before it takes the screen of a form.
    static let presenterPatience = Duration.seconds(2)
    /// How long a presentation waits behind others.
    static let waitingTime = Duration.seconds(5 * 60)
    /// How long a sign-in for a gated action stays open once it can be shown.
    static let signInTime = Duration.seconds(5 * 60)
    /// How long a paywall stays open once it can be shown: buying takes its time.
    static let paywallTime = Duration.seconds(15 * 60)
    /// How long until somebody may ask on the same paywall again to look for a payment: stores want to be left alone.
    static let restoreTime = Duration.seconds(10)
    /// How long a form stays open on a screen: anyone who fills it in looks for papers.
    static let formTime = Duration.seconds(60 * 60)
    /// How long what is new stays on a screen.
    static let whatsNewTime = Duration.seconds(15 * 60)
    /// Forms that are being filled in, by everybody.
    static let drafts = 256
    /// Forms that are being filled in for one account or user.
    static let draftsOfHolder = 16
    /// Forms that apps of one user have brought; of everybody (F-85).
    static let appFormsOfUser = 8
    static let appForms = 64
    /// About so many bytes are answered in the drafts of such a form at most for another version of it to be taken.
    static let appFormAnswersByteCount = 64 << 10
    /// The versions of which an app brings its own notes; of which it is remembered that they were seen.
    static let appNotes = 16
    /// Apps of one user of whose own notes it is remembered what was seen.
    static let appsWithNotesOfUser = 32
    /// UTF-8 bytes of the answers of a form.
    static let draftByteCount = 1 << 20
    /// Suggestions for a draft that are being fetched, or wait; about the bytes that they take.
    static let pendingSuggestionsOfDraft = 100
    static let pendingSuggestionsByteCount = 256 << 10
    /// The bytes of a label of a draft.
    static let labelByteCount = 200
    /// About so many bytes of a response that is kept, with the texts of its questions.
    static let responseByteCount = 1 << 20
    /// Responses that are kept, of everybody; of one account or user.
    static let responses = 1024
    static let responsesOfHolder = 64
    /// The withdrawn responses that are kept beside them; then the oldest goes.
    static let withdrawnResponsesOfHolder = 64
    /// Parts that are kept, of everybody; of one account or user.
    static let parts = 4096
    static let partsOfHolder = 256
    /// About so many bytes of one part; of all of one account or user.
    static let partByteCount = 64 << 10
    static let partByteCountOfHolder = 1 << 20
    /// Parts that are kept when one form is completed.
    static let partsOfCompletion = 64
    /// Parts that one edit takes.
    package static let takenParts = 64
    /// Bytes of one attachment; of all that are kept.
    static let attachmentByteCount = FormAttachment.maximumByteCount
    static let attachmentByteCountOfAll = 64 << 20
    /// Attachments that one account or user may have.
    static let attachmentsOfHolder = 256
    /// Bytes of the attachments that one account or user may have.
    static let attachmentByteCountOfHolder = 16 << 20
    /// The least time that guardians elsewhere have for an answer: they come from another room.
    static let guardiansTime = Duration.seconds(3 * 60)
    /// How long one presenter has the sign-in cover, which nothing but the state closes, before another may have it.
    static let coverTime = Duration.seconds(10 * 60)
    /// How long a name and a password may take to be checked (F-70).
    static let authenticatingTime = Duration.seconds(30)
    /// Passwords that are being checked at a time; those among them whose caller has gone.
    static let passwordChecks = 12
    /// The checks of one user. So many are kept for administrators, too.
    static let passwordChecksOfUser = 4
    /// Names at which one user's wrong passwords count each for itself; all others count together.
    static let signInCounters = 16
    /// Accounts that no administrator has made or confirmed: each has drafts and responses of its own.
    static let unconfirmedAccounts = 8
    /// Accounts.
    static let accounts = 256
    /// UTF-8 bytes of what is reported of a provider.
    static let providerDetailByteCount = 200
    /// Users of RevenueCat of whom a restored backup and the device together know something.
    static let restoredCustomers = 4096
    /// How long a grant may stay unused.
    static let grantTime = Grant.lifetime
}
