package import GateModel

/// Release notes are shown at most once to each person and app.
package enum ReleaseNotesCommand: Hashable, Sendable {
    // `own`: the notes that the app brings with it.
    case showWhatsNew(app: String, AppVersion, own: [WhatsNew] = [], presenting: Presenting)
    case acknowledgeWhatsNew(app: String, AppVersion, own: [WhatsNew] = [])
    /// `nil`: of all apps.
    case resetWhatsNew(app: String?)

    var rules: CommandRules {
        switch self {
        case .showWhatsNew, .acknowledgeWhatsNew, .resetWhatsNew: CommandRules(.everyone, usesSession: true)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: ReleaseNotesCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .showWhatsNew(let app, let version, let own, let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.showWhatsNew(app, version, own: own, presentsItself: itself, &context, &draft)
            }
        case .acknowledgeWhatsNew(let app, let version, let own):
            return try acknowledgeWhatsNew(app, version, own: own, context, &draft)
        case .resetWhatsNew(let app): return try resetWhatsNew(app, context, &draft)
        }
    }

    private mutating func showWhatsNew(
        _ app: String, _ version: AppVersion, own: [WhatsNew], presentsItself: Bool, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard case let (key, notice?)? = try news(of: app, version, own: own, for: context.peer) else {
            return .whatsNew(.nothingNew)
        }
        // It is on a screen already, or waits for one: it is not shown twice.
        guard !requests.open.contains(where: { $0.kind == .whatsNew(notice, key) }) else {
            return .whatsNew(.nothingNew)
        }
        guard canShow(.whatsNew(notice), .sheet, presentsItself: presentsItself) else { throw .nobodyShowsWhatsNew }
        return try open(
            .whatsNew(notice, key), presentsItself: presentsItself,
            asking: FirstQuestion(step: .whatsNew(notice)), &context, &draft
        ).1
    }

    /// The notes that this peer would be shown; `nil`: none that it has not seen. So it is where there are no release
    /// notes of the app: it may well have none.
    ///
    /// - Parameter own: the notes that the app brings with the call (F-85).
    /// - Throws: what is wrong with its own notes.
    package func whatsNew(
        in app: String, _ version: AppVersion, own: [WhatsNew] = [], for peer: Peer
    ) throws(GateError) -> WhatsNewNotice? {
        try news(of: app, version, own: own, for: peer)?.unseen
    }

    /// The notes that this peer would be shown, `nil` where it has seen them, and the place where that is kept. `nil`: the app has no
    /// notes.
    private func news(
        of app: String, _ version: AppVersion, own: [WhatsNew], for peer: Peer
    ) throws(GateError) -> (key: WhatsNewKey, unseen: WhatsNewNotice?)? {
        guard let (notes, key) = try releaseNotes(of: app, own: own, for: peer) else { return nil }
        let entry = ReleaseNotesRules(notes: notes, seen: records.whatsNewSeen[key] ?? []).entry(for: version)
        return (key, entry.map { WhatsNewNotice(app: notes.app, entry: $0) })
    }

    /// The notes of an app, and the place where it is kept what was seen of them: the administrator's, else those that it brings
    /// itself, which are kept for the user. `nil`: there are no notes.
    private func releaseNotes(
        of app: String, own: [WhatsNew], for peer: Peer
    ) throws(GateError) -> (ReleaseNotes, WhatsNewKey)? {
        if let notes = configuration.releaseNotes[app] {
            return (notes, WhatsNewKey(holder: holder(of: peer), app: notes.app))
        }
        guard !own.isEmpty else { return nil }
        let notes = try ReleaseNotes(app: app, brought: own)
        let key = WhatsNewKey(holder: FormHolder(userOf: peer), app: AppsOwnName(app, of: peer.uid).text)
        let others = records.whatsNewSeen.keys.count {
            $0 != key && $0.holder == key.holder && AppsOwnName($0.app) != nil
        }
        guard others < Limits.appsWithNotesOfUser else { throw .tooManyAppsWithNotes }
        return (notes, key)
    }

    /// The apps that there are release notes of, by name, with what this peer has seen of them, the newest first.
    package func releaseNotes(for peer: Peer) -> [(notes: ReleaseNotes, seen: [AppVersion])] {
        let holder = holder(of: peer)
        return configuration.releaseNotes.values.sorted { $0.app < $1.app }.map { notes in
            let seen = records.whatsNewSeen[WhatsNewKey(holder: holder, app: notes.app)] ?? []
            return (notes: notes, seen: seen.sorted(by: >))
        }
    }

    /// It was seen elsewhere.
    private mutating func acknowledgeWhatsNew(
        _ app: String, _ version: AppVersion, own: [WhatsNew], _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard let (key, unseen) = try news(of: app, version, own: own, for: context.peer) else {
            throw .noReleaseNotes(app)
        }
        if let unseen { saw(unseen, key, context.peer, &draft) }
        return .done
    }

    private mutating func resetWhatsNew(
        _ app: String?, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        let (holder, user) = (holder(of: context.peer), FormHolder(userOf: context.peer))
        let own = app.map { AppsOwnName($0, of: context.peer.uid).text }
        if let app, let own, configuration.releaseNotes[app] == nil,
            records.whatsNewSeen[WhatsNewKey(holder: user, app: own)] == nil
        {
            throw .noReleaseNotes(app)
        }
        var count = forgetWhatsNew(of: holder, app: app, &draft)
        // What apps brought themselves is kept for the user, signed in or not.
        count += forgetWhatsNew(of: user, app: own, onlyOwn: true, &draft)
        if count > 0 { draft.journal(.whatsNewReset, by: context.peer, "\(app ?? "all apps"), \(holder.text)") }
        return .count(count)
    }

    /// `nil`: of all apps. Returns how many entries count as not seen again.
    @discardableResult
    mutating func forgetWhatsNew(
        of holder: FormHolder, app: String?, onlyOwn: Bool = false, _ draft: inout TransitionDraft
    ) -> Int {
        let keys = records.whatsNewSeen.keys.filter {
            $0.holder == holder && (app == nil || $0.app == app) && (!onlyOwn || AppsOwnName($0.app) != nil)
        }
        var count = 0
        for key in keys.sorted(by: { $0.app < $1.app }) {
            count += records.whatsNewSeen[key]?.count ?? 0
            record(.whatsNewForgotten(key), &draft)
        }
        return count
    }

    // MARK: - On a screen

    /// The person has read it.
    mutating func read(
        _ answer: ChallengeAnswer, _ open: QueuedPresentation, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard case .whatsNew(let notice) = open.step, case .acknowledged(let button) = answer,
            button == .primary || notice.entry.secondary != nil
        else { throw .notToBeAnswered }
        return close(open, as: button == .primary ? .shown : .secondaryChosen, context, &draft)
    }

    /// However it is put away: it was seen, and is not shown again.
    mutating func close(
        _ open: QueuedPresentation, as outcome: WhatsNewOutcome, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        guard let request = requests[open.request], case .whatsNew(let notice, let key) = request.kind else {
            return .refused(.cookie(.closed))
        }
        saw(notice, key, context.peer, &draft)
        _ = close(request.id, at: context.now, answerHears: .cookie(.closed), &draft)
        draft.settle(request.wait, .whatsNew(outcome))
        return request.presentsItself ? .whatsNew(outcome) : .done
    }

    /// Records what was seen. For a user who is billed to another nothing is kept: one person may have 65,536 of them.
    private mutating func saw(
        _ notice: WhatsNewNotice, _ key: WhatsNewKey, _ peer: Peer, _ draft: inout TransitionDraft
    ) {
        if !key.holder.isSubordinate {
            record(.whatsNewSeen(key, notice.entry.version), &draft)
            if AppsOwnName(key.app) != nil { forgetOldest(of: key, &draft) }
        }
        draft.journal(.whatsNewSeen, by: peer, "\(notice.app) \(notice.entry.version), \(key.holder.text)")
    }

    /// Remembers as many versions of an app's own notes as it can bring, the newest.
    private mutating func forgetOldest(of key: WhatsNewKey, _ draft: inout TransitionDraft) {
        guard let seen = records.whatsNewSeen[key], seen.count > Limits.appNotes else { return }
        record(.whatsNewForgotten(key), &draft)
        for version in seen.sorted(by: >).prefix(Limits.appNotes) { record(.whatsNewSeen(key, version), &draft) }
    }

    /// It was seen on another screen, or the policy has no such notes any more, or nobody is left to show it.
    mutating func redecideWhatsNew(
        _ request: OpenRequest, _ notice: WhatsNewNotice, _ key: WhatsNewKey, _ open: QueuedPresentation,
        by peer: Peer?, at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        let isSeen = records.whatsNewSeen[key]?.contains(notice.entry.version) ?? false
        // An app's own are there as long as the administrator has installed none.
        let isThere =
            configuration.releaseNotes[notice.app].map { $0.entries.contains(notice.entry) }
            ?? (AppsOwnName(key.app) != nil)
        if isSeen || !isThere {
            draft.journal(.withdrawn, by: nil, of: request.requester, open.name)
            chargeClosing(of: open, of: request, by: peer, at: moment, &draft)
            _ = close(request.id, at: moment, answerHears: .cookie(.closed), &draft)
            draft.settle(request.wait, .whatsNew(.nothingNew))
        } else if !canShow(open.step, open.style, presentsItself: request.presentsItself) {
            guard !handToRequester(request, open, by: peer, at: moment, &context, &draft) else { return }
            end(request.id, .impossible(.nobodyShowsWhatsNew), by: nil, at: moment, &draft)
        }
    }
}
