package import GateModel

/// The commands of the service `ReleaseNotes` (F-56 … F-58a): what is new is shown at most once to each person and app.
extension GateState {
    mutating func showWhatsNew(
        _ app: String, _ version: AppVersion, presentsItself: Bool, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard setAside == nil else { throw .storeDamaged }
        guard let notice = whatsNew(in: app, version, for: context.peer) else { return .whatsNew(.nothingNew) }
        let key = WhatsNewKey(holder: holder(of: context.peer), app: notice.app)
        // It is on a screen already, or waits for one: it is not shown twice.
        guard !requests.open.contains(where: { $0.wish == .whatsNew(notice, key) }) else {
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
    package func whatsNew(in app: String, _ version: AppVersion, for peer: Peer) -> WhatsNewNotice? {
        guard let notes = configuration.releaseNotes[app] else { return nil }
        let seen = records.whatsNewSeen[WhatsNewKey(holder: holder(of: peer), app: app)] ?? []
        return ReleaseNotesRules(notes: notes, seen: seen).entry(for: version).map {
            WhatsNewNotice(app: notes.app, entry: $0)
        }
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
    mutating func acknowledgeWhatsNew(
        _ app: String, _ version: AppVersion, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard setAside == nil else { throw .storeDamaged }
        guard configuration.releaseNotes[app] != nil else { throw .noReleaseNotes(app) }
        guard let notice = whatsNew(in: app, version, for: context.peer) else { return .done }
        saw(notice, WhatsNewKey(holder: holder(of: context.peer), app: notice.app), context.peer, &draft)
        return .done
    }

    mutating func resetWhatsNew(
        _ app: String?, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard setAside == nil else { throw .storeDamaged }
        if let app, configuration.releaseNotes[app] == nil { throw .noReleaseNotes(app) }
        let holder = holder(of: context.peer)
        let count = forgetWhatsNew(of: holder, app: app, &draft)
        if count > 0 { draft.journal(.whatsNewReset, by: context.peer, "\(app ?? "all apps"), \(holder.text)") }
        return .count(count)
    }

    /// `nil`: of all apps. Returns how many entries count as not seen again.
    @discardableResult
    mutating func forgetWhatsNew(of holder: FormHolder, app: String?, _ draft: inout TransitionDraft) -> Int {
        let keys = records.whatsNewSeen.keys.filter { $0.holder == holder && (app == nil || $0.app == app) }
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
        guard let request = requests[open.request], case .whatsNew(let notice, let key) = request.wish else {
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
        if !key.holder.isSubordinate { record(.whatsNewSeen(key, notice.entry.version), &draft) }
        draft.journal(.whatsNewSeen, by: peer, "\(notice.app) \(notice.entry.version), \(key.holder.text)")
    }

    /// It was seen on another screen, or the policy has no such notes any more, or nobody is left to show it.
    mutating func redecideWhatsNew(
        _ request: OpenRequest, _ notice: WhatsNewNotice, _ key: WhatsNewKey, _ open: QueuedPresentation,
        at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        let isSeen = records.whatsNewSeen[key]?.contains(notice.entry.version) ?? false
        let isThere = configuration.releaseNotes[notice.app]?.entries.contains(notice.entry) ?? false
        if isSeen || !isThere {
            draft.journal(.withdrawn, by: nil, of: request.requester, open.name)
            _ = close(request.id, at: moment, answerHears: .cookie(.closed), &draft)
            draft.settle(request.wait, .whatsNew(.nothingNew))
        } else if !canShow(open.step, open.style, presentsItself: request.presentsItself) {
            end(request.id, .impossible(.nobodyShowsWhatsNew), by: nil, at: moment, &draft)
        }
    }
}
