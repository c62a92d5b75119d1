public import GateModel

/// A form that an app brings with its call, compiled for use.
public struct AppForm: Hashable, Sendable {
    /// The largest JSON of such a form in bytes; it has to fit into one request of the app.
    public static let maximumByteCount = 64 << 10

    /// The form under the name that the device uses for it.
    let description: FormDescription
    let compiled: CompiledForm

    /// Slow if the form is large. `description` has the app's name for the form. `uid` is the user who runs the app.
    public init(_ description: FormDescription, of uid: UInt32) {
        var description = description
        description.questionnaire.name = AppsOwnName(description.questionnaire.name, of: uid).text
        self.description = description
        compiled = CompiledForm(description.questionnaire)
    }

    /// The name that the device uses: `weekly-plan@1000`.
    var name: String { description.questionnaire.name }
}

/// The forms that apps bring. A form exists as long as it has a draft, or a request to fill it in is open.
extension GateState {
    package func formDescription(_ name: String) -> FormDescription? {
        configuration.forms[name] ?? records.appForms[name]
    }

    /// The installed forms and those of this user's apps, by name. Administrators see all.
    package func forms(offeredTo peer: Peer) -> [FormDescription] {
        let apps = records.appForms.values.filter { isOwnForm($0.questionnaire.name, of: peer) || peer.isAdministrator }
        return (configuration.forms.values + apps).sorted { $0.questionnaire.name < $1.questionnaire.name }
    }

    /// - Throws: `notFound` if the peer may see no such form, or what is wrong with the cookie.
    package func form(
        named name: String, cookie: PresentationCookie?, for peer: Peer, at now: BootTime
    ) throws(GateError) -> FormDescription {
        if let cookie {
            let key = try draftKey(of: FormTarget(name: name, cookie: cookie), for: peer, at: now)
            if let form = formDescription(key.name) { return form }
        }
        guard let form = formName(name, for: peer).flatMap(formDescription) else { throw .noForm(name) }
        return form
    }

    /// The device's name for the form that a peer names; `nil` if the peer may see no such form. A form that an
    /// administrator installed takes precedence over one of an app.
    func formName(_ name: String, for peer: Peer) -> String? {
        if let form = configuration.forms[name] { return form.questionnaire.name }
        let own = AppsOwnName(name, of: peer.uid).text
        if records.appForms[own] != nil { return own }
        let isSeen = isOwnForm(name, of: peer) || peer.isAdministrator || hasDraft(of: name, peer)
        return records.appForms[name] != nil && isSeen ? name : nil
    }

    private func isOwnForm(_ name: String, of peer: Peer) -> Bool { AppsOwnName(name)?.uid == peer.uid }

    private func hasDraft(of name: String, _ peer: Peer) -> Bool {
        let holder = holder(of: peer)
        return records.drafts.keys.contains { $0.name == name && $0.holder == holder }
    }

    /// Adds the form that an app brings, or replaces its earlier version. Nothing happens if an administrator installed
    /// a form with that name.
    ///
    /// - Throws: RESOURCE_EXHAUSTED `.limit`; FAILED_PRECONDITION `.changedMeanwhile` if the drafts of the earlier
    ///   version have too many answers; PERMISSION_DENIED if the peer is not billed to its own user.
    mutating func bring(_ form: AppForm, for peer: Peer, _ draft: inout TransitionDraft) throws(GateError) {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard let name = AppsOwnName(form.name), configuration.forms[name.name] == nil else { return }
        guard peer.owner == .user(peer.uid) else { throw .noAppForms }
        let known = records.appForms[form.name]
        guard known != form.description else { return }
        if known == nil {
            let ofUser = records.appForms.keys.count { AppsOwnName($0)?.uid == name.uid }
            guard ofUser < Limits.appFormsOfUser, records.appForms.count < Limits.appForms else {
                throw .tooManyAppForms
            }
        } else {
            let answered = forms.byteCount(of: form.name)
            guard answered <= Limits.appFormAnswersByteCount else { throw .otherAppForm(name.name) }
        }
        record(.forms(.appFormSet(form.description)), &draft)
        forms.brought(form)
        reformDrafts(&draft)
    }

    package func hasOpenRequest(forForm name: String) -> Bool {
        requests.open.contains { request in
            if case .fillForm(let invitation, _) = request.kind { invitation.name == name } else { false }
        }
    }

    mutating func forgetAppForm(_ name: String, _ draft: inout TransitionDraft) {
        guard records.appForms[name] != nil, !records.drafts.keys.contains(where: { $0.name == name }) else { return }
        guard !hasOpenRequest(forForm: name) else { return }
        record(.forms(.appFormRemoved(name: name)), &draft)
        forms.forgot(name)
    }
}

extension GateError {
    fileprivate static let noAppForms = GateError(
        .permissionDenied, .notPermitted,
        "Apps bring forms only for a user with an account on this device. An administrator can install the form in questionnaires.d.",
        parameters: ["what": "app-forms"])

    fileprivate static let tooManyAppForms = GateError(
        .resourceExhausted, .limit,
        "Apps of one user bring at most \(Limits.appFormsOfUser) forms at a time, and those of all users \(Limits.appForms). Complete or discard the drafts of one first: `gatectl form drafts`.",
        parameters: ["what": "app-forms", "maximum": "\(Limits.appFormsOfUser)"])

    fileprivate static func otherAppForm(_ name: String) -> GateError {
        GateError(
            .failedPrecondition, .changedMeanwhile,
            "Much is answered in drafts of another version of the form '\(name.cut(toByteCount: 64))'. Complete or discard them first: `gatectl form drafts`.",
            parameters: ["what": "form", "name": name.cut(toByteCount: 64)])
    }
}
