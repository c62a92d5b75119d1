public import GateModel

/// A form that an app brings with its call (F-85), made ready.
public struct AppForm: Hashable, Sendable {
    /// The most bytes of its JSON: as much as one request of an app holds.
    public static let maximumByteCount = 64 << 10

    /// Under the name that the device knows it by.
    let description: FormDescription
    let compiled: CompiledForm

    /// Makes a form of a user's app ready. Slow where the form is large.
    ///
    /// - Parameters:
    ///   - description: as the app names it.
    ///   - uid: the user whose app it is.
    public init(_ description: FormDescription, of uid: UInt32) {
        var description = description
        description.questionnaire.name = AppsOwnName(description.questionnaire.name, of: uid).text
        self.description = description
        compiled = CompiledForm(description.questionnaire)
    }

    /// The name that the device knows it by: `weekly-plan@1000`.
    var name: String { description.questionnaire.name }
}

/// The forms that apps bring (F-85). Each is there as long as it has a draft, or somebody is asked to fill it in.
extension GateState {
    /// The form as the device has it: an administrator's, or an app's.
    package func formDescription(_ name: String) -> FormDescription? {
        configuration.forms[name] ?? records.appForms[name]
    }

    /// The forms that this peer may see, by name: those of the device, and its own user's apps'; administrators see all.
    package func forms(offeredTo peer: Peer) -> [FormDescription] {
        let apps = records.appForms.values.filter { isOwnForm($0.questionnaire.name, of: peer) || peer.isAdministrator }
        return (configuration.forms.values + apps).sorted { $0.questionnaire.name < $1.questionnaire.name }
    }

    /// A form that this peer may see.
    ///
    /// - Parameter cookie: of a presentation that shows it.
    /// - Throws: `notFound`; what is wrong with the cookie.
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

    /// The name under which the device knows a form that a peer names; `nil`: it has none for this peer. What an administrator
    /// has installed wins over what an app brought.
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

    /// An app brings a form: it is there from now on, unless an administrator has installed one of that name.
    ///
    /// - Throws: RESOURCE_EXHAUSTED `.limit`; FAILED_PRECONDITION `.changedMeanwhile` where too much is answered in another form of
    ///   that name; PERMISSION_DENIED to a user whose costs are somebody else's.
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
        record(.appFormSet(form.description), &draft)
        forms.brought(form)
        reformDrafts(&draft)
    }

    /// Whether somebody is asked to fill it in.
    package func hasOpenRequest(forForm name: String) -> Bool {
        requests.open.contains { request in
            if case .fillForm(let invitation, _) = request.kind { invitation.name == name } else { false }
        }
    }

    /// Nobody fills it in any more, and nobody is asked to: it is gone. Any other form stays.
    mutating func forgetAppForm(_ name: String, _ draft: inout TransitionDraft) {
        guard records.appForms[name] != nil, !records.drafts.keys.contains(where: { $0.name == name }) else { return }
        guard !hasOpenRequest(forForm: name) else { return }
        record(.appFormRemoved(name: name), &draft)
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
