import GateModel
import GateTexts

extension SettingsFacts {
    func purchasesGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        let rows = entitlements.entitlements.map { row($0, moment) }
        var groups = [
            SettingsGroup(
                "entitlements", title: localized("What is paid for"),
                rows: rows.isEmpty ? SettingsWords.none(localized("There is nothing to buy in the rules.")) : rows)
        ]
        if isAdministrator == true, !entitlements.entitlements.isEmpty {
            groups[0].buttons = [
                SettingsButton(
                    localized("Unlock by hand"),
                    .open(.grant(entitlements.entitlements.map { SettingsDialog.Choice($0.id, title: title($0)) })))
            ]
        }
        let unheard = (providers.value ?? []).filter { !$0.health.isReachable }
        if !unheard.isEmpty {
            groups.append(
                SettingsGroup(
                    "providers", title: localized("Can't be reached"),
                    rows: unheard.map { report in
                        let since = localized("since {time}", ["time": moment.text(report.health.since)])
                        let lines = [since] + (report.health.detail.isEmpty ? [] : [report.health.detail])
                        return SettingsRow(
                            report.provider.rawValue, QuestionWords.provider(report.provider),
                            lines.joined(separator: "\n"))
                    }))
        }
        if let rows = claims.rows(orNone: localized("There are no purchases."), { $0.map { row($0, moment) } }) {
            groups.append(SettingsGroup("claims", title: localized("Purchases"), rows: rows))
        }
        let offers = (self.offers.value ?? []).flatMap { reported in
            reported.offers.map { row($0, of: reported, moment) }
        }
        if !offers.isEmpty {
            groups.append(SettingsGroup("offers", title: localized("What can be bought"), rows: offers))
        }
        return groups
    }

    private func title(_ entitlement: Entitlement) -> String {
        entitlement.title.isEmpty ? entitlement.id : entitlement.titles.ofPerson
    }

    private func row(_ entitlement: Entitlement, _ moment: SettingsMoment) -> SettingsRow {
        let title = title(entitlement)
        guard let source = entitlement.source else {
            return SettingsRow(entitlement.id, title, localized("Not bought"))
        }
        let provider = localized("through {provider}", ["provider": QuestionWords.provider(source.provider)])
        let lines = [
            ListText.facts([PurchaseWords.status(source.status), PurchaseWords.end(source.until, moment)]), provider,
            PurchaseWords.holder(source.holder),
        ]
        return SettingsRow(entitlement.id, title, lines.joined(separator: "\n"))
    }

    private func row(_ claim: ClaimSummary, _ moment: SettingsMoment) -> SettingsRow {
        let name =
            entitlements.entitlements.first { $0.id == claim.entitlement }.map(title)
            ?? (claim.entitlement.isEmpty ? claim.product : claim.entitlement)
        var lines = [
            ListText.facts([PurchaseWords.status(claim.status), PurchaseWords.end(claim.expiresAt, moment)]),
            localized("through {provider}", ["provider": QuestionWords.provider(claim.claim.provider)]),
            PurchaseWords.holder(claim.holder),
        ]
        if claim.isForTesting { lines.append(localized("for testing only")) }
        if claim.isRevokedHere { lines.append(localized("taken back on this device")) }
        let button = SettingsButton(
            localized("Take back"), spoken: localized("Take {name} back", ["name": name]),
            .revokeClaim(claim.claim, name: name),
            look: .destructive)
        return SettingsRow(
            "\(claim.claim.provider.rawValue) \(claim.claim.name)", name, lines.joined(separator: "\n"),
            buttons: isAdministrator == true && !claim.isRevokedHere ? [button] : [])
    }

    private func row(_ offer: Offer, of reported: ReportedOffers, _ moment: SettingsMoment) -> SettingsRow {
        let price = OfferWords.price(offer, moment.habits)
        let through = localized("through {provider}", ["provider": QuestionWords.provider(reported.provider)])
        return SettingsRow(
            "\(reported.provider.rawValue) \(reported.entitlement) \(offer.product)",
            OfferWords.title(offer, for: moment.languages),
            [price, through].filter { !$0.isEmpty }.joined(separator: "\n"))
    }
}

extension PurchaseWords {
    static func end(_ end: WallTime?, _ moment: SettingsMoment) -> String {
        end.map { localized("until {time}", ["time": moment.text($0)]) } ?? localized("for good")
    }

    static func holder(_ holder: Claim.Holder) -> String {
        switch holder {
        case .device: localized("for the whole device")
        case .account(let name): localized("for {name}", ["name": name])
        }
    }
}
