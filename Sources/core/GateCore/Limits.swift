import GateModel

/// All limits of the core. A request past a limit is refused, mostly with `RESOURCE_EXHAUSTED`; a single text that is
/// too long is `INVALID_ARGUMENT`. Other peers notice nothing. A number is the most that there may be, `OfUser` for
/// each user, `OfHolder` for each holder. Bytes are of UTF-8.
enum Limits {
    /// The most presentations in the queue, including those on a screen.
    static let queuedPresentations =
        queuedForEverybody + queuedForGrownUps + queuedForAdministrators + HeardRequestBook.askedAtOnce
    static let queuedForEverybody = 12
    /// The places in the queue that only grown-ups' requests may use, so that several children together can't keep a
    /// grown-up out. The next constant reserves places for administrators in the same way.
    static let queuedForGrownUps = 4
    static let queuedForAdministrators = 4
    /// The most translations in one list of presentations. A watcher gets the list in one message.
    static let textsOfPresentations = 64
    static let sharedReceipts = 64
    /// The most bytes of all StoreKit texts for the household's other devices: one message carries them all.
    static let sharedReceiptsByteCount = 1 << 20
    /// The most open requests of one user. Administrators may have more.
    static let openRequests = 4
    /// The most presentations that one connection may show itself at the same time, besides those about the mode.
    static let ownPresentations = 1
    /// The most unused grants of one connection, including grants that it still waits for.
    static let unusedGrants = 64
    static let unusedGrantsOfUser = 256
    static let detailsByteCount = AuthorizationRequest.maximumDetailsByteCount
    /// The most bytes of the reason for an override.
    static let reasonByteCount = 200
    /// The most bytes of an authorization's details in a journal entry.
    static let journalledDetailsByteCount = 200
    /// How often an owner without administrator's rights may end parent mode or a session that another owner began.
    static let interruptions = 3
    /// The time after which an owner regains one of these interruptions.
    static let interruptionTime = Duration.seconds(60 * 60)
    static let interruptingOwners = 256
    /// How often children's sign-ins of one owner may take the sign-in cover from other owners' screens at no price. A
    /// child signs in and out several times a day.
    static let takenCovers = 8
    /// The time after which an owner regains one of these sign-ins.
    static let takenCoverTime = Duration.seconds(15 * 60)
    static let coverTakingOwners = 256
    /// The most copies of a form that screens of other owners may save for one request.
    static let copiesOfRequest = 4
    /// The most presenters of one owner, that is, screens that one user can look at. The queue checks each presentation
    /// against every presenter.
    static let presentersOfOwner = 16
    /// How long a question that was offered to free presenters waits for one of them to take it. Then it takes the
    /// screen of a presentation of a lower rank, such as a form.
    static let presenterPatience = Duration.seconds(2)
    /// How long a presentation may wait behind others.
    static let waitingTime = Duration.seconds(5 * 60)
    /// How long a sign-in for a gated action stays open once it can be shown.
    static let signInTime = Duration.seconds(5 * 60)
    /// How long a paywall stays open once it can be shown. Buying takes time.
    static let paywallTime = Duration.seconds(15 * 60)
    /// The time between two searches for a payment on the same paywall, to spare the stores.
    static let restoreTime = Duration.seconds(10)
    /// How long a form stays open on a screen. People leave it to look for documents.
    static let formTime = Duration.seconds(60 * 60)
    static let whatsNewTime = Duration.seconds(15 * 60)
    static let drafts = 256
    static let draftsOfHolder = 16
    static let appFormsOfUser = 8
    static let appForms = 64
    /// An app's newer version of its form is refused if its drafts' answers take more than about this many bytes.
    static let appFormAnswersByteCount = 64 << 10
    /// The most versions in an app's own release notes, and seen versions that are remembered for such an app.
    static let appNotes = 16
    /// The most apps of one user with their own release notes for which seen versions are remembered.
    static let appsWithNotesOfUser = 32
    /// The most UTF-8 bytes of the answers of one form.
    static let draftByteCount = 1 << 20
    /// The most suggestions of one draft that are being fetched or wait; below, their approximate bytes.
    static let pendingSuggestionsOfDraft = 100
    static let pendingSuggestionsByteCount = 256 << 10
    /// The most bytes of the label of a draft or a part.
    static let labelByteCount = 200
    /// The most bytes (approximately) of a kept response, including the texts of its questions.
    static let responseByteCount = 1 << 20
    static let responses = 1024
    static let responsesOfHolder = 64
    /// The most withdrawn responses of one account or user that are kept in addition. If there is one more, the oldest
    /// is removed.
    static let withdrawnResponsesOfHolder = 64
    static let parts = 4096
    static let partsOfHolder = 256
    /// The most bytes (approximately) of one part; below, those of all parts of one account or user.
    static let partByteCount = 64 << 10
    static let partByteCountOfHolder = 1 << 20
    /// The most parts that can be kept when a form is completed; below, that one edit can take over.
    static let partsOfCompletion = 64
    package static let takenParts = 64
    static let attachmentByteCount = FormAttachment.maximumByteCount
    static let attachmentByteCountOfAll = 64 << 20
    static let attachmentsOfHolder = 256
    static let attachmentByteCountOfHolder = 16 << 20
    /// The least time for an answer by guardians on other devices, who may have to come from another room.
    static let guardiansTime = Duration.seconds(3 * 60)
    /// How long one presenter shows the sign-in cover before another may have it. The cover itself does not expire.
    static let coverTime = Duration.seconds(10 * 60)
    /// How long checking a name and a password may take.
    static let authenticatingTime = Duration.seconds(30)
    /// The most passwords that are checked at the same time, including those whose caller has gone.
    static let passwordChecks = 12
    /// The most password checks of one user. As many of `passwordChecks` are reserved for administrators.
    static let passwordChecksOfUser = 4
    /// The most names for which one user's wrong passwords have a counter each. All other names share one counter.
    static let signInCounters = 16
    /// The most people whom no administrator has put on the list or confirmed. They are few, because each can have
    /// drafts and responses.
    static let unconfirmedPeople = 8
    static let people = 256
    static let providerDetailByteCount = 200
    /// The most RevenueCat users in the records after a restore, which keeps those of the backup and of the device.
    static let restoredCustomers = 4096
    /// The most asks of one user that wait at the same time, and the most that one user can make in a day.
    static let openAsks = 5
    static let asksOfDay = 20
    /// The most asks of the device that wait, were refused, or were allowed once and not used.
    static let asksOfDevice = 128
    /// The most asks that were allowed for longer than once and still are: of one person, and of the device. A watcher
    /// gets these and the others in one message, which is below 4 MiB even if each has the longest details.
    static let lastingYeses = 300
    static let lastingYesesOfDevice = 500
    /// The most translations in a list of asks.
    static let textsOfAsks = 64
    /// How long an ask counts among those of its day, and how long the same words are not asked again after a no.
    static let askDay = Duration.seconds(24 * 3600)
    /// The longest time from "not until tomorrow" to the beginning of the next day, with an hour of summer time.
    static let longestUntilTomorrow = Duration.seconds(25 * 3600)
    /// The most programs that are being used at the same time, each counted as often as it is open.
    static let uses = 256
    static let usesOfUser = 16
    /// The most meters whose time is stored. One allowance or gated action has a meter for each user who uses it.
    static let meters = 512
    static let metersOfUser = 64
    /// The most entries of today's use in a message to a watcher.
    static let usageOfMessage = 128
    /// The most devices of the household whose use is summed, and the most times that are stored for each of them. A
    /// time belongs to one person, one allowance and one day. There is room for the longest report with 16 days of each
    /// use.
    static let devicesOfUsage = 32
    static let timesOfDevice = UsageReport.maximumUses * 16
    /// The most apps with a stored choice about one person's age range. The next constant limits how many of these may
    /// wait for an answer.
    static let ageAppsOfPerson = 128
    static let waitingAgeAppsOfPerson = 32
    /// The largest number of waiting apps that a message to a watcher lists.
    static let ageAppsOfMessage = 128
    /// The most bytes of the name that a program gives itself.
    static let appNameByteCount = 64
    /// The most bytes of the names of other devices in a refusal.
    static let elsewhereByteCount = 200
    /// How long a grant may stay unused.
    static let grantTime = Grant.lifetime
}
