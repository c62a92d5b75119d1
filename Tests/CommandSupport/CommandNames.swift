package import GateCore
package import GateModel

/// Tests name a command without its service: `.toggle(presenting: .here)`.
extension Command {
    // Mode

    package static func toggle(presenting: Presenting) -> Command { .mode(.toggle(presenting: presenting)) }
    package static var cancel: Command { .mode(.cancel) }
    package static var lock: Command { .mode(.lock) }
    package static func extend(_ duration: Duration?, presenting: Presenting) -> Command {
        .mode(.extend(duration, presenting: presenting))
    }
    package static func override(_ mode: Mode, _ duration: Duration?, reason: String) -> Command {
        .mode(.override(mode, duration, reason: reason))
    }

    // Authorization

    package static func authorize(_ request: AuthorizationRequest, presenting: Presenting) -> Command {
        .authorization(.authorize(request, presenting: presenting))
    }
    package static func redeem(_ proof: Grant.Proof, gatedAction: String, details: String) -> Command {
        .authorization(.redeem(proof, gatedAction: gatedAction, details: details))
    }
    package static func revoke(uid: UInt32?, gatedAction: String?) -> Command {
        .authorization(.revoke(uid: uid, gatedAction: gatedAction))
    }
    package static func clearLockouts(uid: UInt32?, gate: String?) -> Command {
        .authorization(.clearLockouts(uid: uid, gate: gate))
    }
    package static func answerAsk(_ number: UInt64, _ answer: AskAnswer) -> Command {
        .authorization(.answerAsk(number, answer))
    }
    package static func answerAsk(_ number: UInt64, isAllowed: Bool) -> Command {
        answerAsk(number, isAllowed ? .yes() : .no)
    }
    package static func withdrawAsk(_ number: UInt64) -> Command { .authorization(.withdrawAsk(number)) }
    package static func askMoreTime(gatedAction: String, wish: AskChoice?) -> Command {
        .authorization(.askMoreTime(gatedAction: gatedAction, wish: wish))
    }

    // Secrets

    package static func setPasscode(hash: String) -> Command { .secrets(.setPasscode(hash: hash)) }
    package static func setTOTP(key: GateSecret, usedStep: UInt64) -> Command {
        .secrets(.setTOTP(key: key, usedStep: usedStep))
    }
    package static func removeSecret(_ kind: SecretKind) -> Command { .secrets(.removeSecret(kind)) }

    // Sign-in

    package static func logIn(name: String, password: GateSecret) -> Command {
        .signIn(.logIn(name: name, password: password))
    }
    package static var logOut: Command { .signIn(.logOut) }
    package static func register(_ person: GatePerson, passwordHash: String) -> Command {
        .signIn(.register(person, passwordHash: passwordHash))
    }
    package static func changePassword(name: String, old: GateSecret, newHash: String) -> Command {
        .signIn(.changePassword(name: name, old: old, newHash: newHash))
    }
    package static func setPassword(name: String, hash: String) -> Command {
        .signIn(.setPassword(name: name, hash: hash))
    }
    package static func confirm(_ person: GatePerson, passwordHash: String) -> Command {
        .signIn(.confirm(person, passwordHash: passwordHash))
    }

    // People

    package static func setPerson(_ person: GatePerson, grant: Grant.Proof? = nil) -> Command {
        .people(.set(person, grant: grant))
    }
    package static func removePerson(name: String, grant: Grant.Proof? = nil) -> Command {
        .people(.remove(name: name, grant: grant))
    }
    package static func usersChecked(recognized: Set<UInt32>) -> Command {
        .people(.usersChecked(recognized: recognized))
    }

    // Ages

    package static var ageAsked: Command { .age(.asked) }
    package static func setAges(isOn: Bool, gates: [Int] = [], grant: Grant.Proof? = nil) -> Command {
        .age(.set(isOn: isOn, gates: gates, grant: grant))
    }
    package static func chooseAge(
        _ person: String, _ app: String, _ choice: AgeChoice, grant: Grant.Proof? = nil
    ) -> Command {
        .age(.choose(AgeBook.Key(person: person, app: app), choice, grant: grant))
    }

