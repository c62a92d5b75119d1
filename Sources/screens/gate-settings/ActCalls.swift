import GateClient
import GateModel
import GateScreens
import GateTexts

extension GateClient {
    /// Asks the daemon to do an act.
    ///
    /// - Returns: rows to show to the person; `nil` if there is nothing to show.
    func carryOut(_ act: SettingsAct) async throws(GateError) -> [SettingsRow]? {
        switch act {
        case .enterParentMode: try await mode.toggle()
        case .extend: try await mode.extend()
        case .lock: try await mode.lock()
        case .takeBack: try await mode.cancel()
        case .revokeGrant(let uid, let gatedAction):
            try await authorization.revokeGrants(for: gatedAction, of: uid)
        case .answerAsk(let number, let answer): try await authorization.answerAsk(number, answer)
        case .withdrawAsk(let number): try await authorization.withdrawAsk(number)
        case .askMoreTime(let gatedAction): _ = try await authorization.moreTime(for: gatedAction)
        case .logOut: try await signIn.logOut()
        case .removePerson(let name): try await people.remove(name)
        case .revokeClaim(let claim, _): try await entitlements.revokeClaim(claim)
        case .requestForm(let name): try await forms.request(name)
        case .withdrawResponse(let id): try await forms.withdrawResponse(id)
        case .showResponse(let id):
            let kept = try await forms.response(id)
            // The form may have been removed since.
            let form = try? await forms.description(of: kept.summary.name).questionnaire
            return ResponseLines(kept.response, kept.summary, form: form, for: Localization.languages).rows
        case .clearLockouts(let uid, let gate): try await authorization.clearLockouts(of: uid, at: gate)
        case .removeSecret(let kind): try await secrets.remove(kind)
        case .reloadPolicy: try await control.reload()
        case .setAges(let settings): try await age.set(isOn: settings.isOn)
        case .chooseAge(let choice, let app, let person): try await age.choose(choice, for: app, of: person)
        case .changeGate(let change, _): _ = try await setGate(change, onlyChecking: false)
        case .checkGate, .open, .enrolAuthenticator, .turnJournal, .lockDevice, .lockAllDevices, .extendDevice, .setUp:
            break
        }
        return nil
    }

    /// Changes what stands before a gated action, or only asks what that would do.
    func setGate(_ change: ChosenGate, onlyChecking: Bool) async throws(GateError) -> ChangedGate {
        guard let requires = change.requires else {
            return try await control.unsetGate(change.gatedAction, onlyChecking: onlyChecking)
        }
        if let time = change.time {
            try await control.setTimeRule(time.kind, time.name, notation: time.notation, onlyChecking: onlyChecking)
            if onlyChecking {
                return time.completed(
                    try await control.setGate(change.gatedAction, requires: time.checkable, onlyChecking: true))
            }
        }
        return try await control.setGate(
            change.gatedAction, requires: requires, keep: change.keep, title: change.isNew ? change.title : nil,
            moreTime: change.moreTime, onlyChecking: onlyChecking)
    }

    /// Asks what a change of a gate would do.
    ///
    /// - Returns: the act that makes the change, with what it would do.
    func checked(_ change: ChosenGate) async -> Result<SettingsAct, GateError> {
        do throws(GateError) {
            return .success(.changeGate(change, try await setGate(change, onlyChecking: true)))
        } catch {
            return .failure(error)
        }
    }

    /// Sends the request of a dialog to the daemon. Returns why it was refused; `nil` if the daemon has done it. The
    /// opening of another device and the change of a gate are not sent here.
    func refusal(of request: SettingsDialog.Request) async -> GateError? {
        do throws(GateError) {
            switch request {
            case .logIn(let name, let password): try await signIn.logIn(name: name, password: password)
            case .register(let person, let password): try await people.register(person, password: password)
            case .setPerson(let person): try await people.set(person)
            case .changePassword(let name, let old, let new):
                try await people.changePassword(of: name, from: old, to: new)
            case .confirm(let person, let new): try await people.confirm(person, newPassword: new)
            case .addClaim(let entitlement, let holder, let end):
                try await entitlements.addClaim(entitlement, for: holder, until: end)
            case .setPasscode(let passcode): try await secrets.setPasscode(passcode)
            // Somebody else may have turned age ranges on or off since the dialog was opened.
            case .setAges(let settings): try await age.set(isOn: age.settings().isOn, gates: settings.gates)
            case .openDevice, .changeGate: break
            }
            return nil
        } catch {
            return error
        }
    }
}
