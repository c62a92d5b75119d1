package import GateModel

/// Commands about release notes, which are shown at most once to each person and app.
package enum ReleaseNotesCommand: Hashable, Sendable {
    // `own`: the notes that the app brings with its call.
    case showWhatsNew(app: String, AppVersion, own: [WhatsNew] = [], presenting: Presenting)
    case acknowledgeWhatsNew(app: String, AppVersion, own: [WhatsNew] = [])
    /// `app` `nil`: all apps.
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
        // The notes are on a screen or wait for one already.
        guard !requests.open.contains(where: { $0.kind == .whatsNew(notice, key) }) else {
            return .whatsNew(.nothingNew)
        }
        guard canShow(.whatsNew(notice), .sheet, for: context.peer, presentsItself: presentsItself) else {
            throw .nobodyShowsWhatsNew
        }
        return try open(
            .whatsNew(notice, key), presentsItself: presentsItself,
            asking: FirstQuestion(step: .whatsNew(notice)), &context, &draft
        ).1
    }

    /// The notes that would be shown to this peer; `nil` if it has seen them, or the app has none.
    ///
    /// - Throws: an error that says what is wrong with `own`.
    package func whatsNew(
        in app: String, _ version: AppVersion, own: [WhatsNew] = [], for peer: Peer
    ) throws(GateError) -> WhatsNewNotice? {
        try news(of: app, version, own: own, for: peer)?.unseen
    }

    /// The notes to show to this peer, `nil` if it has seen them, with the key under which that is kept. The result is
    /// `nil` if the app has no notes.
    private func news(
        of app: String, _ version: AppVersion, own: [WhatsNew], for peer: Peer
    ) throws(GateError) -> (key: WhatsNewKey, unseen: WhatsNewNotice?)? {
        guard let (notes, key) = try releaseNotes(of: app, own: own, for: peer) else { return nil }
        let entry = ReleaseNotesRules(notes: notes, seen: records.whatsNewSeen[key] ?? []).entry(for: version)
        return (key, entry.map { WhatsNewNotice(app: notes.app, entry: $0) })
    }

    /// The notes of an app: the administrator's, or else those that the app brings; `nil` if there are none. Also the
    /// key under which seen versions are remembered, which for an app's own notes is that of the Unix user.
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

    /// The apps with release notes by name, with the versions that this peer has seen, newest first.
    package func releaseNotes(for peer: Peer) -> [(notes: ReleaseNotes, seen: [AppVersion])] {
        let holder = holder(of: peer)
        return configuration.releaseNotes.values.sorted { $0.app < $1.app }.map { notes in
            let seen = records.whatsNewSeen[WhatsNewKey(holder: holder, app: notes.app)] ?? []
            return (notes: notes, seen: seen.sorted(by: >))
        }
    }

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

    /// Forgets what was seen. `app` `nil`: of all apps. Returns how many entries count as unseen again.
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

    mutating func read(
        _ answer: ChallengeAnswer, _ open: QueuedPresentation, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard case .whatsNew(let notice) = open.step, case .acknowledged(let button) = answer,
            button == .primary || notice.entry.secondary != nil
        else { throw .notToBeAnswered }
        return close(open, as: button == .primary ? .shown : .secondaryChosen, context, &draft)
    }

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

    /// Nothing is kept for a user that is billed to another, since one person may have 65,536 of those.
    private mutating func saw(
        _ notice: WhatsNewNotice, _ key: WhatsNewKey, _ peer: Peer, _ draft: inout TransitionDraft
    ) {
        if !key.holder.isSubordinate {
            record(.whatsNewSeen(key, notice.entry.version), &draft)
            if AppsOwnName(key.app) != nil { forgetOldest(of: key, &draft) }
        }
        draft.journal(.whatsNewSeen, by: peer, "\(notice.app) \(notice.entry.version), \(key.holder.text)")
    }

    /// Keeps only the newest versions of an app's own notes, as many as the app can bring.
    private mutating func forgetOldest(of key: WhatsNewKey, _ draft: inout TransitionDraft) {
        guard let seen = records.whatsNewSeen[key], seen.count > Limits.appNotes else { return }
        record(.whatsNewForgotten(key), &draft)
        for version in seen.sorted(by: >).prefix(Limits.appNotes) { record(.whatsNewSeen(key, version), &draft) }
    }

    /// Closes release notes that were seen on another screen, are not installed any more, or can be shown by nobody.
    mutating func redecideWhatsNew(
        _ request: OpenRequest, _ notice: WhatsNewNotice, _ key: WhatsNewKey, _ open: QueuedPresentation,
        by peer: Peer?, at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        let isSeen = records.whatsNewSeen[key]?.contains(notice.entry.version) ?? false
        // An app's own notes remain valid until the administrator installs notes for the app.
        let isThere =
            configuration.releaseNotes[notice.app].map { $0.entries.contains(notice.entry) }
            ?? (AppsOwnName(key.app) != nil)
        if isSeen || !isThere {
            draft.journal(.withdrawn, by: nil, of: request.requester, open.name)
            chargeClosing(of: open, of: request, by: peer, at: moment, &draft)
            _ = close(request.id, at: moment, answerHears: .cookie(.closed), &draft)
            draft.settle(request.wait, .whatsNew(.nothingNew))
        } else if !canShow(open, of: request) {
            guard !handToRequester(request, open, by: peer, at: moment, &context, &draft) else { return }
            end(request.id, .impossible(.nobodyShowsWhatsNew), by: nil, at: moment, &draft)
        }
    }
}