    // Entitlements

    package static func addClaim(entitlement: String, _ holder: Claim.Holder, until end: WallTime?) -> Command {
        .entitlements(.addClaim(entitlement: entitlement, holder, until: end))
    }
    package static func revokeClaim(_ id: Claim.ID) -> Command { .entitlements(.revokeClaim(id)) }
    package static func submit(
        _ statement: ProviderStatement, for holder: Claim.Holder?, from source: StatementSource = .provider(nil)
    ) -> Command {
        .entitlements(.submit(statement, for: holder, from: source))
    }
    package static func reportProvider(_ provider: ClaimProvider, isReachable: Bool, detail: String) -> Command {
        .entitlements(.reportProvider(provider, isReachable: isReachable, detail: detail))
    }
    package static func reportOffers(_ provider: ClaimProvider, entitlement: String, _ offers: [Offer]) -> Command {
        .entitlements(.reportOffers(provider, entitlement: entitlement, offers))
    }
    package static func requestPaywall(_ request: PaywallRequest, presenting: Presenting) -> Command {
        .entitlements(.requestPaywall(request, presenting: presenting))
    }

    // Forms

    package static func openForm(
        _ target: FormTarget, beginsAnother: Bool = false, label: String = "", own: AppForm? = nil
    ) -> Command {
        .forms(.openForm(target, beginsAnother: beginsAnother, label: label, own: own))
    }
    package static func labelDraft(_ target: FormTarget, label: String) -> Command {
        .forms(.labelDraft(target, label: label))
    }
    package static func announceSuggestion(
        _ target: FormTarget, at revision: UInt64?, _ path: FormPath, for duration: Duration
    ) -> Command {
        .forms(.announceSuggestion(target, at: revision, path, for: duration))
    }
    package static func editForm(_ target: FormTarget, at revision: UInt64?, _ edit: FormEdit) -> Command {
        .forms(.editForm(target, at: revision, edit))
    }
    package static func saveForm(_ target: FormTarget) -> Command { .forms(.saveForm(target)) }
    package static func loadForm(_ target: FormTarget, at revision: UInt64?, response: UInt64?) -> Command {
        .forms(.loadForm(target, at: revision, response: response))
    }
    package static func completeForm(_ target: FormTarget, at revision: UInt64?) -> Command {
        .forms(.completeForm(target, at: revision))
    }
    package static func discardForm(_ target: FormTarget, of holder: FormHolder? = nil) -> Command {
        .forms(.discardForm(target, of: holder))
    }
    package static func withdrawResponse(_ id: UInt64) -> Command { .forms(.withdrawResponse(id)) }
    package static func savePart(_ target: FormTarget, _ path: FormPath, over id: UInt64?, label: String) -> Command {
        .forms(.savePart(target, path, over: id, label: label))
    }
    package static func labelPart(_ id: UInt64, label: String) -> Command { .forms(.labelPart(id, label: label)) }
    package static func removePart(_ id: UInt64) -> Command { .forms(.removePart(id)) }
    package static func requestForm(name: String, own: AppForm? = nil) -> Command {
        .forms(.requestForm(name: name, own: own))
    }

    // Release notes

    package static func showWhatsNew(
        app: String, _ version: AppVersion, own: [WhatsNew] = [], presenting: Presenting
    ) -> Command {
        .releaseNotes(.showWhatsNew(app: app, version, own: own, presenting: presenting))
    }
    package static func acknowledgeWhatsNew(app: String, _ version: AppVersion, own: [WhatsNew] = []) -> Command {
        .releaseNotes(.acknowledgeWhatsNew(app: app, version, own: own))
    }
    package static func resetWhatsNew(app: String?) -> Command { .releaseNotes(.resetWhatsNew(app: app)) }

    // Presentations

