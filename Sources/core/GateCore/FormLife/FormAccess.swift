public import GateModel

/// Which drafts, responses, parts and documents a peer may reach (docs/security.md, "Forms").
///
/// If the peer's Unix user belongs to one person on the list of people, recognized or not, the peer reaches the drafts
/// of that user. Otherwise it reaches those of the person who is signed in, or of its own user if nobody is. The cookie
/// of a presentation that shows a form also reaches the draft with id 0 of the form's holder.
extension GateState {
    /// The holder for whom this peer answers now.
    package func holder(of peer: Peer) -> FormHolder {
        // Forms that are filled in with a person's own Unix user belong to that person, no matter who is signed in.
        guard !isPersonsOwn(peer.owner) else { return FormHolder(userOf: peer) }
        return signInMachine.person.map { .account($0.name) } ?? FormHolder(userOf: peer)
    }

    /// The key of the draft that a request names, for this peer. The cookie in the target was checked before.
    func draftKey(of target: FormTarget, for peer: Peer) throws(GateError) -> FormDraftKey {
        if let cookie = target.cookie {
            let open = try answerable(with: cookie)
            guard case .form(let invitation) = open.step, invitation.name == target.name else {
                throw .otherForm(target.name)
            }
            guard var key = shownForm(open) else { throw .cookie(.closed) }
            key.id = target.draftID
            // The presentation shows one draft. Others are for peers that reach them without the cookie.
            guard key.id == 0 || (records.drafts[key] != nil && reachesOthers(of: key.holder, peer)) else {
                throw .noDraft(key)
            }
            return key
        }
        var own = FormDraftKey(holder: holder(of: peer), name: target.name, id: target.draftID)
        // Uses the device's name for the form. A draft whose form is gone can still be discarded.
        if let name = formName(target.name, for: peer) {
            own.name = name
        } else if records.drafts[own] == nil {
            throw .noForm(target.name)
        }
        // Callers can't choose an id: it has to be an existing draft's.
        guard own.id == 0 || records.drafts[own] != nil else { throw .noDraft(own) }
        return own
    }

    /// As `draftKey(of:for:)`, but checks the cookie, too.
    func draftKey(of target: FormTarget, for peer: Peer, at now: BootTime) throws(GateError) -> FormDraftKey {
        if let cookie = target.cookie { try check(cookie, of: peer, at: now) }
        return try draftKey(of: target, for: peer)
    }

    /// Whether this peer may reach this holder's drafts that no presentation shows.
    func reachesOthers(of holder: FormHolder, _ peer: Peer) -> Bool {
        peer.isAdministrator || self.holder(of: peer) == holder
    }

    /// The draft that a presentation shows; `nil` if it shows none, or if a gated action asks for it and another
    /// account has signed in since.
    private func shownForm(_ open: QueuedPresentation) -> FormDraftKey? {
        guard case .form(let invitation) = open.step, let request = requests[open.request],
            request.authorization == nil || invitation.holder == holder(of: request.requester)
        else { return nil }
        return FormDraftKey(holder: invitation.holder, name: invitation.name)
    }

    /// - Throws: `notFound` if there is no such draft, or what is wrong with the cookie.
    package func form(
        _ target: FormTarget, for peer: Peer, at now: BootTime
    ) throws(GateError) -> (summary: FormSummary, draft: FormDraft) {
        let key = try draftKey(of: target, for: peer, at: now)
        guard let draft = forms[key], records.drafts[key] != nil else { throw noDraft(key) }
        return (summary(of: key), draft)
    }

    /// The drafts that this peer may reach, by name, then by holder, then by id. Administrators reach all.
    package func forms(visibleTo peer: Peer) -> [FormSummary] { forms(in: formSight(of: peer)) }

    /// What determines the drafts that a peer may reach. Peers with equal values reach the same drafts.
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

    private func shownForms(to peer: Peer) -> Set<FormDraftKey> {
        Set(
            queue.open.compactMap { open in
                open.isHeld(by: peer.connection) ? shownForm(open) : nil
            })
    }

    public func formDraft(of holder: FormHolder, named name: String, id: UInt64 = 0) -> FormDraft? {
        forms[FormDraftKey(holder: holder, name: name, id: id)]
    }

    public var openForms: [FormDraftKey: FormDraftRecord] { records.drafts }

    public func compiledForm(_ name: String) -> CompiledForm? { forms.compiled[name] }

    /// The compiled form by the name that this peer uses; `nil` if the peer may see no such form.
    package func compiledForm(_ name: String, for peer: Peer) -> CompiledForm? {
        formName(name, for: peer).flatMap { forms.compiled[$0] }
    }

    // MARK: - Responses

    /// The responses of the peer's holder, oldest first. Administrators see all.
    package func responses(visibleTo peer: Peer) -> [ResponseSummary] {
        let own = holder(of: peer)
        return records.responses.values.map(\.summary).filter { peer.isAdministrator || $0.holder == own }
            .sorted { $0.id < $1.id }
    }

    /// - Throws: `notFound` if there is none that this peer may see.
    package func response(_ id: UInt64, for peer: Peer) throws(GateError) -> ResponseRecord {
        guard let record = records.responses[id],
            peer.isAdministrator || record.summary.holder == holder(of: peer)
        else { throw .noResponse(id) }
        return record
    }

    // MARK: - Parts

    /// The parts of the peer's holder, oldest first. Administrators see all.
    package func parts(visibleTo peer: Peer) -> [PartSummary] {
        let own = holder(of: peer)
        return records.parts.values.map(\.summary).filter { peer.isAdministrator || $0.holder == own }
            .sorted { $0.id < $1.id }
    }

    /// - Throws: `notFound` if there is none that this peer may see.
    package func part(_ id: UInt64, for peer: Peer) throws(GateError) -> PartRecord {
        guard let part = records.parts[id], peer.isAdministrator || part.summary.holder == holder(of: peer)
        else { throw .noPart(id) }
        return part
    }

    /// Whether this peer may read a document, that is, whether answers that it may read name the document.
    package func mayRead(_ digest: AttachmentDigest, _ peer: Peer) -> Bool {
        guard records.attachments[digest] != nil else { return false }
        if peer.isAdministrator { return true }
        let own = holder(of: peer)
        return attachments.isNamed(digest, by: own)
            || shownForms(to: peer).contains { forms[$0]?.attachments.contains(digest) ?? false }
    }

    /// Whether this holder has completed the form in its present version, with a response that was not withdrawn.
    func isCompleted(_ name: String, by holder: FormHolder) -> Bool {
        guard let form = formDescription(name) else { return false }
        return completed(name, by: holder).contains { $0.summary.version == form.questionnaire.version }
    }

    /// The responses with which this holder completed the form, in any version and in no order.
    func completed(_ name: String, by holder: FormHolder) -> some Sequence<ResponseRecord> {
        records.responses.values.lazy.filter { record in
            record.summary.name == name && record.summary.holder == holder && record.summary.status == .completed
        }
    }
}

public enum FormSight: Hashable, Sendable {
    case all
    /// The holder's own drafts, and those that are on the peer's screen.
    case some(of: FormHolder, and: Set<FormDraftKey>)
}

extension FormHolder {
    /// The holder as the journal shows it; also used for sorting.
    var text: String {
        switch kind {
        case .account(let name): name
        case .user(let uid): "uid \(uid)"
        }
    }
}

extension FormDraftKey {
    var text: String { "\(name), \(holder.text)" + (id == 0 ? "" : ", draft \(id)") }
}
