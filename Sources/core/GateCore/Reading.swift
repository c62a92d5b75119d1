public import GateModel

// What can be read from the state without changing it.

extension GateState {
    public var revision: Revision { records.revision }

    /// The mode as everyone may see it. Its deadline may have passed without having been reported to the core.
    public var modeState: ModeState {
        // The time to answer a waiting presentation has not begun.
        machine.modeState(
            verifyingUntil: machine.verifying.compactMap { queue.presentation(of: $0.id) }
                .filter { $0.stage != .waiting }.map(\.deadline).max())
    }

    public var quarantinedFile: String? { records.quarantinedFile }

    /// When the daemon has to send `deadlineReached` next; `nil` if nothing has a deadline.
    public var nextDeadline: BootTime? {
        // Each command asks for this twice, so no lists are built.
        var next = machine.nextDeadline
        next = next.earlier(signInMachine.nextDeadline)
        next = next.earlier(queue.nextDeadline)
        next = next.earlier(nextHandingOver)
        next = next.earlier(grants.nextDeadline)
        next = next.earlier(nextLockoutEnd)
        next = next.earlier(nextKeptGrantEnd)
        next = next.earlier(nextAskEnd)
        next = next.earlier(nextEndOfOthersAsk)
        next = next.earlier(nextEntitlementChange)
        next = next.earlier(nextScheduleChange)
        next = next.earlier(nextUsageChange)
        next = next.earlier(nextAgeEnd)
        return next.earlier(forms.nextDeadline)
    }

    package var householdSettings: HouseholdSettings? { configuration.household }

    /// Whether a request with exactly these details would be granted. A grown-up's yes to an ask counts only if it can
    /// be used any number of times. A peer that only looks redeems no grant, so it would never use up a yes for once.
    package func outlook(
        of gatedAction: String, details: String = "", for peer: Peer, at now: BootTime
    ) -> AuthorizationOutlook {
        if !details.isEmpty {
            do throws(GateError) {
                try checkDetails(details)
            } catch {
                return AuthorizationOutlook(refusedWith: error)
            }
        }
        let request = AuthorizationRequest(gatedAction: gatedAction, details: details)
        let decision = decision(
            on: request, of: peer, answered: [], open: nil, counting: .lasting, at: now, canShow: { _, _ in true })
        switch decision {
        case .granted:
            return AuthorizationOutlook(.granted, explanation: "This is allowed without a question.")
        case .present(let step, _):
            return AuthorizationOutlook(needing: step)
        case .refused(let error):
            return AuthorizationOutlook(refusedWith: error)
        }
    }

    /// The presentations that this peer may know of: those that requesters show, then the queue in its order.
    /// Presenters and administrators see all, providers also paywalls, others those that they asked for over this
    /// connection. A question of another device is for grown-ups alone: neither other presenters nor the peer that
    /// brought it see it. Once the list has too many translated texts, the later presentations have only the default
    /// language. Presenters lose nothing by that: what they are offered reaches them separately, with all languages.
    package func presentations(visibleTo peer: Peer) -> [PresentationSummary] {
        queue.open.filter { open in
            guard open.asked.device.isEmpty else { return peer.isGrownUpPresenter }
            return peer.seesAllPresentations || (peer.isProvider && open.step.kind == .paywall)
                || (requests[open.request]?.isRequested(by: peer) ?? false)
        }.map(\.summary).withRoomForTexts
    }

    /// The session, and whether somebody has to sign in. The session may have expired already, if the daemon has not
    /// reported the deadline to the core yet.
    public var signIn: SignInState {
        SignInState(
            session: signInMachine.session, isAuthenticating: signInMachine.isAuthenticating,
            needsAuthentication: needsAuthentication)
    }

    /// Which entitlements are active. As with the session, one of them may have expired already.
    public var entitlements: EntitlementsState { resolved.state }

    public var people: [GatePerson] { records.people.values.map(\.person).sorted { $0.name < $1.name } }

