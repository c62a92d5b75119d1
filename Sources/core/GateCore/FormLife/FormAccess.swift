public import GateModel

/// The owner of a form, and the peers that may reach it (docs/security.md, "Forms").
///
/// A peer reaches the drafts of the person who is signed in; with nobody signed in, those of its own user. Who holds
/// the cookie of a presentation that shows a form reaches the draft of whom that is for, which is the one with id 0.
extension GateState {
    /// For whom this peer answers now.
    package func holder(of peer: Peer) -> FormHolder {
        signInMachine.account.map { .account($0.name) } ?? FormHolder(userOf: peer)
    }

    /// Which draft is meant. A cookie in it has been checked.
    func draftKey(of target: FormTarget, for peer: Peer) throws(GateError) -> FormDraftKey {
        if let cookie = target.cookie {
            let open = try answerable(with: cookie)
            guard case .form(let invitation) = open.step, invitation.name == target.name else {
                throw .otherForm(target.name)
            }
            guard var key = shownForm(open) else { throw .cookie(.closed) }
            key.id = target.draftID
            // The presentation shows one draft. Only those who reach the others anyway work on them in it.
            guard key.id == 0 || (records.drafts[key] != nil && reachesOthers(of: key.holder, peer)) else {
                throw .noDraft(key)
            }
            return key
        }
        var own = FormDraftKey(holder: holder(of: peer), name: target.name, id: target.draftID)
        // As the policy spells it. What rests can still be discarded.
        if let name = formName(target.name, for: peer) {
            own.name = name
        } else if records.drafts[own] == nil {
            throw .noForm(target.name)
        }
        // Nobody chooses an id: only what was begun has one.
        guard own.id == 0 || records.drafts[own] != nil else { throw .noDraft(own) }
        return own
    }

    /// The same, with the cookie checked.
    func draftKey(of target: FormTarget, for peer: Peer, at now: BootTime) throws(GateError) -> FormDraftKey {
        if let cookie = target.cookie { try check(cookie, of: peer, at: now) }
        return try draftKey(of: target, for: peer)
    }

    /// Whether this peer reaches the drafts of this holder that no presentation shows.
    func reachesOthers(of holder: FormHolder, _ peer: Peer) -> Bool {
        peer.isAdministrator || self.holder(of: peer) == holder
    }

    /// The draft that this shows; `nil`: none, or not any more: what a gated action asks for is for the person who is
    /// signed in now.
    private func shownForm(_ open: QueuedPresentation) -> FormDraftKey? {
        guard case .form(let invitation) = open.step, let request = requests[open.request],
            request.authorization == nil || invitation.holder == holder(of: request.requester)
        else { return nil }
        return FormDraftKey(holder: invitation.holder, name: invitation.name)
    }

    /// The draft as it is, for whom it is meant.
    ///
    /// - Throws: `notFound` where there is none; what is wrong with the cookie.
    package func form(
        _ target: FormTarget, for peer: Peer, at now: BootTime
    ) throws(GateError) -> (summary: FormSummary, draft: FormDraft) {
        let key = try draftKey(of: target, for: peer, at: now)
        guard let draft = forms[key], records.drafts[key] != nil else { throw noDraft(key) }
        return (summary(of: key), draft)
    }

    /// The drafts that this peer may reach, by name, then by holder, then by id. Administrators see all.
    package func forms(visibleTo peer: Peer) -> [FormSummary] { forms(in: formSight(of: peer)) }

    /// The drafts that a peer may reach: peers with the same sight reach the same.
    package func formSight(of peer: Peer) -> FormSight {
        if peer.isAdministrator { return .all }
        return .some(of: holder(of: peer), and: shownForms(to: peer))
    }

    public func forms(in sight: FormSight) -> [FormSummary] {
        records.drafts.keys.filter { key in
            switch sight {
            case .all: true
            case .some(let own, let shown): key.holder == own || shown.contains(key)
            }
        }
        .map(summary)
        .sorted { ($0.name, $0.holder.text, $0.draftID) < ($1.name, $1.holder.text, $1.draftID) }
    }