    package static func register(_ abilities: PresenterAbilities) -> Command { .presentations(.register(abilities)) }
    package static var unregister: Command { .presentations(.unregister) }
    package static func claim(presentation id: UInt64) -> Command { .presentations(.claim(presentation: id)) }
    package static func report(_ cookie: PresentationCookie, _ input: PresentationInput) -> Command {
        .presentations(.report(cookie, input))
    }
    package static func complete(_ cookie: PresentationCookie, _ answer: ChallengeAnswer) -> Command {
        .presentations(.complete(cookie, answer))
    }
    package static func dismiss(_ cookie: PresentationCookie) -> Command { .presentations(.dismiss(cookie)) }
    package static func awaitClosing(_ cookie: PresentationCookie) -> Command {
        .presentations(.awaitClosing(cookie))
    }
    package static func withdraw(presentation id: UInt64) -> Command { .presentations(.withdraw(presentation: id)) }

    // Household

    package static var openHousehold: Command { .household(.openHousehold) }
    package static func applyList(_ list: SignedHouseholdList) -> Command { .household(.applyList(list)) }
    package static func takeHouseholdPolicy(
        _ policy: SignedHouseholdPolicy, _ configuration: Configuration, detail: String
    ) -> Command {
        .household(.takeHouseholdPolicy(policy, configuration, detail: detail))
    }
    package static func takeDeviceKey(_ key: DeviceKey, replaces: Bool = false) -> Command {
        .household(.takeDeviceKey(key, replaces: replaces))
    }
    package static func execute(_ command: SignedGuardianCommand) -> Command { .household(.execute(command)) }
    package static func sendCommand(
        _ order: GuardianOrder, to devices: [HouseholdID]?, grant: Grant.Proof?
    ) -> Command {
        .household(.sendCommand(order, to: devices, grant: grant))
    }
    package static func obeyHomeAssistant(_ order: HomeAssistantOrder) -> Command {
        .household(.obeyHomeAssistant(order))
    }
    package static func reachBroker(_ isThere: Bool) -> Command { .household(.reachBroker(isThere)) }
    package static func receiveRequests(_ news: RequestNews) -> Command { .household(.receiveRequests(news)) }
    package static func takeUsage(_ report: UsageReport, verifiedBy key: [UInt8]) -> Command {
        .household(.takeUsage(report, verifiedBy: key))
    }
    package static func answerRequest(_ number: UInt64, isApproved: Bool, grant: Grant.Proof?) -> Command {
        .household(.answerRequest(number, isApproved: isApproved, grant: grant))
    }
    package static func endAnswer(_ name: RequestName, command: HouseholdID, isDone: Bool) -> Command {
        .household(
            .endAnswer(name, command: command, isDone ? nil : CommandResult.Refusal(.closed, "It no longer waits.")))
    }

    // Control

    package static var recover: Command { .control(.recover) }
    package static var backUp: Command { .control(.backUp) }
    package static func restore(_ records: DurableRecords, detail: String) -> Command {
        .control(.restore(records, detail: detail))
    }

    package static func changeGate(_ change: GateChange) -> Command { .control(.changeGate(change)) }

    // The daemon itself

    package static var start: Command { .daemon(.start(lastEntry: nil)) }
    package static func closeForDamage(quarantinedFile: String) -> Command {
        .daemon(.closeForDamage(quarantinedFile: quarantinedFile))
    }
    package static var deadlineReached: Command { .daemon(.deadlineReached) }
    package static var peerDisconnected: Command { .daemon(.peerDisconnected) }
    package static func callEnded(_ wait: WaitID) -> Command { .daemon(.callEnded(wait)) }
    package static func secretChecked(presentation id: UInt64, _ outcome: SecretOutcome) -> Command {
        .presentations(.secretChecked(presentation: id, outcome))
    }
    package static func passwordChecked(_ id: PasswordCheckID, _ outcome: PasswordOutcome) -> Command {
        .signIn(.passwordChecked(id, outcome))
    }
    package static func configure(_ configuration: Configuration, detail: String) -> Command {
        .daemon(.configure(configuration, detail: detail))
    }
}
