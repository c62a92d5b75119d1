package import GateModel

/// The journal as far as gate-settings has read it, and the part of it that is shown.
package struct JournalReading: Hashable, Sendable {
    /// How many entries remain when the oldest are removed: as many as the daemon keeps.
    package static let maximumEntries = 50_000
    /// The most users in the filter.
    package static let maximumUsers = 500
    package static let pageSize = 50

    /// The entries, the oldest first.
    package private(set) var entries: [AuditEntry] = []
    package private(set) var filter = JournalFilter()
    /// The page that is shown. Page 0 has the newest entries, and new ones appear there.
    package private(set) var page = 0
    package private(set) var figures = MonthFigures()
    /// The number of entries of each user.
    private var counts: [UInt32: Int] = [:]

    package init() {}

    /// More entries were made. Only these are counted, since the others were counted when they came.
    package mutating func came(_ new: [AuditEntry], at moment: SettingsMoment) {
        entries += new
        for entry in new { count(entry, 1) }
        figures.came(new, now: moment.wall, clock: moment.clock)
        // Removed in batches of 1000, because an array moves all other elements each time.
        guard entries.count > Self.maximumEntries + 1000 else { return }
        let old = entries.count - Self.maximumEntries
        for entry in entries.prefix(old) { count(entry, -1) }
        entries.removeFirst(old)
    }

    private mutating func count(_ entry: AuditEntry, _ change: Int) {
        guard let uid = entry.actor?.uid else { return }
        let entryCount = (counts[uid] ?? 0) + change
        counts[uid] = entryCount == 0 ? nil : entryCount
    }

    /// Other entries have to be shown.
    package mutating func filterChanged(to filter: JournalFilter) {
        guard filter != self.filter else { return }
        self.filter = filter
        page = 0
    }

    package mutating func turned(by pages: Int) { page = max(0, page + pages) }

    /// The entries of the page, the newest first, and whether there are older ones.
    package func shown(_ moment: SettingsMoment) -> (entries: [AuditEntry], hasOlder: Bool) {
        let start = filter.period.start(moment)
        var found: [AuditEntry] = []
        var skipped = page * Self.pageSize
        for entry in entries.reversed() where entry.time >= start && filter.shows(entry) {
            if skipped > 0 {
                skipped -= 1
            } else if found.count == Self.pageSize {
                return (found, true)
            } else {
                found.append(entry)
            }
        }
        return (found, false)
    }

    /// The users with entries, by uid. If there are more than `maximumUsers`, those with the lowest uids.
    package var users: [UInt32] { Array(counts.keys.sorted().prefix(Self.maximumUsers)) }
}

package struct JournalFilter: Hashable, Sendable {
    package enum Subject: Hashable, Sendable, CaseIterable {
        case all
        case mode
        case questions
        case grants
        case people
        case purchases
        case forms
        case administration
    }

    package enum Period: Hashable, Sendable, CaseIterable {
        case all
        case today
        case week
        case month

        /// The first moment of the period: a midnight of the device, or for `all` the earliest moment that there is.
        func start(_ moment: SettingsMoment) -> WallTime {
            let days: Int64? =
                switch self {
                case .all: nil
                case .today: 1
                case .week: 7
                case .month: Int64(MonthFigures.dayCount)
                }
            guard let days else { return WallTime(unixMilliseconds: .min) }
            // The end of the period is the next midnight. Days may have 23 or 25 hours, so the first one is looked for
            // from about noon of the day before.
            let end = moment.clock.nextMidnight(after: moment.wall)
            let back = days * LocalClock.dayMilliseconds + LocalClock.dayMilliseconds / 2
            return moment.clock.nextMidnight(after: WallTime(unixMilliseconds: end.unixMilliseconds - back))
        }
    }

    package var subject = Subject.all
    package var period = Period.all
    /// `nil`: all users.
    package var user: UInt32?

    package init(subject: Subject = .all, period: Period = .all, user: UInt32? = nil) {
        self.subject = subject
        self.period = period
        self.user = user
    }

    func shows(_ entry: AuditEntry) -> Bool {
        (subject == .all || entry.kind.subject == subject) && (user == nil || entry.actor?.uid == user)
    }
}

extension AuditEntry.Kind {
    /// What such an entry is about; never `all`.
    package var subject: JournalFilter.Subject {
        switch self {
        case .parentEntered, .parentLeft, .locked, .extended, .leaseExpired, .overridden: .mode
        case .challengeOpened, .answeredRight, .answeredWrong, .dismissed, .expired, .cancelled, .requesterLost,
            .withdrawn, .lockedOut, .lockoutCleared, .claimed, .shown, .presenterLost, .refused:
            .questions
        case .granted, .redeemed, .revoked, .grantExpired, .used: .grants
        case .signInOpened, .signedIn, .signInFailed, .signedOut, .sessionExpired, .registered, .passwordChanged,
            .personSet, .accountRemoved, .accountConfirmed, .ageSettingsChanged, .ageChosen:
            .people
        case .paywallOpened, .paid, .entitlementClaimed, .claimRevoked, .entitlementChanged, .providerChanged:
            .purchases
        case .formAsked, .formOpened, .formSaved, .formCompleted, .formDiscarded, .responseWithdrawn, .whatsNewOpened,
            .whatsNewSeen, .whatsNewReset:
            .forms
        case .started, .storeDamaged, .recovered, .reloaded, .gateChanged, .secretSet, .secretRemoved, .backedUp,
            .restored,
            .householdListed, .commandSent, .unrecognized:
            .administration
        }
    }
}

/// The filter of the journal, and the texts of its three lists.
package struct JournalFilterChoices: Hashable, Sendable {
    package var filter: JournalFilter
    package var subjects: [String]
    package var periods: [String]
    /// The users, whom the list shows behind "Everybody".
    package var users: [UInt32]
    package var userNames: [String]
    package var spokenSubject: String
    package var spokenPeriod: String
    package var spokenUser: String

    /// The indexes of the filter's subject, period and user in the three lists.
    package var places: [Int] {
        [
            JournalFilter.Subject.allCases.firstIndex(of: filter.subject) ?? 0,
            JournalFilter.Period.allCases.firstIndex(of: filter.period) ?? 0,
            filter.user.flatMap { users.firstIndex(of: $0) }.map { $0 + 1 } ?? 0,
        ]
    }

    /// The filter for the chosen indexes of the three lists.
    package func chosen(subject: Int, period: Int, user: Int) -> JournalFilter {
        let (subjects, periods) = (JournalFilter.Subject.allCases, JournalFilter.Period.allCases)
        return JournalFilter(
            subject: subjects.indices.contains(subject) ? subjects[subject] : .all,
            period: periods.indices.contains(period) ? periods[period] : .all,
            user: users.indices.contains(user - 1) ? users[user - 1] : nil)
    }
}