    /// The forms in presentations that this connection holds.
    private func shownForms(to peer: Peer) -> Set<FormDraftKey> {
        Set(
            queue.open.compactMap { open in
                open.isHeld(by: peer.connection) ? shownForm(open) : nil
            })
    }

    /// A draft by whose it is; `nil`: there is none.
    public func formDraft(of holder: FormHolder, named name: String, id: UInt64 = 0) -> FormDraft? {
        forms[FormDraftKey(holder: holder, name: name, id: id)]
    }

    /// All drafts, with their revisions.
    public var openForms: [FormDraftKey: FormDraftRecord] { records.drafts }

    /// Made ready; `nil`: there is none with this name.
    public func compiledForm(_ name: String) -> CompiledForm? { forms.compiled[name] }

    /// The same, as this peer names it.
    package func compiledForm(_ name: String, for peer: Peer) -> CompiledForm? {
        formName(name, for: peer).flatMap { forms.compiled[$0] }
    }

    // MARK: - Responses

    /// The responses of the same holder; administrators see all. The oldest first.
    package func responses(visibleTo peer: Peer) -> [ResponseSummary] {
        let own = holder(of: peer)
        return records.responses.values.map(\.summary).filter { peer.isAdministrator || $0.holder == own }
            .sorted { $0.id < $1.id }
    }

    /// - Throws: `notFound` where there is none, or none for this peer.
    package func response(_ id: UInt64, for peer: Peer) throws(GateError) -> ResponseRecord {
        guard let record = records.responses[id],
            peer.isAdministrator || record.summary.holder == holder(of: peer)
        else { throw .noResponse(id) }
        return record
    }

    // MARK: - Parts

    /// The parts of the same holder; administrators see all. The oldest first.
    package func parts(visibleTo peer: Peer) -> [PartSummary] {
        let own = holder(of: peer)
        return records.parts.values.map(\.summary).filter { peer.isAdministrator || $0.holder == own }
            .sorted { $0.id < $1.id }
    }

    /// - Throws: `notFound` where there is none, or none for this peer.
    package func part(_ id: UInt64, for peer: Peer) throws(GateError) -> PartRecord {
        guard let part = records.parts[id], peer.isAdministrator || part.summary.holder == holder(of: peer)
        else { throw .noPart(id) }
        return part
    }

    /// Whether this peer may read a document: what names it is its own to read.
    package func mayRead(_ digest: AttachmentDigest, _ peer: Peer) -> Bool {
        guard records.attachments[digest] != nil else { return false }
        if peer.isAdministrator { return true }
        let own = holder(of: peer)
        return attachments.isNamed(digest, by: own)
            || shownForms(to: peer).contains { forms[$0]?.attachments.contains(digest) ?? false }
    }

    /// Whether this holder has completed a response to the form of this name that stands: to the form as it is now.
    func isCompleted(_ name: String, by holder: FormHolder) -> Bool {
        guard let form = formDescription(name) else { return false }
        return completed(name, by: holder).contains { $0.summary.version == form.questionnaire.version }
    }

    /// The responses to the form of this name, in whatever version, that this holder has completed; in no order.
    func completed(_ name: String, by holder: FormHolder) -> some Sequence<ResponseRecord> {
        records.responses.values.lazy.filter { record in
            record.summary.name == name && record.summary.holder == holder && record.summary.status == .completed
        }
    }
}

/// The drafts that somebody may reach.
public enum FormSight: Hashable, Sendable {
    /// Everybody's.
    case all
    /// One's own, and those that are on one's screen.
    case some(of: FormHolder, and: Set<FormDraftKey>)
}

extension FormHolder {
    /// For the journal, and to sort by.
    var text: String {
        switch kind {
        case .account(let name): name
        case .user(let uid): "uid \(uid)"
        }
    }
}

extension FormDraftKey {
    /// For the journal.
    var text: String { "\(name), \(holder.text)" + (id == 0 ? "" : ", draft \(id)") }
}