    /// The claims by provider, then by name, as they stand at this time.
    public func claims(at time: WallTime) -> [ClaimReading] {
        let rules = EntitlementRules(configuration: configuration, account: signInMachine.person?.name)
        return records.claims.values.sorted { $0.id < $1.id }.map { claim in
            ClaimReading(
                claim: claim, entitlement: rules.entitlementName(of: claim),
                status: EntitlementRules.status(of: claim, at: time))
        }
    }

    public var providers: [(provider: ClaimProvider, health: ProviderHealth)] {
        providerHealth.sorted { $0.key.rawValue < $1.key.rawValue }.map { (provider: $0.key, health: $0.value) }
    }

    public var reportedOffers: [ReportedOffers] { offers.inOrder }

    /// Administrators and grown-ups may read the list of people; everyone may in parent mode.
    package func mayReadPeople(_ peer: Peer, isParentMode: Bool) -> Bool {
        peer.isAdministrator || isParentMode || kind(ofUser: peer.uid) == .grownUp
    }

    package func mayReadClaims(_ peer: Peer) -> Bool { peer.isProvider }

    /// All connections that the state remembers. The end of any other connection changes nothing.
    public var connections: Set<UInt64> {
        queue.connections.union(grants.connections).union(passwordChecks.connections).union(forms.connections)
            .union(householdBook.connections).union(uses.connections)
            .union(requests.open.filter { !$0.isCover }.map(\.requester.connection))
    }

    /// The kept grants by user, then by name. `uid` `nil`: of all users.
    package func keptGrants(of uid: UInt32?) -> [(key: KeptGrant.Key, grant: KeptGrant)] {
        records.keptGrants.filter { uid == nil || $0.key.uid == uid }
            .sorted {
                ($0.key.uid, $0.key.gatedAction, $0.key.ask ?? 0) < ($1.key.uid, $1.key.gatedAction, $1.key.ask ?? 0)
            }
            .map { (key: $0.key, grant: $0.value) }
    }

    package var lockouts: [(key: Lockout.Key, lockout: Lockout)] {
        records.lockouts.sorted { ($0.key.owner, $0.key.gate) < ($1.key.owner, $1.key.gate) }
            .map { (key: $0.key, lockout: $0.value) }
    }

    /// The lockouts by owner, then by gate, as people read them: with the names of accounts, and without counters that
    /// have no wrong answer and no lock. A first unanswered question is kept, but not shown.
    package var namedLockouts: [(key: Lockout.Key, lockout: Lockout)] {
        lockouts.filter { $0.lockout.wrongAnswers > 0 || $0.lockout.lockedUntil != nil }.map { key, lockout in
            (key: Lockout.Key(owner: key.owner, gate: shownGate(key)), lockout: lockout)
        }
    }

    func shownGate(_ key: Lockout.Key) -> String { SignInGate.shown(key.gate, names: records.people.keys) }

    public var secretKinds: [SecretKind] {
        SecretKind.allCases.filter(setUpRules.has)
    }

    var setUpRules: SetUpRules {
        SetUpRules(hasPasscode: records.passcodeHash != nil, hasTOTP: records.totp != nil)
    }
}

extension GateState {
    /// The process for which a broker got this grant; `nil` if none did, or the grant is used or has expired.
    package func subject(of grant: Grant) -> Subject? { grants.requester(of: grant)?.subject }
}

extension [PresentationSummary] {
    /// The same list, without translations from where they exceed `Limits.textsOfPresentations`.
    fileprivate var withRoomForTexts: [PresentationSummary] {
        var count = 0
        return map { summary in
            count += summary.asked.titles.translations.count + summary.asked.translatedDetails.count
            guard count > Limits.textsOfPresentations else { return summary }
            var summary = summary
            summary.asked.titles.translations = []
            summary.asked.translatedDetails = []
            return summary
        }
    }
}

extension BootTime? {
    /// The earlier of two moments; `nil` stands for never.
    func earlier(_ other: BootTime?) -> BootTime? {
        guard let self, let other else { return self ?? other }
        return Swift.min(self, other)
    }
}
